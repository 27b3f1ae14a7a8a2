import type { Change, Stored } from './store.js'

/** A value as JSON text. Bigints are written as `#<digits>`; a text that starts with `#` gets one more. */
export const encodeValue = (value: Stored): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint'
      ? `#${each}`
      : typeof each === 'string' && each.startsWith('#')
        ? `#${each}`
        : each,
  )

/** What `encodeValue` wrote, bigints included. */
export const decodeValue = (text: string): Stored =>
  JSON.parse(text, (_key, each: unknown) =>
    typeof each !== 'string' || !each.startsWith('#')
      ? each
      : each.startsWith('##')
        ? each.slice(1)
        : BigInt(each.slice(1)),
  )

/** Changes as JSON text; what was removed has no value. */
export const encodeChanges = (changes: Iterable<Change>): string =>
  encodeValue(
    [...changes].map(([space, key, value]) =>
      value === undefined ? [space, key] : [space, key, value],
    ),
  )

/** What `encodeChanges` wrote. */
export const decodeChanges = (text: string): readonly Change[] =>
  (decodeValue(text) as readonly (readonly [string, string, Stored?])[]).map(
    ([space, key, value]) => [space, key, value] as const,
  )

import type { Change, Stored } from './state.js'

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

/** A value that is still text: most of what a file holds is never asked for. */
export class Unread {
  constructor(readonly text: string) {}

  read(): Stored {
    return decodeValue(this.text)
  }
}

const textOf = (value: Stored): string =>
  value instanceof Unread ? value.text : encodeValue(value)

/** Changes as JSON text, values as texts of their own; what was removed has none. */
export const encodeChanges = (changes: Iterable<Change>): string =>
  JSON.stringify(
    [...changes].map(([space, key, value]) =>
      value === undefined ? [space, key] : [space, key, textOf(value)],
    ),
  )

/** What `encodeChanges` wrote, its values unread. */
export const decodeChanges = (text: string): readonly Change[] =>
  (JSON.parse(text) as readonly (readonly [string, string, string?])[]).map(
    ([space, key, value]) =>
      [space, key, value === undefined ? undefined : new Unread(value)] as const,
  )

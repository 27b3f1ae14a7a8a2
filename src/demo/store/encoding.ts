import type { Stored } from './store.js'

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

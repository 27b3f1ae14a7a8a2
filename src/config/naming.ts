/**
 * `maxHops` as a key of `.swaprc`: `max_hops`, which is also the field of the request. Settings
 * of the router, the history and limits are in groups: `router.address`.
 */
export const keyOf = (name: string): string =>
  name
    .replace(
      /^(router|history|limits)([A-Z])/,
      (_, group: string, letter: string) => `${group}.${letter.toLowerCase()}`,
    )
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `maxHops` as a variable: `SWAP_MAX_HOPS`. */
export const envOf = (name: string): string => `SWAP_${keyOf(name).replace('.', '_').toUpperCase()}`

/** `maxHops` as a flag: `--max-hops`. */
export const flagOf = (name: string): string => `--${keyOf(name).replaceAll(/[_.]/g, '-')}`

/**
 * How a value is written where it was given, for hints.
 *
 * @example written('--slippage', '0.5%') // '--slippage 0.5%'
 * @example written('slippage', '0.5%') // 'slippage: 0.5%'
 */
export function written(label: string, value: string): string {
  if (label.startsWith('--')) return `${label} ${value}`
  return label.startsWith('SWAP_') ? `${label}=${value}` : `${label}: ${value}`
}

import { readTypedAmount, type TypedAmount } from '../engine/math/units.js'
import { type PageToken, tokenNamed } from './tokens.js'

/** The operations of the service that the page quotes with. */
export type Mode = 'route' | 'sroute'

/** A quote that the page shows: the same request for the engine and for the service. */
export type Question = {
  readonly mode: Mode
  readonly from: string
  readonly to: string
  readonly atomics: bigint
}

/** The request of an operation, as `swap route` and `swap sroute` make it. */
export const requestOf = ({ mode, from, to, atomics }: Question) => ({
  input: { denom: from, amount: `${atomics}` },
  output: { denom: to },
  ...(mode === 'sroute' && { grid: false }),
})

export function streamPath({ mode, from, to, atomics }: Question): string {
  const parameters = new URLSearchParams({
    operation: mode,
    'input.denom': from,
    'input.amount': `${atomics}`,
    'output.denom': to,
    ...(mode === 'sroute' && { grid: 'false' }),
  })
  return `swap/stream?${parameters}`
}

/** The same quote on the command line. */
export const commandOf = ({ mode, from, to }: Omit<Question, 'atomics'>, typed: string): string =>
  ['swap', mode, typed.trim(), from, to].join(' ')

/** What the form holds. */
export type FormState = {
  readonly mode: Mode
  readonly typed: string
  readonly from: PageToken | undefined
  readonly to: PageToken | undefined
}

const reasons: Readonly<Record<Exclude<TypedAmount['kind'], 'amount' | 'too_fine'>, string>> = {
  malformed: 'Write digits, with a dot for decimals and no commas.',
  zero: 'The amount is zero.',
  too_large: 'This is more than any token can have.',
}

/** The question of a form, or the form's error. */
export function readForm({
  mode,
  typed,
  from,
  to,
}: FormState): Question | { readonly fault: string } {
  if (from === undefined || to === undefined) return { fault: 'Choose two tokens.' }
  if (from.denom === to.denom) return { fault: 'Choose two different tokens.' }
  if (typed.trim() === '') return { fault: 'Type an amount.' }
  const read = readTypedAmount(typed.trim(), from.decimals)
  if (read.kind === 'too_fine')
    return { fault: `${from.label} has ${from.decimals} decimals, and nothing is rounded for you.` }
  if (read.kind !== 'amount') return { fault: reasons[read.kind] }
  return { mode, from: from.denom, to: to.denom, atomics: read.atomics }
}

/** The form fields in the page's address: `#1.5&btc-btc&rune&route`; missing ones are left out. */
export function readAddress(hash: string): {
  readonly [part in 'typed' | 'from' | 'to' | 'mode']: string
} {
  const [typed = '', from = '', to = '', mode = ''] = hash
    .replace(/^#/, '')
    .split('&')
    .map(decodeComponent)
  return { typed, from, to, mode }
}

/**
 * The tokens that an address names, by default BTC and RUNE, or else the most liquid ones; an unknown name leaves its box
 * empty.
 */
export function tokensOfAddress(
  tokens: readonly PageToken[],
  names: { readonly from: string; readonly to: string },
): Pick<FormState, 'from' | 'to'> {
  const from =
    tokenNamed(tokens, names.from || 'btc') ?? (names.from === '' ? tokens[0] : undefined)
  if (names.to !== '') return { from, to: tokenNamed(tokens, names.to) }
  const others = tokens.filter(({ denom }) => denom !== from?.denom)
  return { from, to: others.find(({ symbol }) => symbol === 'RUNE') ?? others[0] }
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address of the page with the form in it, so that a reload and a bookmark have the same quote. */
export const addressOf = ({ mode, typed, from, to }: FormState): string =>
  `#${[typed.trim(), from?.denom ?? '', to?.denom ?? '', mode].map(encodeURIComponent).join('&')}`

import { SwapError } from '../engine/errors.js'
import { readAmount, shortJson } from './amount.js'
import { DEFAULTS, SLIPPAGES, SPLIT_STEPS } from './defaults.js'

/** Mutually exclusive members of a request, or one that requires another. */
export const memberConflict = (pointers: readonly string[], why: string, hint: string): SwapError =>
  new SwapError('INVALID_REQUEST', 'members of the request clash', {
    why: `${pointers.join(' and ')}: ${why}`,
    hint,
    members: { errors: pointers.map((pointer) => ({ pointer, detail: why })) },
  })

/** Why an order in place of a route does not go with a recipient. */
export const ORDER_PAYS_SIGNER = 'an order pays the account that signs it'

type Amounts = {
  readonly input: { readonly amount?: string | number | undefined }
  readonly output?: { readonly amount?: string | number | undefined } | undefined
}

/** Requires exactly one of input amount and output amount. @throws SwapError INVALID_REQUEST */
export function requireOneAmount({ input, output }: Amounts): void {
  if ((input.amount === undefined) !== (output?.amount === undefined)) return
  throw memberConflict(
    ['/input/amount', '/output/amount'],
    'exactly one of the two must be given',
    'one says how much to sell, the other how much to receive: leave one of them out',
  )
}

/** The amounts of a request, of which one is given. @throws SwapError INVALID_AMOUNT */
export const readAmounts = ({ input, output }: Amounts) => ({
  amount: input.amount === undefined ? undefined : readAmount(input.amount, '/input/amount'),
  outputAmount:
    output?.amount === undefined ? undefined : readAmount(output.amount, '/output/amount'),
})

/** Why members of a search do not go with a given path or split. */
export const notSearched = (given: 'path' | 'legs'): string =>
  `nothing is searched where ${given === 'path' ? 'a path is' : 'legs are'} given`

/**
 * Refuses members of a search in a request with a given path or split, for which nothing is searched. Empty lists
 * count as absent.
 *
 * @param member the one that is given
 * @param members that only a search uses, besides the split step and the output amount
 * @throws SwapError INVALID_REQUEST
 */
export function requireNoSearch<
  Request extends {
    readonly input: { readonly denom: string; readonly split_step?: unknown }
    readonly output?: { readonly amount?: unknown }
  },
>(request: Request, member: 'path' | 'legs', members: readonly (keyof Request & string)[]): void {
  const others = [
    ...members.filter((name) => !isEmpty(request[name])).map((name) => `/${name}`),
    ...(request.input.split_step === undefined ? [] : ['/input/split_step']),
    ...(request.output?.amount === undefined ? [] : ['/output/amount']),
  ]
  if (others.length === 0) return
  throw memberConflict(
    [`/${member}`, ...others],
    notSearched(member),
    `leave ${member} out to search, or the others to quote it`,
  )
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0)

/** The flag of a request member. @example flagNameOf('max_hops') // 'max-hops' */
export const flagNameOf = (member: string): string =>
  member.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A split step is a whole number of percent from 1 to 10. @throws SwapError INVALID_SPLIT_STEP */
export function readSplitStep(value: unknown): number {
  if (isWhole(value, SPLIT_STEPS)) return value
  const [least, most] = SPLIT_STEPS
  throw new SwapError('INVALID_SPLIT_STEP', `a split step of ${shortJson(value)} cannot be used`, {
    why: `split_step is a whole number of percent from ${least} to ${most}`,
    hint: `write e.g. ${DEFAULTS.splitStep}: shares of ${[1, 2, 3].map((i) => `${i * DEFAULTS.splitStep} %`).join(', ')} and so on`,
    members: { min: least, max: most, pointer: '/input/split_step' },
  })
}

/** Whether a value is a slippage in basis points. */
export const isSlippage = (value: unknown): value is number => isWhole(value, SLIPPAGES)

const isWhole = (value: unknown, [least, most]: readonly [number, number]): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

/** A slippage in basis points. @throws SwapError INVALID_SLIPPAGE */
export function readSlippage(bps: number): number {
  if (isSlippage(bps)) return bps
  const [min, max] = SLIPPAGES
  throw new SwapError('INVALID_SLIPPAGE', `a slippage of ${bps} bps is out of range`, {
    why: `slippage_bps is a whole number from ${min} to ${max}`,
    hint: `the default is ${DEFAULTS.slippageBps}, which is ${DEFAULTS.slippageBps / 100} %`,
    members: { min, max, pointer: '/slippage_bps' },
  })
}

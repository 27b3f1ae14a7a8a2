import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import { formatCoin } from '../../operations/amount.js'
import { unitOf } from '../../operations/worth.js'
import type { Context } from '../command.js'
import { splitGlued } from './route-request.js'

/** A count of base units below this share of a unit suggests that whole units were meant. */
const LEAST_SHARE = 1000n

/**
 * Asks whether a whole number of units that is too large was meant as one of atomics.
 *
 * @param most the largest amount that passes, in atomics
 * @example 'did you mean --atomic 1500000000, which is 15 BTC?'
 */
export function atomicsMeant(
  market: Market,
  { denom, amount }: Coin,
  most: bigint,
): string | undefined {
  const unit = unitOf(market, denom)
  const typed = amount / unit
  const isLikely = unit > 1n && amount % unit === 0n && typed <= most && typed * LEAST_SHARE >= unit
  if (!isLikely) return undefined
  return `did you mean --atomic ${typed}, which is ${formatCoin(market, denom, typed)}?`
}

/** The coins of a request, one of them with an amount. */
export type Asked = { readonly input: AskedCoin; readonly output?: AskedCoin }

type AskedCoin = { readonly denom: string; readonly amount?: string | number }

/**
 * Quotes a request. The error of an amount that the books cannot fill asks whether atomics were meant, if the amount was
 * typed as a whole number of units.
 *
 * @param words the arguments as they were typed
 */
export async function quotedAsTyped<Request extends Asked, Answer>(
  { app, form }: Pick<Context, 'app' | 'form'>,
  words: readonly string[],
  request: Request,
  quote: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await quote(request)
  } catch (error) {
    if (!(error instanceof SwapError) || error.code !== 'INSUFFICIENT_LIQUIDITY') throw error
    const { input, output } = request
    const [coin, most] =
      input.amount === undefined
        ? [output, error.members['output_at_max']]
        : [input, error.members['max_input']]
    const isTyped = words.flatMap((word) => splitGlued(word, form.atomic)).some(isWhole)
    if (form.atomic || !isTyped || coin?.amount === undefined || typeof most !== 'string')
      throw error
    const { market } = await app.openMarket()
    const asked = { denom: coin.denom, amount: BigInt(coin.amount) }
    const suggestion = atomicsMeant(market, asked, BigInt(most))
    if (suggestion === undefined) throw error
    const cli = `${suggestion} otherwise ${error.hint}`
    throw error.with({ hint: { cli, http: error.httpHint } })
  }
}

const isWhole = (word: string): boolean => /^\d[\d_]*$/.test(word)

import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom, Token } from '../../engine/market/token.js'
import { formatCoin } from '../../operations/amount.js'
import { expectedResult } from '../../operations/simulate/simulate.js'
import { compare } from '../../operations/simulations.js'
import type { Question } from '../ports.js'
import type { Session } from '../session.js'
import type { SigningTerms } from '../task.js'

/** Router messages whose simulations are compared, on the market that prices come from. */
export type SimulatedCalls = {
  readonly what: 'swap' | 'order'
  readonly market: Market
  /** Each with the token that it pays. */
  readonly questions: readonly (Question & { readonly output: string })[]
  /** Tokens whose units and names were used: amounts and prices are typed and shown in them. */
  readonly denoms: readonly Denom[]
  /** Tolerated difference from a number that is not exact, in basis points; exact ones have to be equal. */
  readonly toleranceBps: number
}

/**
 * Requires, where several nodes are configured, that they agree about messages, and that the market gives the same
 * amounts: a price from one dishonest node gives no protection.
 *
 * @throws SwapError UPSTREAM_INVALID_DATA; UPSTREAM_ERROR without a person, if only one node answers
 */
export async function requireAgreement(
  { chain, progress }: Pick<Session, 'chain' | 'progress'>,
  compared: SimulatedCalls,
  { unattended }: Pick<SigningTerms, 'unattended'>,
): Promise<void> {
  const configured = chain.endpoints.length
  if (configured < 2) return
  const { market, questions } = compared
  const described = describedDenoms(compared).filter((denom) => !chain.isListed(denom))
  if (questions.length + described.length === 0) return
  const { nodes, silent, differences, returned, tokens } = await chain.compare(
    market.height,
    questions,
    described,
  )
  const [first] = differences
  if (first !== undefined) throw disagreement(chain.endpoints, compared.what, first)
  if (nodes >= 2) {
    requireSameTokens(chain.endpoints, compared, tokens)
    return requireSameAmounts(chain.endpoints, compared, returned)
  }
  if (unattended) throw tooFewNodes(configured, silent)
  progress({ stage: 'uncompared', of: configured })
}

/** With the market's dollar, in which limits are, except where nothing has a price: a cancel is not limited. */
const describedDenoms = ({ market: { usd }, questions, denoms }: SimulatedCalls): Denom[] =>
  usd === undefined || questions.length + denoms.length === 0
    ? [...denoms]
    : [...new Set([...denoms, usd])]

/** Compares the tokens that nodes agree about with those that were read from one of them, maybe long ago. */
function requireSameTokens(
  endpoints: readonly string[],
  { what, market }: SimulatedCalls,
  tokens: readonly Token[],
): void {
  for (const token of tokens) {
    const ours = market.tokens.get(token.denom)
    const difference = ours && tokenDifference(ours, token)
    if (difference !== undefined)
      throw disagreement(
        endpoints,
        what,
        `${difference} in the market that one of them gave and now through all of them`,
      )
  }
}

/** How two descriptions of a token would make other amounts or another name of it. */
export const tokenDifference = (a: Token, b: Token): string | undefined =>
  a.decimals === b.decimals && a.symbol === b.symbol
    ? undefined
    : `${a.denom} has ${a.decimals} and ${b.decimals} decimals, and the symbols ${a.symbol} and ${b.symbol},`

/** Compares the amounts that nodes agree about with those of the books that were read from one of them. */
function requireSameAmounts(
  endpoints: readonly string[],
  { what, market, questions, toleranceBps }: SimulatedCalls,
  returned: readonly (bigint | undefined)[],
): void {
  for (const [i, { funds, stages, output }] of questions.entries()) {
    const theirs = returned[i]
    const { ours, exact } = expectedResult(market, funds, stages)
    if (theirs === undefined || ours === undefined) continue
    const answer = { kind: 'answered', returned: theirs, fee: 0n } as const
    if (compare(ours, answer, exact ? 0 : toleranceBps).agrees !== false) continue
    const shown = (amount: bigint) => formatCoin(market, output, amount)
    throw disagreement(
      endpoints,
      what,
      `the router pays ${shown(theirs)} for ${formatCoin(market, funds.denom, funds.amount)} through all of them, and the books that one of them gave pay ${shown(ours)}`,
    )
  }
}

const disagreement = (
  endpoints: readonly string[],
  what: SimulatedCalls['what'],
  why: string,
): SwapError =>
  new SwapError('UPSTREAM_INVALID_DATA', `two nodes do not agree about this ${what}`, {
    why,
    hint: 'nothing was signed; name nodes that you trust: --rpc',
    members: { upstream: endpoints.join(', ') },
  })

/** Unattended execution needs a second node to compare with. */
const tooFewNodes = (configured: number, silent: readonly string[]): SwapError =>
  new SwapError('UPSTREAM_ERROR', 'only one node answers, so nothing can be compared', {
    why: `${silent.join('; ')}; ${configured} are configured, and without a confirmation two have to agree`,
    hint: 'nothing was signed; try again, confirm it yourself, or trust one node: --rpc <url>',
    members: { upstream: null },
  })

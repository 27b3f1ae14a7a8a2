import { SwapError } from '../engine/errors.js'
import { transactionGas } from '../engine/market/gas.js'
import { type Market, prefixOf } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import { type Rational, toBps } from '../engine/math/rational.js'
import type { Graph } from '../engine/routing/graph.js'
import { messageOf, type RouterMessage } from '../engine/routing/message.js'
import { isKnown } from '../engine/routing/query.js'
import type { Route, RouteHop } from '../engine/routing/route.js'

/** One swap through one pair. */
export type Hop = {
  /** Address of the pair. */
  readonly pair: string
  readonly input: Coin
  /** After the pair's fee. */
  readonly output: Coin
  /** The pair's fee, in the denom of the output. */
  readonly fee: bigint
  /** In basis points, two decimals, half up; `undefined` without a mid price. */
  readonly impactBps: number | undefined
  readonly exact: boolean
}

/** A path with all figures of a quote. Amounts are atomics of their coin's denom. */
export type Quote = {
  /** The same path has the same id in every run and on every market. */
  readonly id: string
  readonly input: Coin
  /** The recipient's amount. */
  readonly output: Coin
  /** The message's minimum: the contract refuses to pay less. */
  readonly minReturn: bigint
  /** The router's `simulate` answer; `undefined` if it fails. */
  readonly simulated: bigint | undefined
  /** Whether all numbers rest on complete knowledge of everything touched. */
  readonly exact: boolean
  /** Denoms from the input to the output. */
  readonly path: readonly Denom[]
  readonly hops: readonly Hop[]
  /** Fees of the router, in the denom of the output; the referral is part of the protocol's. */
  readonly fees: {
    readonly protocol: bigint
    readonly referral: bigint
    readonly affiliate: bigint
  }
  /** In basis points, two decimals, half up; `undefined` without a mid price. */
  readonly impactBps: number | undefined
  /** Estimated gas of a transaction with this message alone. No gas limit: an execution may use a third more. */
  readonly gas: bigint
  /**
   * The contract-execute message of the router; send it with exactly `input` as funds. It pays the sender
   * where no recipient is given.
   *
   * @throws SwapError INVALID_ADDRESS for a recipient with another prefix than the router's, the router, or a pair
   */
  message(options?: { readonly recipient?: string | undefined }): RouterMessage
}

/** The quote of a route. */
export function quoteOf({ market }: Graph, route: Route, affiliate: string | undefined): Quote {
  const { payout } = route
  return {
    id: route.id,
    input: route.input,
    output: { denom: route.output, amount: route.expected },
    minReturn: route.minReturn,
    simulated: route.simulated,
    exact: route.exact,
    path: route.denoms,
    hops: route.hops.map(hopOf),
    fees: {
      protocol: payout.protocol,
      referral: payout.referral,
      affiliate: payout.affiliate,
    },
    impactBps: bpsOf(route.impact),
    gas: transactionGas(market.gas, [route.gas]),
    message(options = {}) {
      const { recipient } = options
      if (recipient !== undefined) requireRecipient(market, recipient)
      return messageOf(market.router, route, { recipient, affiliate })
    },
  }
}

/**
 * Refuses what the contract would read as the sender, and whatever has no account: coins sent to the router or a
 * pair are lost. The checksum of an address is verified by the chain.
 */
function requireRecipient(market: Market, recipient: unknown): void {
  const { address } = market.router
  const prefix = prefixOf(address)
  const isAddress = typeof recipient === 'string' && recipient.startsWith(`${prefix}1`)
  if (isAddress && recipient !== address && !isKnown(market, recipient)) return
  throw new SwapError(
    'INVALID_ADDRESS',
    `the recipient is not an account that starts with ${prefix}1`,
  )
}

const hopOf = ({ book, offer, output, fill, impact }: RouteHop): Hop => ({
  pair: book.state.pair.address,
  input: offer,
  output,
  fee: fill.fee,
  impactBps: bpsOf(impact),
  exact: fill.exact,
})

export const bpsOf = (impact: Rational | undefined): number | undefined => impact && toBps(impact)

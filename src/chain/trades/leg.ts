import { prefixOf } from '../../engine/market/market.js'
import { amountIn, type Coin, type Denom } from '../../engine/market/token.js'
import { parseUint128 } from '../../engine/math/decimal.js'
import type { ExecutedLeg } from '../../operations/history/history-port.js'
import {
  attribute,
  type ChainEvent,
  indexFrom,
  isDenom,
  isOf,
  MalformedEvent,
  type RouterCall,
} from './events.js'
import { type Run, type Transfer, transferOf } from './runs.js'

/** One executed swap of the router, from its message and the chain's events. */
export type Leg = Pick<
  ExecutedLeg,
  'sender' | 'recipient' | 'input' | 'output' | 'path' | 'fees'
> & {
  /** As in the event, where any contract can write any code. Empty if there is none. */
  readonly code: string
  /** The recipient of the affiliate's own fee, otherwise of the referral. */
  readonly affiliatePaid: string | undefined
  readonly hops: readonly LegHop[]
}

/** The message that a run belongs to. */
export type Origin = {
  readonly sender: string
  /** The call of the router, if the message is one. */
  readonly call: RouterCall | undefined
}

/** Longest affiliate code that is stored. */
const CODE = 128

/**
 * The swap of one run. Values that are reported twice have to agree, otherwise the run is rejected.
 * `undefined` for a run without a hop: it pays out the router's balance without a swap.
 *
 * @throws MalformedEvent
 */
export function legOf(run: Run, router: string, { sender, call }: Origin): Leg | undefined {
  const denom = denomIn(run.done)
  const hops = run.hops.map((events, at) => hopOf(events, router, soldNext(run, at) ?? denom))
  const [first] = hops
  if (first === undefined) return undefined
  const funds = fundsOf(run, call)
  const input = inputOf(funds, first)
  const path = [input.denom, ...hops.map(({ output }) => output.denom)]
  hops.forEach((hop, at) => {
    if (hop.input.denom !== path[at]) throw new MalformedEvent('the hops do not join')
  })
  if (path.at(-1) !== denom) throw new MalformedEvent('the last hop pays another denom')
  if (call !== undefined) checkStages(call, hops)
  const { fees, output, platform } = payoutOf(run.done, denom)
  const code = attribute(run.done, 'affiliate')
  if (call !== undefined && call.affiliate !== code)
    throw new MalformedEvent('the event prints another affiliate than the message names')
  if (code.length > CODE) throw new MalformedEvent('the affiliate is longer than a code')
  const recipient = recipientOf(run, call, output, router)
  return {
    sender,
    recipient,
    code,
    affiliatePaid: affiliatePaid(run, denom, [platform, fees.referral, fees.affiliate]),
    input,
    output,
    path,
    hops,
    fees,
  }
}

/** The denom that the next hop sells: that of the output of a hop that paid nothing. */
function soldNext({ hops }: Run, at: number): string | undefined {
  const next = hops[at + 1]
  const transfer = next?.find(({ type }) => type === 'transfer')
  return transfer && /^\d+(\D.*)$/.exec(transfer.attributes.get('amount')?.[0] ?? '')?.[1]
}

const denomIn = (done: ChainEvent): Denom => {
  const denom = attribute(done, 'denom')
  if (!isDenom(denom)) throw new MalformedEvent('the output is not a denom')
  return denom
}

/** The attached coins, which the message and the transfer have to agree on. */
function fundsOf({ funds }: Run, call: RouterCall | undefined): readonly Coin[] {
  const attached = funds?.coins ?? []
  if (call === undefined) return attached
  const isSame =
    attached.length === call.funds.length &&
    call.funds.every(({ denom, amount }) => amountIn(attached, denom) === amount)
  if (!isSame) throw new MalformedEvent('what was attached did not arrive at the router')
  return call.funds
}

/** The attached amount of the denom that is sold first; zero if only the router's balance was sold. */
const inputOf = (funds: readonly Coin[], { input }: LegHop): Coin => {
  const coin = funds.find(({ denom }) => denom === input.denom) ?? funds[0]
  return coin ?? { denom: input.denom, amount: 0n }
}

/** Checks that the stages name the pairs of the hops, in the order of either router dialect. */
function checkStages({ pairs }: RouterCall, hops: readonly LegHop[]): void {
  const tradedPairs = hops.map(({ pair }) => pair).join()
  if (pairs.join() !== tradedPairs && pairs.toReversed().join() !== tradedPairs)
    throw new MalformedEvent('other pairs were traded with than the stages name')
}

function payoutOf(done: ChainEvent, denom: Denom) {
  const gross = attributeAmount(done, 'volume')
  const platform = attributeAmount(done, 'platform_fee')
  const referral = attributeAmount(done, 'referral_fee')
  const affiliate = attributeAmount(done, 'affiliate_fee')
  const amount = gross - platform - referral - affiliate
  if (amount < 0n) throw new MalformedEvent('the fees exceed the output')
  return {
    platform,
    fees: { protocol: platform + referral, referral, affiliate },
    output: { denom, amount },
  }
}

/** An address of this chain, and one of any chain that a secured asset may be withdrawn to. */
const ACCOUNT = /^[a-z]{1,83}1[02-9ac-hj-np-z]{38,}$/
const FOREIGN = /^[\x21-\x7e]{1,128}$/

/**
 * The recipient of the output. An account of this chain is paid by the first transfer that follows; an address of
 * another chain is paid through a module, and only the router's event names it.
 */
function recipientOf(run: Run, call: RouterCall | undefined, output: Coin, router: string): string {
  const reported = run.summary && recipientIn(run.summary, output)
  const { payments, firstPaid } = run
  const isPayout = ({ coins }: Transfer) =>
    coins.length === 1 && coins[0]?.denom === output.denom && coins[0].amount === output.amount
  const payout = payments[indexFrom(payments, firstPaid, isPayout)]
  if (payout === undefined) throw new MalformedEvent('the output was not paid as the event says')
  const namedRecipient = call === undefined ? reported : (call.recipient ?? call.sender)
  const start = `${prefixOf(router)}1`
  const isHere = namedRecipient === undefined || namedRecipient.toLowerCase().startsWith(start)
  const recipient = isHere ? payout.to : namedRecipient
  if (isHere && payout !== payments[firstPaid])
    throw new MalformedEvent('the output was not the first thing paid')
  if (isHere && namedRecipient !== undefined && namedRecipient.toLowerCase() !== recipient)
    throw new MalformedEvent('another account was paid than the message names')
  if (reported !== undefined && reported.toLowerCase() !== recipient.toLowerCase())
    throw new MalformedEvent("the router's two events name two recipients")
  if (!(isHere ? ACCOUNT : FOREIGN).test(recipient))
    throw new MalformedEvent('the recipient is not an address')
  return recipient
}

/** The recipient by the router's second event, whose output has to be the same. */
function recipientIn(summary: ChainEvent, output: Coin): string {
  if (
    attributeAmount(summary, 'output_amount') !== output.amount ||
    attribute(summary, 'output_denom') !== output.denom
  )
    throw new MalformedEvent("the router's two events report different outputs")
  return attribute(summary, 'recipient')
}

/** The transfers of the fees follow in this order; a fee of zero has no transfer. */
function affiliatePaid(
  { payments, firstPaid }: Run,
  denom: Denom,
  [platform, referral, affiliate]: readonly [bigint, bigint, bigint],
): string | undefined {
  let next = firstPaid + 1
  const take = (amount: bigint): string | undefined => {
    if (amount === 0n) return undefined
    const at = indexFrom(payments, next, ({ coins }) => amountIn(coins, denom) === amount)
    if (at < payments.length) next = at + 1
    return payments[at]?.to
  }
  take(platform)
  const referred = take(referral)
  return take(affiliate) ?? referred
}

/** Type of the events of matched levels. */
export const TRADE = 'wasm-rujira-fin/trade'

/** One hop of an executed swap. */
export type LegHop = ReturnType<typeof hopOf>

/**
 * A hop from its events: input and output are bank transfers, which no contract can forge; its trade
 * events give the output before the fee.
 *
 * @param next the next input of the router: the denom for a hop that pays nothing
 * @throws MalformedEvent
 */
function hopOf(events: readonly ChainEvent[], router: string, next: string) {
  const transfers = events.flatMap((event) => transferOf(event) ?? [])
  const payment = transfers.find(({ from }) => from === router)
  const input = payment?.coins[0]
  if (payment === undefined || input === undefined || payment.coins.length > 1)
    throw new MalformedEvent('a hop does not report what it sold')
  const pair = payment.to
  const returns = transfers.filter(({ from, to }) => from === pair && to === router)
  const denom = outputOf(returns, input.denom) ?? next
  const trades = events.filter((event) => event.type === TRADE && isOf(event, pair))
  const gross = trades.reduce((sum, trade) => sum + attributeAmount(trade, 'bid'), 0n)
  const output = totalOf(returns, denom)
  return {
    pair,
    /** The coins sold: the router's whole balance of the denom. */
    input,
    /** The part that was returned because the book was exhausted, in atomics of the input. */
    unsold: totalOf(returns, input.denom),
    /** The coins that the pair paid, after its fee. */
    output: { denom, amount: output },
    /** The pair's fee, in atomics of the output. */
    fee: feeOf(transfers, returns.at(-1), denom) ?? (gross > output ? gross - output : 0n),
    /** Number of price levels that were filled. */
    trades: trades.length,
  }
}

const totalOf = (transfers: readonly Transfer[], denom: string): bigint =>
  transfers.reduce((sum, { coins }) => sum + amountIn(coins, denom), 0n)

/** The denom that was returned in addition to the unsold input. @throws MalformedEvent for several denoms */
function outputOf(returns: readonly Transfer[], sold: string): string | undefined {
  const denoms = new Set(returns.flatMap(({ coins }) => coins.map(({ denom }) => denom)))
  denoms.delete(sold)
  if (denoms.size > 1) throw new MalformedEvent('a hop was paid in several denoms')
  return [...denoms][0]
}

/** The fee, which the pair sends to its fee address directly after the payment, or keeps. */
function feeOf(
  transfers: readonly Transfer[],
  payout: Transfer | undefined,
  denom: string,
): bigint | undefined {
  if (payout === undefined) return undefined
  const laterTransfers = transfers.filter(
    ({ index, from, to }) => index > payout.index && from === payout.from && to !== payout.to,
  )
  return laterTransfers.length === 0 ? undefined : totalOf(laterTransfers, denom)
}

/** An amount in atomics by name. @throws MalformedEvent */
export function attributeAmount(event: ChainEvent, name: string): bigint {
  const amount = parseUint128(attribute(event, name))
  if (amount === undefined)
    throw new MalformedEvent(`${event.type} has a ${name} that is not an amount`)
  return amount
}

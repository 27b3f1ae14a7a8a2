import type { Coin, Denom } from '../../engine/market/token.js'
import { parseUint128 } from '../../engine/math/uint.js'
import { amountIn } from '../../engine/orders/coin-sums.js'
import type { ExecutedLeg } from '../../operations/history/history-port.js'
import {
  attribute,
  type ChainEvent,
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
  /** As printed: anyone can print any. Empty without one. */
  readonly code: string
  /** Who was paid the affiliate's own fee, or else the referral. */
  readonly affiliatePaid: string | undefined
  readonly hops: readonly LegHop[]
}

/** What is known of the message that a run belongs to. */
export type Origin = {
  readonly sender: string
  /** Where the message itself calls the router, its call. */
  readonly call: RouterCall | undefined
}

/** Longest affiliate code that is kept; codes are words. */
const CODE = 128

/**
 * The data of one run. Values that are reported twice have to agree, otherwise the run is rejected.
 * `undefined` for a run without a hop, which only pays out: that is no swap.
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
  const { fees, output, platform } = divisionOf(run.done, denom)
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

/** What the next hop sells, to name the denom of one that paid nothing. */
function soldNext({ hops }: Run, at: number): string | undefined {
  const next = hops[at + 1]
  const sent = next?.find(({ type }) => type === 'transfer')
  return sent && /^\d+(\D.*)$/.exec(sent.attributes.get('amount')?.[0] ?? '')?.[1]
}

const denomIn = (done: ChainEvent): Denom => {
  const denom = attribute(done, 'denom')
  if (!isDenom(denom)) throw new MalformedEvent('the output is no denom')
  return denom
}

/** Message and transfer have to name the same coins. */
function fundsOf({ funds }: Run, call: RouterCall | undefined): readonly Coin[] {
  const moved = funds?.coins ?? []
  if (call === undefined) return moved
  const same =
    moved.length === call.funds.length &&
    call.funds.every(({ denom, amount }) => amountIn(moved, denom) === amount)
  if (!same) throw new MalformedEvent('what was attached did not arrive at the router')
  return call.funds
}

/** What was put in of the denom that is sold first. Nothing at all where leftovers were sold. */
const inputOf = (funds: readonly Coin[], { input }: LegHop): Coin => {
  const coin = funds.find(({ denom }) => denom === input.denom) ?? funds[0]
  return coin ?? { denom: input.denom, amount: 0n }
}

/** The pairs of the stages are those of the hops, in one of the two orders of routers. */
function checkStages({ pairs }: RouterCall, hops: readonly LegHop[]): void {
  const ran = hops.map(({ pair }) => pair).join()
  if (pairs.join() !== ran && pairs.toReversed().join() !== ran)
    throw new MalformedEvent('other pairs were traded with than the stages name')
}

function divisionOf(done: ChainEvent, denom: Denom) {
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

/** An account of a chain, and one of any chain that a secured asset may be withdrawn to. */
const ACCOUNT = /^[a-z]{1,83}1[02-9ac-hj-np-z]{38,}$/
const FOREIGN = /^[\x21-\x7e]{1,128}$/

/**
 * Who was paid. To an account of the chain the payout is the first transfer that follows; an address of
 * another chain is paid by way of a module, and the router names it.
 */
function recipientOf(run: Run, call: RouterCall | undefined, output: Coin, router: string): string {
  const reported = run.summary && recipientIn(run.summary, output)
  const payout = run.paid.find(
    ({ coins }) =>
      coins.length === 1 && coins[0]?.denom === output.denom && coins[0].amount === output.amount,
  )
  if (payout === undefined) throw new MalformedEvent('the output was not paid as the event says')
  const named = call === undefined ? reported : (call.recipient ?? call.sender)
  const prefix = router.slice(0, router.lastIndexOf('1') + 1)
  const isHere = named === undefined || named.toLowerCase().startsWith(prefix)
  const recipient = isHere ? payout.to : named
  if (isHere && payout !== run.paid[0])
    throw new MalformedEvent('the output was not the first thing paid')
  if (isHere && named !== undefined && named.toLowerCase() !== recipient)
    throw new MalformedEvent('another account was paid than the message names')
  if (reported !== undefined && reported.toLowerCase() !== recipient.toLowerCase())
    throw new MalformedEvent("the router's two events name two recipients")
  if (!(isHere ? ACCOUNT : FOREIGN).test(recipient))
    throw new MalformedEvent('the recipient is no address')
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

/** The transfers of the fees follow in this order; what is nothing is not sent. */
function affiliatePaid(
  { paid }: Run,
  denom: Denom,
  [platform, referral, affiliate]: readonly [bigint, bigint, bigint],
): string | undefined {
  const rest = paid.slice(1)
  const take = (amount: bigint): string | undefined => {
    if (amount === 0n) return undefined
    const at = rest.findIndex(({ coins }) => amountIn(coins, denom) === amount)
    return at === -1 ? undefined : rest.splice(0, at + 1).at(-1)?.to
  }
  take(platform)
  const referred = take(referral)
  return take(affiliate) ?? referred
}

/** Type of the events of matched levels. */
export const TRADE = 'wasm-rujira-fin/trade'

/** What one hop of an executed swap did. */
export type LegHop = {
  readonly pair: string
  /** What the router sold there: all that it had of the denom. */
  readonly input: Coin
  /** What came back of it because the book was at its end, in atomics of the input. */
  readonly unsold: bigint
  /** What the pair paid, after its fee. */
  readonly output: Coin
  /** What the pair kept of the output. */
  readonly fee: bigint
  /** Price levels that were traded with. */
  readonly trades: number
}

/**
 * A hop from its events: input and output are bank transfers, which no contract can forge; its trade
 * events give the output before the fee.
 *
 * @param next the next input of the router: the denom for a hop that pays nothing
 * @throws MalformedEvent
 */
function hopOf(events: readonly ChainEvent[], router: string, next: string): LegHop {
  const transfers = events.flatMap((event) => transferOf(event) ?? [])
  const sent = transfers.find(({ from }) => from === router)
  const input = sent?.coins[0]
  if (sent === undefined || input === undefined || sent.coins.length > 1)
    throw new MalformedEvent('a hop does not report what it sold')
  const pair = sent.to
  const back = transfers.filter(({ from, to }) => from === pair && to === router)
  const denom = outputOf(back, input.denom) ?? next
  const trades = events.filter((event) => event.type === TRADE && isOf(event, pair))
  const gross = trades.reduce((sum, trade) => sum + attributeAmount(trade, 'bid'), 0n)
  const output = totalOf(back, denom)
  return {
    pair,
    input,
    unsold: totalOf(back, input.denom),
    output: { denom, amount: output },
    fee: feeOf(transfers, back.at(-1), denom) ?? (gross > output ? gross - output : 0n),
    trades: trades.length,
  }
}

const totalOf = (transfers: readonly Transfer[], denom: string): bigint =>
  transfers.reduce((sum, { coins }) => sum + amountIn(coins, denom), 0n)

/** The one denom that came back beside what was not sold. @throws MalformedEvent for several */
function outputOf(back: readonly Transfer[], sold: string): string | undefined {
  const denoms = new Set(back.flatMap(({ coins }) => coins.map(({ denom }) => denom)))
  denoms.delete(sold)
  if (denoms.size > 1) throw new MalformedEvent('a hop was paid in several denoms')
  return [...denoms][0]
}

/** What the pair sent somewhere else right after it had paid; a pair may also keep its fee. */
function feeOf(
  transfers: readonly Transfer[],
  payout: Transfer | undefined,
  denom: string,
): bigint | undefined {
  if (payout === undefined) return undefined
  const later = transfers.filter(
    ({ index, from, to }) => index > payout.index && from === payout.from && to !== payout.to,
  )
  return later.length === 0 ? undefined : totalOf(later, denom)
}

/** An amount in atomics by name. @throws MalformedEvent */
export function attributeAmount(event: ChainEvent, name: string): bigint {
  const amount = parseUint128(attribute(event, name))
  if (amount === undefined)
    throw new MalformedEvent(`${event.type} has a ${name} that is no amount`)
  return amount
}

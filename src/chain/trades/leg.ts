import type { Coin, Denom } from '../../engine/market/token.js'
import { amountOf, isDenom } from './coins.js'
import { attribute, type ChainEvent, MalformedEvent } from './events.js'
import { amountIn, hopOf, type LegHop } from './hop.js'
import type { RouterCall } from './messages.js'
import type { Run } from './runs.js'

/** One executed swap of the router, from its message and the chain's events. */
export type Leg = {
  /** Who signed the message that led to it. */
  readonly sender: string
  readonly recipient: string
  /** As printed: anyone can print any. Empty without one. */
  readonly code: string
  /** Who was paid the affiliate's own fee, or else the referral. */
  readonly affiliatePaid: string | undefined
  readonly input: Coin
  /** What the recipient got. */
  readonly output: Coin
  readonly path: readonly Denom[]
  readonly hops: readonly LegHop[]
  /** Atomics of the output. The referral is part of the protocol fee, the affiliate fee is not. */
  readonly fees: {
    readonly protocol: bigint
    readonly referral: bigint
    readonly affiliate: bigint
  }
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
    call.funds.every(({ denom, amount }) => amountOf(moved, denom) === amount)
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
  const gross = amountIn(done, 'volume')
  const platform = amountIn(done, 'platform_fee')
  const referral = amountIn(done, 'referral_fee')
  const affiliate = amountIn(done, 'affiliate_fee')
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
    amountIn(summary, 'output_amount') !== output.amount ||
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
    const at = rest.findIndex(({ coins }) => amountOf(coins, denom) === amount)
    return at === -1 ? undefined : rest.splice(0, at + 1).at(-1)?.to
  }
  take(platform)
  const referred = take(referral)
  return take(affiliate) ?? referred
}

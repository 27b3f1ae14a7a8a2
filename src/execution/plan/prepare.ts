import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { graphOf } from '../../engine/routing/graph.js'
import type { CoinRecord, Intent, LegRecord } from '../journal/intent.js'
import type { Order } from '../order.js'
import { type Session, throwIfInterrupted } from '../session.js'
import { type Built, build } from './build.js'
import { microUsdOf, requireWithinLimits, spentLastDay } from './limits.js'
import { type Plan, type PlannedLeg, planOf } from './plan.js'
import { decodedCalls, type SigningView, totalsOf } from './signing-view.js'

/** Everything computed for a transaction before it is confirmed. */
export type Prepared = {
  readonly plan: Plan
  readonly built: Built
  readonly worthMicroUsd: bigint | undefined
  readonly view: SigningView
}

/**
 * Requotes, checks every guard, builds, simulates and decodes. Nothing is signed or confirmed.
 *
 * @param left indexes of the legs that remain; all by default
 */
export async function prepare(
  session: Session,
  order: Order,
  left: readonly number[] = order.requested.legs.map((_, i) => i),
): Promise<Prepared> {
  const { chain, progress } = session
  const { terms, account } = order
  const market = await chain.market()
  throwIfInterrupted(session)
  const legs = left.map((i) => order.requested.legs[i]!)
  const requested = { ...order.requested, legs }
  const plan = await planOf({ market, graph: graphOf(market) }, { ...order, requested })
  progress({ stage: 'quoted', height: market.height })
  await requireAgreement(session, plan, terms)
  const worthMicroUsd = microUsdOf(
    market,
    plan.legs.map(({ funds }) => funds),
  )
  if (terms.unattended) requireLimits(session, order, { worth: worthMicroUsd, market })
  throwIfInterrupted(session)
  const now = terms.mode === 'batch' ? plan.legs.map((_, i) => i) : [0]
  const built = await build(chain, order, plan, now)
  if (built.gasUsed !== undefined) progress({ stage: 'simulated', gas: `${built.gasUsed}` })
  progress({ stage: 'built', sequence: `${built.decoded.sequence}` })
  throwIfInterrupted(session)
  return {
    plan,
    built,
    worthMicroUsd,
    view: viewOf(session, account.name, plan, built, { mode: terms.mode, worthMicroUsd }),
  }
}

/** A minimum derived from one lying node protects nothing: the others have to agree. */
async function requireAgreement(
  { chain, progress }: Session,
  plan: Plan,
  { unattended }: Order['terms'],
): Promise<void> {
  const configured = chain.endpoints.length
  if (configured < 2) return
  const questions = plan.legs.map(({ funds, message }) => ({
    contract: plan.contract,
    funds,
    stages: message.swap.stages,
  }))
  const { nodes, differences } = await chain.compare(plan.market.height, questions)
  const [first] = differences
  if (first === undefined && nodes < 2 && unattended) throw tooFewNodes(configured)
  if (first === undefined && nodes < 2) progress({ stage: 'uncompared', of: configured })
  if (first === undefined) return
  throw new SwapError('UPSTREAM_INVALID_DATA', 'two nodes do not agree about this swap', {
    why: first,
    hint: 'nothing was signed; name nodes that you trust: --rpc',
    members: { upstream: chain.endpoints.join(', ') },
  })
}

/** Unattended execution needs a second node to compare with. */
const tooFewNodes = (configured: number): SwapError =>
  new SwapError('UPSTREAM_ERROR', 'only one node answers, so nothing can be compared', {
    why: `${configured} are configured, and without a confirmation two have to agree`,
    hint: 'nothing was signed; try again, confirm it yourself, or trust one node: --rpc <url>',
    members: { upstream: null },
  })

function requireLimits(
  session: Session,
  { account, terms }: Order,
  { worth, market }: { readonly worth: bigint | undefined; readonly market: Market },
): void {
  const owner = { chainId: market.chainId, address: account.address }
  const times = { chain_time: market.time, local_time: session.clock.time() }
  requireWithinLimits(terms.limits, worth, spentLastDay(session, owner, times))
}

function viewOf(
  { chain }: Session,
  keyName: string | null,
  plan: Plan,
  { signDoc, decoded, gasUsed, legs }: Built,
  { mode, worthMicroUsd }: Pick<SigningView, 'mode' | 'worthMicroUsd'>,
): SigningView {
  const { expected, quoted } = totalsOf(plan)
  return {
    network: chain.network,
    real: chain.real,
    keyName,
    decoded,
    fingerprint: chain.codec.fingerprint(signDoc),
    calls: decodedCalls(decoded),
    tokens: plan.market.tokens,
    expected,
    quoted,
    impactBps: plan.impactBps,
    tolerance: plan.tolerance,
    market: { height: plan.market.height },
    mode,
    later: plan.legs
      .filter((_, i) => !legs.includes(i))
      .map(({ funds, least, output }) => ({ funds, least, output })),
    worthMicroUsd,
    gasUsed,
    deep: plan.legs.flatMap(({ isDeep }, i) => (isDeep ? [i + 1] : [])),
  }
}

/** A new intent without transactions. */
export const intentOf = (
  { chain, clock }: Session,
  { account, terms, requested }: Order,
  { plan, worthMicroUsd }: Prepared,
  id: string,
): Intent => ({
  format: 'swap.intent/1',
  id,
  network: chain.network,
  chain_id: chain.chainId,
  address: account.address,
  key: account.name,
  once: terms.once,
  unattended: terms.unattended,
  mode: terms.mode,
  quote_id: requested.quoteId,
  created: clock.time(),
  worth_micro_usd: worthMicroUsd === undefined ? null : `${worthMicroUsd}`,
  contract: plan.contract,
  recipient: plan.recipient,
  affiliate: plan.affiliate ?? null,
  slippage_bps: plan.tolerance.bps,
  ...decimalsOf(plan),
  legs: plan.legs.map(legRecord),
  txs: [],
})

/** Decimals, so that reports can show a price without a market. */
function decimalsOf({ market, legs }: Plan): Pick<Intent, 'decimals'> {
  const [first] = legs
  const input = first && market.tokens.get(first.funds.denom)?.decimals
  const output = first && market.tokens.get(first.output)?.decimals
  return input === undefined || output === undefined ? {} : { decimals: [input, output] }
}

/** A leg of a plan as the journal stores it. */
export const legRecord = (leg: PlannedLeg): LegRecord => ({
  funds: coinRecord(leg.funds),
  output: leg.output,
  expected: `${leg.expected}`,
  min_return: `${leg.least}`,
  quoted: `${leg.quoted}`,
  pairs: leg.pairs,
})

const coinRecord = ({ denom, amount }: PlannedLeg['funds']): CoinRecord => ({
  denom,
  amount: `${amount}`,
})

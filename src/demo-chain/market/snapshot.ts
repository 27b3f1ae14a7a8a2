import type { AssetFact } from './assets.js'
import { atomicsWorth, drawLadder, drawMakers, fairPrice, shiftedBy, TICK } from './draw.js'
import {
  affiliateFacts,
  arbFacts,
  assetFacts,
  dollarToken,
  GAS_PERCENT,
  type PairFact,
  pairFacts,
  ROUTER_ADDRESS,
} from './pair-facts.js'
import { drawBetween, type Random, type Range, seededRandom } from './random.js'

/** The seed of the market that is shipped. */
export const DEMO_SEED = 1

/** Height and time of the market. */
const HEIGHT = 120
const TIME = '2026-05-01T12:00:00Z'

/** Pairs of pegged tokens were never moved to the present version of the contract. */
const OLD = '1.0.0'
const PRESENT = '1.1.0'

/** Deviation of a dislocated pair from its fair price, in basis points. */
const DISLOCATION_BPS: Range = [38n, 44n]

/**
 * The demo market: the pairs and tokens of the real chain with generated orders. The same seed gives the same document
 * on every machine, and each pair has a separate random stream, so that a change to one does not affect the others.
 *
 * Prices agree across pairs except for three, which form one profitable arbitrage loop. One pair is halted, one is
 * malformed on purpose and one has an empty side.
 */
export function demoSnapshot(seed: number) {
  const known = drawn.get(seed) ?? draw(seed)
  drawn.set(seed, known)
  return known
}

/** Cache of generated markets. */
const drawn = new Map<number, ReturnType<typeof draw>>()

const draw = (seed: number) => ({
  format: 'swap.snapshot/1',
  network: 'demo',
  chain_id: 'demo-1',
  height: HEIGHT,
  time: TIME,
  tokens: assetFacts.map(encodeToken),
  usd: dollarToken.denom,
  router: {
    address: ROUTER_ADDRESS,
    dialect: 'forward',
    fee_bps: 10,
    affiliates: affiliateFacts,
    affiliate_rounding: 'down',
  },
  gas: { percent: GAS_PERCENT },
  arbs: arbFacts.map(({ asset, amount }) => ({ denom: asset.denom, amount: amount.toString() })),
  pairs: pairFacts.map((fact) => drawPair(seededRandom(`${seed} ${fact.address}`), fact)),
})

function drawPair(random: Random, fact: PairFact) {
  const { base, quote, depthUsd, style } = fact
  const shift = fact.dislocation * drawBetween(random, DISLOCATION_BPS)
  const mid = shiftedBy(fairPrice(base, quote), shift)
  const asks = drawLadder(random, { side: 'ask', mid, gives: base, depthUsd, style })
  const bids = drawLadder(random, { side: 'bid', mid, gives: quote, depthUsd, style })
  const pools = { base: fact.quirk === 'no asks' ? [] : asks, quote: bids }
  return {
    address: fact.address,
    base: base.denom,
    quote: quote.denom,
    tick: TICK,
    fee_taker: fact.quirk === 'unreadable' ? 'unreadable' : '0.0015',
    fee_maker: '0.00075',
    fin_version: style === 'pegged' ? OLD : PRESENT,
    oracles: null,
    pools,
    makers: drawMakers(random, fact, mid),
    balances: {
      base: drawBalance(random, base, pools.base),
      quote: drawBalance(random, quote, pools.quote),
    },
    status: fact.quirk === 'retired' ? 'halted' : 'open',
    ...(fact.quirk === 'retired' && { reason: 'retired, no longer trades' }),
  }
}

/** The resting amount, 1 to 5 % more, and 50 to 500 dollars for filled orders that are not claimed yet. */
function drawBalance(
  random: Random,
  asset: AssetFact,
  pools: ReturnType<typeof drawLadder>,
): string {
  const resting = pools.reduce((sum, pool) => sum + BigInt(pool.total), 0n)
  const share = (resting * drawBetween(random, [10n, 50n])) / 1000n
  const unclaimed = atomicsWorth(asset, drawBetween(random, [50n, 500n]))
  return (resting + share + unclaimed).toString()
}

const encodeToken = (asset: AssetFact) => ({
  denom: asset.denom,
  decimals: asset.decimals,
  symbol: asset.symbol,
  name: asset.name,
  chain: asset.chain,
  kind: asset.kind,
  contract: asset.contract,
  logo_uri: null,
})

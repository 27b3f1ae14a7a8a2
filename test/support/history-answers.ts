import { parseDecimal } from '../../src/engine/math/decimal.js'
import type {
  ExecutedLeg,
  HistoryPort,
  LegsFilter,
  OrderChange,
} from '../../src/operations/history/history-port.js'

const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const wallet = 'demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx'
const other = 'demo14tgg8vaql6cw7hrnhk8s7hwrkc3clss0ykgvng'
const pair = 'demo1kyjky2yprmamj0gfkevyc6tunxev0054gpxjap8k9vkyutkkf5lqel5mst'

const hop = (from: string, to: string) => ({
  address: pair,
  input: { denom: from, amount: '1' },
  output: { denom: to, amount: '2' },
  fee: { denom: to, amount: '3' },
  unsold: { denom: from, amount: '0' },
  trades: 1,
})

/** A swap over dollars with an affiliate, a loop of unknown worth, and a swap of another account. */
export const legs: readonly ExecutedLeg[] = [
  {
    txHash: 'A8F75D0EAEF4D79D43AC06F30A2F454C70B42220D143FB8922B682F631C2A482',
    txIndex: 3,
    msgIndex: 1,
    eventIndex: 0,
    height: 118,
    time: '2026-05-01T12:03:56.5Z',
    type: 'swap',
    sender: wallet,
    recipient: other,
    affiliate: { code: 'acme' },
    input: { denom: 'btc-btc', amount: 150_000_000n },
    output: { denom: 'rune', amount: 22_687_960_123_456n },
    path: ['btc-btc', usdc, 'rune'],
    hops: [hop('btc-btc', usdc), hop(usdc, 'rune')],
    fees: { protocol: 22_800_000_000n, referral: 2_280_000_000n, affiliate: 114_000_000_000n },
    volumeUsd: parseDecimal('117435.123456789012345678'),
  },
  {
    txHash: '3245178D0AD44F30233C5DC3445B5405A6F4847955014B5C8DF89AF7E8C3FF24',
    txIndex: 2,
    msgIndex: 0,
    eventIndex: 0,
    height: 118,
    time: '2026-05-01T12:03:56.5Z',
    type: 'arbitrage',
    sender: other,
    recipient: other,
    affiliate: undefined,
    input: { denom: 'tcy', amount: 700_000_000n },
    output: { denom: 'tcy', amount: 700_070_000n },
    path: ['tcy', 'rune', 'tcy'],
    hops: [hop('tcy', 'rune'), hop('rune', 'tcy')],
    fees: { protocol: 700_771n, referral: 0n, affiliate: 0n },
    volumeUsd: undefined,
  },
  {
    txHash: '9EEA8EE11869CACE40BC94F4644A8D9FFB1CE21C1DDEDF15DE19C52159518487',
    txIndex: 0,
    msgIndex: 0,
    eventIndex: 0,
    height: 7,
    time: '2026-04-30T09:00:00Z',
    type: 'swap',
    sender: other,
    recipient: other,
    affiliate: undefined,
    input: { denom: usdc, amount: 1_234_500_000n },
    output: { denom: 'rune', amount: 2_400_000_000n },
    path: [usdc, 'rune'],
    hops: [hop(usdc, 'rune')],
    fees: { protocol: 2_400_000n, referral: 0n, affiliate: 0n },
    volumeUsd: parseDecimal('12.3'),
  },
]

const orderAt = {
  txHash: legs[0]!.txHash,
  txIndex: 3,
  msgIndex: 0,
  eventIndex: 0,
  height: 118,
  time: '2026-05-01T12:03:56.5Z',
  pair,
  owner: wallet,
  side: 'bid' as const,
  offerDenom: usdc,
  receiveDenom: 'rune',
  sold: 0n,
  added: 0n,
  returned: 0n,
  received: 0n,
  fee: 0n,
}

/** A claim, what an order took when it was placed, and a cancelled oracle order of another account. */
export const orderChanges: readonly OrderChange[] = [
  {
    ...orderAt,
    action: 'claim',
    price: { fixed: parseDecimal('0.499')! },
    received: 199_850_000n,
    fee: 150_000n,
  },
  {
    ...orderAt,
    height: 117,
    action: 'place',
    price: { fixed: parseDecimal('0.499')! },
    sold: 50_000_000n,
    added: 450_000_000n,
    received: 99_850_000n,
    fee: 150_000n,
  },
  {
    ...orderAt,
    txHash: legs[2]!.txHash,
    height: 7,
    time: '2026-04-30T09:00:00Z',
    owner: other,
    action: 'cancel',
    side: 'ask' as const,
    price: { bps: -25 },
    offerDenom: 'rune',
    receiveDenom: usdc,
    returned: 700_000_000n,
  },
]

const wanted = (leg: ExecutedLeg, of: LegsFilter): boolean => {
  if (of.by === 'sender') return leg.sender === of.sender
  if (of.by === 'transaction') return leg.txHash === of.txHash
  if (of.by === 'affiliate') return leg.affiliate?.code === of.affiliate
  return of.type === undefined || leg.type === of.type
}

/** An index of these legs, or an empty one. */
export const portOf = (all: readonly ExecutedLeg[] = legs): HistoryPort => ({
  prefix: 'demo',
  async page(of, { page, limit }) {
    const found = all.filter((leg) => wanted(leg, of))
    return {
      total: found.length,
      items: found.slice((page - 1) * limit, page * limit),
      indexed:
        all.length === 0 ? undefined : { height: 120, time: '2026-05-01T12:04:00Z', missing: 0 },
    }
  },
  async orders(of, { page, limit }) {
    const found = orderChanges.filter(
      (change) =>
        all.length > 0 &&
        (of.by === 'latest' ||
          (of.by === 'owner' && change.owner === of.owner) ||
          (of.by === 'pair' && change.pair === of.pair) ||
          (of.by === 'transaction' && change.txHash === of.txHash)),
    )
    return {
      total: found.length,
      items: found.slice((page - 1) * limit, page * limit),
      indexed:
        all.length === 0 ? undefined : { height: 120, time: '2026-05-01T12:04:00Z', missing: 0 },
      without: all.length === 0 ? [] : [{ from: 2, to: 5 }],
    }
  },
  rebuild: async () => ({ count: 0, left: 0 }),
  async top(period, { page, limit }) {
    if (all.length === 0) return { from: undefined, to: undefined, items: [], missing: 0 }
    const days = Number.parseInt(period, 10)
    return {
      from: new Date(Date.UTC(2026, 4, 1, 12, 4) - days * 86_400_000).toISOString(),
      to: '2026-05-01T12:04:00Z',
      missing: 0,
      items: [
        { rank: 1, sender: wallet, swaps: 1_200, volumeUsd: parseDecimal('117435.12') },
        { rank: 2, sender: other, swaps: 2, volumeUsd: parseDecimal('12.3') },
        { rank: 3, sender: pair, swaps: 1, volumeUsd: undefined },
      ].slice((page - 1) * limit, page * limit),
    }
  },
})

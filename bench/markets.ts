import type { Market } from '../src/engine/market/market.js'
import { decodeSnapshot } from '../src/engine/snapshot/decode.js'

/** A repeatable stream of numbers in [0, 1). */
function stream(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const UNIT = 10n ** 8n

/** A price with six significant digits, as the chain writes it. */
const price = (value: number): string => {
  const digits = Math.max(0, 5 - Math.floor(Math.log10(value)))
  return value.toFixed(Math.min(18, digits))
}

/**
 * A market of so many tokens: four hubs that trade with everything, leaves that trade with one to
 * three of them, some 2.2 pairs a token, 60 to 120 levels a side around one fair price a token.
 */
export function generatedMarket(tokens: number, seed = 7): Market {
  const random = stream(seed + tokens)
  const worth = Array.from({ length: tokens }, (_, i) => (i === 0 ? 1 : 10 ** (random() * 6 - 2)))
  const pairs: object[] = []
  const add = (base: number, quote: number) => {
    const mid = worth[base]! / worth[quote]!
    const usd = 10 ** (3 + random() * 2.5)
    const side = (sign: number) => {
      const levels = 60 + Math.floor(random() * 60)
      const seen = new Set<string>()
      return Array.from({ length: levels }, (_, i) => {
        const at = price(mid * (1 + sign * (0.0006 + i * 0.0007 + random() * 0.0003)))
        const value = (usd / levels) * (0.5 + random())
        const gives = sign > 0 ? worth[base]! : worth[quote]!
        const total = BigInt(Math.floor((value / gives) * 1e8)) + 1n
        return { price: at, total: `${total}` }
      }).filter(({ price: at }) => !seen.has(at) && seen.add(at))
    }
    pairs.push({
      address: `pair${String(pairs.length).padStart(5, '0')}`,
      base: `t${base}`,
      quote: `t${quote}`,
      tick: 6,
      fee_taker: '0.0015',
      fee_maker: '0.00075',
      fin_version: '1.1.0',
      oracles: null,
      pools: { base: side(1), quote: side(-1) },
      makers: [],
      status: 'open',
    })
  }
  const hubs = Math.min(4, tokens - 1)
  for (let a = 1; a <= hubs; a += 1) for (let b = 0; b < a; b += 1) add(a, b)
  for (let leaf = hubs + 1; leaf < tokens; leaf += 1) {
    const count = 1 + Math.floor(random() * 3) + (random() < 0.2 ? 1 : 0)
    const chosen = new Set<number>([Math.floor(random() * 2)])
    while (chosen.size < Math.min(count, hubs)) chosen.add(Math.floor(random() * (hubs + 1)))
    for (const hub of chosen) add(leaf, hub)
  }
  return decodeSnapshot(
    {
      format: 'swap.snapshot/1',
      network: 'bench',
      chain_id: 'bench-1',
      height: 1,
      time: '2026-01-01T00:00:00Z',
      tokens: worth.map((_, i) => ({
        denom: `t${i}`,
        decimals: 8,
        symbol: `T${i}`,
        name: `Token ${i}`,
        chain: 'BENCH',
        kind: 'native',
      })),
      usd: 't0',
      router: { address: 'router', dialect: 'forward', fee_bps: 10 },
      pairs,
    },
    'bench',
  )
}

/** Atomics of a token that are worth so many dollars at its mid price against `t0`, about. */
export const unitsWorth = (dollars: number, priceUsd: number): bigint =>
  (BigInt(Math.floor((dollars / priceUsd) * 1e6)) * UNIT) / 1_000_000n + 1n

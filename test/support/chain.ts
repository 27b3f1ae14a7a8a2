import { type ChainOptions, demoOptions } from '../../src/demo-chain/blocks/chain-options.js'
import type { EmbeddedChain } from '../../src/demo-chain/blocks/embedded-chain.js'
import type { DemoDocument } from '../../src/demo-chain/market/document.js'
import { demoSnapshot } from '../../src/demo-chain/market/snapshot.js'
import { openChain } from '../../src/demo-chain/process/open-chain.js'
import type { Change, Reader } from '../../src/demo-chain/store/state.js'

/** The demo market, drawn once. */
export const document: DemoDocument = demoSnapshot(1)

const among = (...denoms: readonly string[]): DemoDocument => ({
  ...document,
  pairs: document.pairs.filter(
    ({ base, quote }) => denoms.includes(base) && denoms.includes(quote),
  ),
})

/** The books of the demo market among five tokens: read in a sixth of the time. */
export const majorPairs = among('btc-btc', 'eth-eth', 'rune', 'tcy', document.usd)

/** The books among three tokens: for tests that need any market. */
export const threePairs = among('btc-btc', 'rune', document.usd)

const smallOrder = (price: string) => [{ price, total: '1000' }]

/** The same, with two small orders in the book of RUNE in dollars, at less than a thousandth of what RUNE is worth. */
export const thinRune: DemoDocument = {
  ...threePairs,
  pairs: threePairs.pairs.map((pair) =>
    pair.base === 'rune' && pair.quote === document.usd
      ? {
          ...pair,
          pools: { base: smallOrder('0.0002'), quote: smallOrder('0.0001') },
          makers: [],
        }
      : pair,
  ),
}

/** A chain of the demo market, or of another document, without a state file. */
export const chainOf = (
  options: Partial<ChainOptions> = {},
  market: DemoDocument = document,
): EmbeddedChain => openChain({ ...demoOptions, ...options }, () => market).chain

/** Makes this many blocks. @returns their hashes */
export const grow = (chain: EmbeddedChain, blocks: number): readonly string[] =>
  Array.from({ length: blocks }, () => chain.makeBlock().hash)

/** Makes this many blocks without transactions of agents, which take most of a block's time. */
export function growQuietly(chain: EmbeddedChain, blocks: number): void {
  const options = chain.options as { life: boolean }
  const { life } = options
  options.life = false
  grow(chain, blocks)
  options.life = life
}

/** The total of each denom over all accounts and contracts. */
export function totals(chain: EmbeddedChain): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const [space, denom, amount] of chain.store.entries() as Iterable<Change>)
    if (space.startsWith('bank/')) sums.set(denom, (sums.get(denom) ?? 0n) + (amount as bigint))
  return sums
}

/** The supply of each denom in genesis. */
export const supplies = (state: Reader): ReadonlyMap<string, bigint> =>
  new Map(
    [...state.keys('supply')].map((denom) => [denom, state.get<bigint>('supply', denom) ?? 0n]),
  )

/** A transaction that is in a block. */
export type Executed = { readonly hash: string; readonly code: number; readonly height: number }

/** Transactions of an account that come to be in blocks from now on, oldest first. */
export function watch(chain: EmbeddedChain, address: string): readonly Executed[] {
  const found: Executed[] = []
  chain.subscribe(({ header, txs }) => {
    for (const { hash, result } of txs)
      if (result.events.some((event) => JSON.stringify(event).includes(`${address}/`)))
        found.push({ hash, code: result.code, height: header.height })
  })
  return found
}

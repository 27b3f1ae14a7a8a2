import { discoverPairs } from '../market/discover.js'
import type { Network } from '../networks/network.js'
import { decodeConfig } from '../queries/config.js'
import { type Ask, queryBatch } from '../queries/query-batch.js'
import { smart } from '../queries/questions.js'
import type { Source } from '../rpc/query-source.js'

/** A pair by what never changes. */
export type PairDenoms = { readonly address: string; readonly base: string; readonly quote: string }

/** The pairs of a network as they become known. */
export type KnownPairs = {
  /** All that are known, those of other heights included. */
  all(): readonly PairDenoms[]
  readonly has: (address: string) => boolean
  /** Looks for pairs at a height unless all of these are known. @throws NodeFault, InvalidChain */
  know(addresses: readonly string[], height: number): Promise<void>
}

/** Heights for which a contract that was no pair stays none. */
const STRANGE = 100

/**
 * Denoms never change and a pair that was one stays one, so that pairs are looked for when the first
 * one is wanted and when a strange one is met.
 */
export function knownPairs(network: Network, source: Source): KnownPairs {
  const known = new Map<string, PairDenoms | undefined>()
  const strange = new Map<string, number>()
  let turn: Promise<unknown> = Promise.resolve()
  const isSettled = (address: string, height: number): boolean =>
    known.has(address) || Math.abs(height - (strange.get(address) ?? -STRANGE)) < STRANGE
  const look = async (addresses: readonly string[], height: number): Promise<void> => {
    if (known.size > 0 && addresses.every((address) => isSettled(address, height))) return
    const ask = queryBatch(source, network.name, height, { queries: 0, batches: 0, bytes: 0 })
    const found = await discoverPairs(network, source, ask, height)
    const fresh = found.filter((address) => known.get(address) === undefined)
    const read = await Promise.all(
      fresh.map(async (address) => [address, await denomsOf(ask, address)] as const),
    )
    for (const [address, denoms] of read) known.set(address, denoms)
    for (const address of addresses) if (!known.has(address)) strange.set(address, height)
  }
  return {
    has: (address) => known.has(address),
    all: () => [...known.values()].filter((pair) => pair !== undefined),
    async know(addresses, height) {
      // One after the other: most blocks meet the same pairs.
      const mine = turn.then(() => look(addresses, height))
      turn = mine.catch(() => {})
      await mine
    },
  }
}

/** A pair that does not tell its denoms is a pair all the same, without a price. */
async function denomsOf(ask: Ask, address: string): Promise<PairDenoms | undefined> {
  const reply = await ask(smart(address, { config: {} }, decodeConfig))
  if (reply.kind !== 'answered') return undefined
  const { base, quote } = reply.value
  return { address, base, quote }
}

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
  /** `undefined` also for a pair whose denoms cannot be read. */
  readonly get: (address: string) => PairDenoms | undefined
  /** Looks for pairs at a height unless all of these are known. @throws NodeFault, InvalidChain */
  know(addresses: readonly string[], height: number): Promise<void>
}

/** Heights for which an address that was found not to be a pair is not looked up again. */
const STRANGE = 100

/**
 * The pairs of a network, discovered for the first block and again when a block names an unknown address:
 * the denoms of a pair never change, and a pair stays one.
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
    get: (address) => known.get(address),
    all: () => [...known.values()].filter((pair) => pair !== undefined),
    async know(addresses, height) {
      // One after the other: most blocks meet the same pairs.
      const mine = turn.then(() => look(addresses, height))
      turn = mine.catch(() => {})
      await mine
    },
  }
}

/** A pair with unknown denoms is listed without a price. */
async function denomsOf(ask: Ask, address: string): Promise<PairDenoms | undefined> {
  const reply = await ask(smart(address, { config: {} }, decodeConfig))
  if (reply.kind !== 'answered') return undefined
  const { base, quote } = reply.value
  return { address, base, quote }
}

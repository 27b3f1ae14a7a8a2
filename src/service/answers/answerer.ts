import { createHash } from 'node:crypto'
import { SwapError } from '../../engine/errors.js'
import { Postponed } from '../../operations/context.js'
import { stringify } from '../../operations/json.js'
import type { Operation, Prepared } from '../endpoint.js'
import type { MarketFeed, Served } from '../feed/market-feed.js'
import type { Pool } from '../workers/pool.js'
import { AnswerCache, type Kept } from './cache.js'
import type { Asking, ContractsGate } from './contracts.js'

/** A request as it came, and how to read it. */
export type Asked = {
  readonly operation: Operation
  /** The bytes of the body, or what stands behind the `?`. */
  readonly spelling: string
  /** Reads the spelling. @throws SwapError when it is no request of the operation */
  prepare(): Prepared
  /** Counts it as a heavy request, once it asks the chain. @throws SwapError RATE_LIMITED */
  weigh(): void
}

type Reading = Asked & { readonly prepared: Prepared }

/** A new answer; a dear one was computed by another thread, or asked of the chain. */
type Computed = { readonly text: string; readonly dear: boolean }

/** Where answers come from. Every answer belongs to the one market that it is given. */
export type Answerer = {
  /** The market to answer from. @throws SwapError NOT_READY, STALE_DATA */
  market(): Served
  /** The answer, if it is known already. */
  known(served: Served, asked: Asked): Kept | undefined
  /**
   * The answer, computed here when that is quick, else by another thread.
   *
   * @param elsewhere runs what takes long; equal requests share a computation by default
   * @throws SwapError
   */
  answer(served: Served, asked: Asked, elsewhere?: Pool['run']): Promise<Kept>
  /** How often an answer was known, and how often not. */
  counts(): { readonly known: number; readonly computed: number; readonly postponed: number }
}

/** What answers are made with. */
export type AnswererParts = {
  readonly feed: MarketFeed
  readonly pool: Pool
  /** What the answers of one height may take together, in bytes. */
  readonly cacheBytes: number
  /** The way to the contracts, where there is a chain behind the market. */
  readonly gate: ContractsGate | undefined
}

export function answererOf({ feed, pool, cacheBytes, gate }: AnswererParts): Answerer {
  const caches = new WeakMap<Served, AnswerCache>()
  const underway = new WeakMap<Served, Map<string, Promise<string>>>()
  const counts = { known: 0, computed: 0, postponed: 0 }

  const cacheOf = (served: Served): AnswerCache => {
    let cache = caches.get(served)
    if (cache === undefined) caches.set(served, (cache = new AnswerCache(cacheBytes)))
    return cache
  }

  /** Whoever asks for what is being computed already waits for the same answer. */
  const shared = (
    served: Served,
    meaning: string,
    work: () => Promise<string>,
  ): Promise<string> => {
    let those = underway.get(served)
    if (those === undefined) underway.set(served, (those = new Map()))
    let answer = those.get(meaning)
    if (answer === undefined) {
      answer = work().finally(() => those.delete(meaning))
      those.set(meaning, answer)
    }
    return answer
  }

  /** Does something for a request that may ask the contracts meanwhile. */
  const asking = async <T>(
    { weigh }: Asked,
    work: (asking: Asking | undefined) => Promise<T>,
  ): Promise<T> => {
    const asking = gate?.begin(weigh)
    try {
      return await work(asking)
    } finally {
      asking?.end()
    }
  }

  const here = (served: Served, asked: Reading): Promise<Computed> =>
    asking(asked, async (asking) => {
      const { hasty } = served
      // Named one by one: a spread makes V8 keep a new hidden class for every request.
      const app = asking
        ? { venue: hasty.venue, hasty: true as const, contracts: asking.contracts }
        : hasty
      const text = stringify(await asked.prepared.run(app))
      return { text, dear: asking?.used() ?? false }
    })

  const postponed = (served: Served, asked: Reading, run: Pool['run']): Promise<string> => {
    counts.postponed += 1
    const { name, deadline } = asked.operation
    const job = { operation: name, request: asked.prepared.request, served, deadline }
    return asking(asked, (asking) => run({ ...job, contracts: asking?.contracts }))
  }

  const compute = async (
    served: Served,
    meaning: string,
    asked: Reading,
    elsewhere: Pool['run'] | undefined,
  ): Promise<Computed> => {
    try {
      if (gate === undefined || !asked.prepared.asks) return await here(served, asked)
      const text = await shared(served, meaning, async () => (await here(served, asked)).text)
      return { text, dear: true }
    } catch (error) {
      if (!(error instanceof Postponed)) throw error
      const text =
        elsewhere === undefined
          ? await shared(served, meaning, () => postponed(served, asked, pool.run))
          : await postponed(served, asked, elsewhere)
      return { text, dear: true }
    }
  }

  return {
    market: () => marketOf(feed),
    known(served, { operation, spelling }) {
      const kept = caches.get(served)?.spelled(`${operation.name} ${spelling}`)
      if (kept !== undefined) counts.known += 1
      return kept
    },
    async answer(served, asked, elsewhere) {
      const prepared = asked.prepare()
      const meaning = `${asked.operation.name} ${prepared.key}`
      const spelling = `${asked.operation.name} ${asked.spelling}`
      const cache = cacheOf(served)
      const kept = cache.meant(meaning, spelling)
      if (kept !== undefined) {
        counts.known += 1
        return kept
      }
      counts.computed += 1
      const { text, dear } = await compute(served, meaning, { ...asked, prepared }, elsewhere)
      // Only what is asked for by GET is asked for again with its tag.
      const tag = asked.operation.method === 'GET' ? tagOf(served, meaning) : ''
      const answer = { text, tag }
      if (dear || tag !== '' || cache.isWorth(meaning)) cache.keep(spelling, meaning, answer)
      return answer
    },
    counts: () => counts,
  }
}

function marketOf(feed: MarketFeed): Served {
  const served = feed.current()
  if (served === undefined)
    throw new SwapError('NOT_READY', 'the service has not read a market yet', {
      why: 'it has just started, or its node does not answer',
      hint: 'ask again after a moment; /readyz says when it is ready',
      members: { retry_after_ms: 1_000 },
    })
  const disputed = feed.disputed()
  if (disputed !== undefined)
    throw new SwapError('NOT_READY', 'the nodes of the service do not agree on the market', {
      why: 'which of them is right cannot be told, so nothing is quoted',
      hint: 'ask again after a moment; /readyz says when it is ready',
      members: { retry_after_ms: 1_000 },
    })
  const shortage = feed.shortage()
  if (shortage !== undefined)
    throw new SwapError('NOT_READY', 'too much of the market cannot be read', {
      why: `${shortage.read} of ${shortage.of} pairs could be, and what is best among so few is not the best there is`,
      hint: 'ask again after a moment; /readyz says when it is ready',
      members: { retry_after_ms: 1_000 },
    })
  const age = feed.age()
  if (age <= feed.maxAge) return served
  throw new SwapError('STALE_DATA', 'the newest market is too old to quote from', {
    why: `no new block has come for ${Math.floor(age)} ms, and the limit is ${feed.maxAge} ms`,
    hint: 'ask again after a moment; /readyz says when it is ready',
    members: { age_ms: Math.floor(age), retry_after_ms: 1_000 },
  })
}

/** The weak entity tag of an answer: a hash of its height and its request. */
function tagOf({ venue }: Served, meaning: string): string {
  const { network, chainId, height } = venue.market
  const hash = createHash('sha256').update(`${network} ${chainId} ${height} ${meaning}`)
  return `W/"${hash.digest('base64url').slice(0, 22)}"`
}

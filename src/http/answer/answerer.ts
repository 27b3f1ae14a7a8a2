import { createHash } from 'node:crypto'
import { Postponed } from '../../app/app.js'
import { stringify } from '../../app/json.js'
import { SwapError } from '../../errors.js'
import type { Operation, Prepared } from '../endpoint.js'
import type { MarketFeed, Served } from '../feed/market-feed.js'
import type { Job, Pool } from '../threads/pool.js'
import { AnswerCache, type Kept } from './cache.js'

/** A request as it came, and how to read it. */
export type Asked = {
  readonly operation: Operation
  /** The bytes of the body, or what stands behind the `?`. */
  readonly spelling: string
  /** What the operation's `prepare` takes. @throws SwapError when the spelling cannot be read */
  read(): unknown
}

type Asking = Asked & { readonly request: unknown; readonly prepared: Prepared }

/** A new answer; a dear one was computed by another thread. */
type Computed = { readonly text: string; readonly dear: boolean }

/** Where answers come from. Every answer belongs to the one market that it is given. */
export type Answerer = {
  /** The market to answer from. @throws SwapError NOT_READY, STALE_DATA */
  market(): Served
  /** The answer, if it is known already. */
  known(served: Served, asked: Asked): Kept | undefined
  /** The answer, computed here when that is quick, else by another thread. @throws SwapError */
  answer(served: Served, asked: Asked): Promise<Kept>
  /** How often an answer was known, and how often not. */
  counts(): { readonly known: number; readonly computed: number; readonly postponed: number }
}

/** @param cacheBytes what the answers of one height may take together */
export function answererOf(feed: MarketFeed, pool: Pool, cacheBytes: number): Answerer {
  const caches = new WeakMap<Served, AnswerCache>()
  const underway = new WeakMap<Served, Map<string, Promise<string>>>()
  const counts = { known: 0, computed: 0, postponed: 0 }

  const cacheOf = (served: Served): AnswerCache => {
    let cache = caches.get(served)
    if (cache === undefined) caches.set(served, (cache = new AnswerCache(cacheBytes)))
    return cache
  }

  /** Whoever asks for what is being computed already waits for the same answer. */
  const elsewhere = (served: Served, meaning: string, job: Job): Promise<string> => {
    let those = underway.get(served)
    if (those === undefined) underway.set(served, (those = new Map()))
    let answer = those.get(meaning)
    if (answer === undefined) {
      counts.postponed += 1
      answer = pool.run(job).finally(() => those.delete(meaning))
      those.set(meaning, answer)
    }
    return answer
  }

  const compute = async (served: Served, meaning: string, asked: Asking): Promise<Computed> => {
    const { name, deadline } = asked.operation
    const job = { operation: name, request: asked.request, served, deadline }
    const dear = async () => ({ text: await elsewhere(served, meaning, job), dear: true })
    try {
      return { text: stringify(await asked.prepared.run(served.hasty)), dear: false }
    } catch (error) {
      if (error instanceof Postponed) return dear()
      throw error
    }
  }

  return {
    market: () => marketOf(feed),
    known(served, { operation, spelling }) {
      const kept = caches.get(served)?.spelled(`${operation.name} ${spelling}`)
      if (kept !== undefined) counts.known += 1
      return kept
    },
    async answer(served, asked) {
      const request = asked.read()
      const prepared = asked.operation.prepare(request)
      const meaning = `${asked.operation.name} ${prepared.key}`
      const spelling = `${asked.operation.name} ${asked.spelling}`
      const cache = cacheOf(served)
      const kept = cache.meant(meaning, spelling)
      if (kept !== undefined) {
        counts.known += 1
        return kept
      }
      counts.computed += 1
      const { text, dear } = await compute(served, meaning, { ...asked, request, prepared })
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

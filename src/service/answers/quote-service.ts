import { SwapError } from '../../engine/errors.js'
import { NeedsWorker, type OperationContext } from '../../operations/context.js'
import type { Operation, PreparedRequest } from '../../operations/operation.js'
import { withAutoSlippage } from '../../operations/route/auto-slippage.js'
import { keptWith } from '../../platform/memoize.js'
import type { MarketFeed, ServedMarket } from '../feed/market-feed.js'
import type { Pool } from '../workers/worker-pool.js'
import { AnswerCache, type CachedAnswer } from './cache.js'
import type { ContractLimiter, ContractSession } from './contract-limiter.js'
import { weakTag } from './reply.js'

/** A received request and its reader. */
export type QuoteRequest = {
  readonly operation: Operation
  /** The raw body or query string. */
  readonly rawKey: string
  /** Validates the request. @throws SwapError if it is invalid for the operation */
  prepare(): PreparedRequest
  /** Charges it at the heavy rate, once it queries the chain. @throws SwapError RATE_LIMITED */
  chargeHeavy(): void
}

export type ValidRequest = { readonly operation: Operation; readonly prepared: PreparedRequest }

type QueuedRequest = QuoteRequest & { readonly prepared: PreparedRequest }

/** A computed answer; expensive ones came from a worker or from the chain. */
type ComputedAnswer = { readonly text: string; readonly isExpensive: boolean }

/** Answers requests from a market, using the cache. */
export type QuoteService = {
  /** The market to answer from. @throws SwapError NOT_READY, STALE_DATA */
  market(): ServedMarket
  /** The cached answer. */
  known(served: ServedMarket, asked: QuoteRequest): CachedAnswer | undefined
  /**
   * The answer, computed on this thread if it is cheap, otherwise by a worker.
   *
   * @param elsewhere runs expensive requests; by default concurrent equal requests share one computation
   * @throws SwapError
   */
  answer(served: ServedMarket, asked: QuoteRequest, elsewhere?: Pool['run']): Promise<CachedAnswer>
  /** The body for a validated request, cached or computed. @throws SwapError */
  textOf(
    served: ServedMarket,
    request: ValidRequest,
    chargeHeavy: QuoteRequest['chargeHeavy'],
    elsewhere?: Pool['run'],
  ): Promise<string>
  /** Numbers of answers by source. */
  counts(): { readonly known: number; readonly computed: number; readonly postponed: number }
}

/** Dependencies of a quote service. */
type QuoteServiceOptions = {
  /** The program's, a part of entity tags: another one may have another answer. */
  readonly version: string
  readonly feed: MarketFeed
  readonly pool: Pool
  /** Maximum size of one height's cache, in bytes. */
  readonly cacheBytes: number
  /** Access to the contracts, if the market has a chain. */
  readonly limiter: ContractLimiter | undefined
  /** Recorded blocks for `slippage: "auto"`; without them the configured slippage is used. */
  readonly evidence?: OperationContext['evidence'] | undefined
}

export function quoteServiceOf({
  version,
  feed,
  pool,
  cacheBytes,
  limiter,
  evidence,
}: QuoteServiceOptions): QuoteService {
  const cacheOf = keptWith((_: ServedMarket) => new AnswerCache(cacheBytes))
  const underwayOf = keptWith((_: ServedMarket) => new Map<string, Promise<string>>())
  const counts = { known: 0, computed: 0, postponed: 0 }

  /**
   * Concurrent equal requests share one computation, charged to the first client. If that client is over its
   * rate, the next one starts again and is charged.
   */
  const shared = async (
    served: ServedMarket,
    canonicalKey: string,
    work: () => Promise<string>,
  ): Promise<string> => {
    const underway = underwayOf(served)
    for (;;) {
      const joined = underway.get(canonicalKey)
      if (joined === undefined) {
        const own = work().finally(() => underway.delete(canonicalKey))
        underway.set(canonicalKey, own)
        return own
      }
      try {
        return await joined
      } catch (error) {
        if (!(error instanceof SwapError) || error.code !== 'RATE_LIMITED') throw error
      }
    }
  }

  /** Runs work for a request that may query contracts. */
  const withContracts = async <T>(
    { chargeHeavy }: QuoteRequest,
    work: (session: ContractSession | undefined) => Promise<T>,
  ): Promise<T> => {
    const session = limiter?.(chargeHeavy)
    try {
      return await work(session)
    } finally {
      session?.end()
    }
  }

  const computeInline = (served: ServedMarket, asked: QueuedRequest): Promise<ComputedAnswer> =>
    withContracts(asked, async (session) => {
      const { inline } = served
      // Listed one by one: a spread makes V8 create a hidden class for every request.
      const context = session
        ? { openMarket: inline.openMarket, inline: true as const, contracts: session.contracts }
        : inline
      const text = JSON.stringify(await asked.prepared.run(context))
      return { text, isExpensive: session?.used() ?? false }
    })

  const computeOnWorker = (
    served: ServedMarket,
    asked: QueuedRequest,
    run: Pool['run'],
  ): Promise<string> => {
    counts.postponed += 1
    const { name, deadline } = asked.operation
    const job = { operation: name, request: asked.prepared.request, served, deadline }
    return withContracts(asked, (session) => run({ contracts: session?.contracts, ...job }))
  }

  const compute = async (
    served: ServedMarket,
    canonicalKey: string,
    asked: QueuedRequest,
    elsewhere: Pool['run'] | undefined,
  ): Promise<ComputedAnswer> => {
    try {
      if (limiter === undefined || !asked.prepared.needsChain)
        return await computeInline(served, asked)
      const text = await shared(
        served,
        canonicalKey,
        async () => (await computeInline(served, asked)).text,
      )
      return { text, isExpensive: true }
    } catch (error) {
      if (!(error instanceof NeedsWorker)) throw error
      const text =
        elsewhere === undefined
          ? await shared(served, canonicalKey, () => computeOnWorker(served, asked, pool.run))
          : await computeOnWorker(served, asked, elsewhere)
      return { text, isExpensive: true }
    }
  }

  /** Chooses automatic slippage on this thread, since workers do not have the recorded blocks. */
  const withChosenSlippage = async (
    served: ServedMarket,
    asked: QueuedRequest,
    elsewhere: Pool['run'] | undefined,
  ): Promise<ComputedAnswer> => {
    const request = asked.prepared.request as AutoRequest
    const { openMarket } = served.inline
    const context = { openMarket, ...(evidence && { evidence }) }
    let isCharged = false
    const chargeHeavy = () => {
      if (!isCharged) asked.chargeHeavy()
      isCharged = true
    }
    const answer = await withAutoSlippage(context, request, async (fixed) => {
      const prepared = asked.operation.prepare(fixed)
      const key = `${asked.operation.name} ${prepared.key}`
      const { text } = await compute(served, key, { ...asked, prepared, chargeHeavy }, elsewhere)
      return JSON.parse(text)
    })
    return { text: JSON.stringify(answer), isExpensive: true }
  }

  const service: QuoteService = {
    market: () => marketOf(feed),
    known(served, { operation, rawKey }) {
      const kept = cacheOf(served).byRawKey(`${operation.name} ${rawKey}`)
      if (kept !== undefined) counts.known += 1
      return kept
    },
    async answer(served, asked, elsewhere) {
      const prepared = asked.prepare()
      const canonicalKey = `${asked.operation.name} ${prepared.key}`
      const rawKey = `${asked.operation.name} ${asked.rawKey}`
      const cache = cacheOf(served)
      const kept = cache.byCanonicalKey(canonicalKey, rawKey)
      if (kept !== undefined) {
        counts.known += 1
        return kept
      }
      counts.computed += 1
      const { text, isExpensive } = isAuto(prepared.request)
        ? await withChosenSlippage(served, { prepared, ...asked }, elsewhere)
        : await compute(served, canonicalKey, { prepared, ...asked }, elsewhere)
      // Only GET requests are revalidated with an entity tag.
      const tag = asked.operation.method === 'GET' ? tagOf(version, served, canonicalKey) : ''
      const answer = { text, tag }
      if (isExpensive || tag !== '' || cache.wasAskedBefore(canonicalKey))
        cache.keep(rawKey, canonicalKey, answer)
      return answer
    },
    async textOf(served, { operation, prepared }, chargeHeavy, elsewhere) {
      // No query string has a space, and none has the meaning of JSON.
      const rawKey = ` ${prepared.key}`
      const asked = { operation, rawKey, prepare: () => prepared, chargeHeavy }
      return (service.known(served, asked) ?? (await service.answer(served, asked, elsewhere))).text
    },
    counts: () => counts,
  }
  return service
}

type AutoRequest = { readonly slippage: 'auto' }

const isAuto = (request: unknown): request is AutoRequest =>
  (Object(request) as { readonly slippage?: unknown }).slippage === 'auto'

function marketOf(feed: MarketFeed): ServedMarket {
  const served = feed.current()
  if (served === undefined)
    throw notNow(
      'the service has not read a market yet',
      'it has just started, or its node does not answer',
    )
  if (feed.disputed() !== undefined)
    throw notNow(
      'the nodes of the service do not agree on the market',
      'it cannot be determined which of them is right, so nothing is quoted',
    )
  const shortage = feed.shortage()
  if (shortage !== undefined)
    throw notNow(
      'too much of the market cannot be read',
      `${shortage.read} of ${shortage.of} pairs could be read: the best route may use the others`,
    )
  const age = feed.age()
  if (age <= feed.maxAge) return served
  const age_ms = Math.floor(age)
  const why = `no new block has come for ${age_ms} ms, and the limit is ${feed.maxAge} ms`
  throw new SwapError('STALE_DATA', 'the newest market is too old to quote from', {
    why,
    hint: LATER,
    members: { age_ms, retry_after_ms: 1_000 },
  })
}

const LATER = 'try again after a moment; /readyz reports when it is ready'

const notNow = (message: string, why: string): SwapError =>
  new SwapError('NOT_READY', message, { why, hint: LATER, members: { retry_after_ms: 1_000 } })

/** The weak entity tag of an answer: a hash of the program, the market and the request. */
const tagOf = (version: string, { digest }: ServedMarket, canonicalKey: string): string =>
  weakTag(`${version} ${digest} ${canonicalKey}`)

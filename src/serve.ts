import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Venue } from './app/app.js'
import type { DemoPort } from './app/demo.js'
import type { Parts } from './cli/command.js'
import type { NewestDocument } from './demo/process/newest.js'
import { SwapError } from './errors.js'
import { fixedFeed } from './http/feed/fixed.js'
import type { MarketFeed } from './http/feed/market-feed.js'
import { type Fresh, type MarketSource, type Polling, pollingFeed } from './http/feed/polling.js'
import type { Book } from './market/book.js'
import type { Market } from './market/market.js'
import { graphOf } from './routing/graph.js'
import { decodeSnapshot } from './snapshot/decode.js'
import { encodeSnapshot } from './snapshot/encode.js'
import type { Role } from './thread.js'

/** What the service needs of the rest of the program, for a market that stands still. */
export const fixedParts = (market: Market): Parts => ({
  feed: () => Promise.resolve(fixedFeedOf(market)),
  spawn: () => threadOf({ role: 'answer' }),
  threads: threadsHere(),
})

/** A feed of one market. */
export const fixedFeedOf = (market: Market): MarketFeed =>
  fixedFeed({ market, graph: graphOf(market) }, () =>
    JSON.stringify(encodeSnapshot(market, Number.POSITIVE_INFINITY)),
  )

/** The same, for the demo chain in a state file. Its process is started if none runs. */
export const demoParts = (demo: () => Promise<DemoPort>, state: string): Parts => ({
  async feed(told) {
    const { status } = await (await demo()).start({})
    return demoFeed(state, status.block_time_ms, told)
  },
  spawn: () => threadOf({ role: 'answer' }),
  threads: threadsHere(),
})

/** The same, for a feed from anywhere. */
export const feedParts = (feed: Parts['feed']): Parts => ({
  feed,
  spawn: () => threadOf({ role: 'answer' }),
  threads: threadsHere(),
})

/** One core is for serving. */
const threadsHere = (): number => Math.max(1, availableParallelism() - 1)

/** Milliseconds; three blocks, and no less than this. */
const LEAST_MAX_AGE = 10_000

/** How often the file is looked at: about ten times a block. */
const lookEvery = (blockTimeMs: number): number => Math.min(200, Math.max(20, blockTimeMs / 10))

/** A feed of the chain in a state file, whoever makes its blocks. */
export function demoFeed(
  state: string,
  blockTimeMs: number,
  told: Pick<Polling, 'failed' | 'arrived'> & { readonly maxAge?: number | undefined },
): MarketFeed {
  const maxAge = told.maxAge ?? Math.max(LEAST_MAX_AGE, 3 * blockTimeMs)
  return pollingFeed(fileSource(state), { ...told, every: lookEvery(blockTimeMs), maxAge })
}

/** Reads and replays the file on a thread of its own; only what changed is decoded on this one. */
function fileSource(state: string): MarketSource {
  const thread = threadOf({ role: 'read', path: state })
  thread.unref()
  let last: Decoded | undefined
  return {
    async read(after, signal) {
      const newest = await ask(thread, after, signal)
      if (newest === undefined) return undefined
      last = decoded(newest.text, last)
      return last.fresh
    },
    async close() {
      await thread.terminate()
    },
  }
}

type Answered = { readonly newest?: NewestDocument; readonly error?: string }

function ask(
  thread: Worker,
  after: number | undefined,
  signal: AbortSignal,
): Promise<NewestDocument | undefined> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      signal.removeEventListener('abort', aborted)
      thread.off('message', answered).off('error', reject)
      act()
    }
    const aborted = () => end(() => resolve(undefined))
    const answered = ({ newest, error }: Answered) =>
      end(() =>
        error === undefined
          ? resolve(newest)
          : reject(
              new SwapError('UPSTREAM_ERROR', 'the demo chain cannot be read', { why: error }),
            ),
      )
    signal.addEventListener('abort', aborted)
    thread.on('message', answered).once('error', reject)
    thread.postMessage(after)
  })
}

type Decoded = { readonly fresh: Fresh; readonly pairs: ReadonlyMap<string, string> }

/**
 * Decodes a market, and keeps the books of pairs that are as they were: what has been computed of them
 * stays computed.
 */
function decoded(text: string, last: Decoded | undefined): Decoded {
  const document = JSON.parse(text) as { pairs: readonly { readonly address: string }[] }
  const market = decodeSnapshot(document, 'the demo chain')
  const pairs = new Map(document.pairs.map((pair) => [pair.address, JSON.stringify(pair)]))
  const before = last?.fresh.venue.market.books
  const books = new Map<string, Book>()
  for (const [address, book] of market.books) {
    const same = last?.pairs.get(address) === pairs.get(address)
    books.set(address, (same ? before?.get(address) : undefined) ?? book)
  }
  const kept: Market = { ...market, books }
  const venue: Venue = { market: kept, graph: graphOf(kept) }
  return { fresh: { venue, document: () => text }, pairs }
}

/** A thread of this program. The build lays its entry beside the bundle; else it is run from source. */
function threadOf(role: Role): Worker {
  for (const place of ['../thread.js', './thread.js']) {
    const path = fileURLToPath(new URL(place, import.meta.url))
    if (existsSync(path)) return new Worker(path, { workerData: role, execArgv: [] })
  }
  const source = new URL('./thread.ts', import.meta.url).href
  return new Worker(fromSource(source), { eval: true, workerData: role, execArgv: [] })
}

/** A loader of source is not taken over by a thread, so each one starts its own. */
const fromSource = (source: string): string =>
  `import('tsx/esm/api').then((tsx) => { tsx.register(); return import(${JSON.stringify(source)}) })`

import { fixedParts } from '../../src/compose/serve.js'
import { DEMO_SEED, demoSnapshot } from '../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import { operationOf } from '../../src/operations/operations.js'
import { fixedFeed, type MarketFeed } from '../../src/service/feed/market-feed.js'
import type { Pressure } from '../../src/service/guards/pressure.js'
import { serviceLog } from '../../src/service/metrics/log.js'
import { createService, type Service, type ServiceOptions } from '../../src/service/service.js'
import { type Pool, poolOf } from '../../src/service/workers/worker-pool.js'
import { closingLast } from '../support/closing.js'

/** The demo market as one document. */
export const demoDocument = demoSnapshot(DEMO_SEED)

/** The demo market at a height, with the books of the first one. */
export function marketAt(height: number) {
  const market = decodeSnapshot({ ...demoDocument, height }, 'the demo market')
  return { market, graph: graphOf(market) }
}

export const demoMarket = decodeSnapshot(demoDocument, 'the demo market')

/** A feed of the demo market that does not change. */
export const stillFeed = (): MarketFeed =>
  fixedFeed({ market: demoMarket, graph: graphOf(demoMarket) })

/** Worker threads as the program has them. */
export const threads = (queue = 64): Pool =>
  poolOf({ threads: 1, queue, spawn: fixedParts(demoMarket).spawn })

/** A pool that computes on this thread. */
export const threadless = (): Pool => ({
  run: async ({ operation, request, served }) =>
    JSON.stringify(await operationOf(operation).prepare(request).run(served.patient)),
  waiting: () => 0,
  busy: () => 0,
  close: async () => {},
})

/** Load figures of an idle machine: the load of the machine that runs the tests does not matter. */
const calm: Pressure = { tooMuch: () => undefined, lag: () => 0, close() {} }

/** Deadlines long enough for a loaded machine; these tests do not test them. */
const patient = (pool: Pool): Pool => ({
  ...pool,
  run: (job) => pool.run({ ...job, deadline: 60_000 }),
})

export type Staged = Service & { readonly lines: string[]; end(): Promise<void> }

/** A service over the demo market, with the lines of its log; ended after the file, if not before. */
export async function stage(options: Partial<ServiceOptions> = {}): Promise<Staged> {
  const lines: string[] = []
  const pool = options.pool ?? threads()
  const streamPool = patient(options.streamPool ?? pool)
  const service = await createService({
    version: '0.0.0',
    commit: 'test',
    feed: stillFeed(),
    log: serviceLog('json', (line) => lines.push(line)),
    hosts: [],
    cors: [],
    rate: undefined,
    keepAlive: 5_000,
    pressure: calm,
    ...options,
    pool: patient(pool),
    streamPool,
  })
  let ended: Promise<void> | undefined
  const end = () => (ended ??= service.close().then(() => pool.close()))
  closingLast({ close: end })
  return { ...service, lines, end }
}

/** A body that is quoted quickly. */
export const body = (amount: string = '150000000') => ({
  input: { denom: 'btc-btc', amount },
  output: { denom: 'rune' },
})

export const post = (url: string, payload: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  url,
  headers: { 'content-type': 'application/json', ...headers },
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
})

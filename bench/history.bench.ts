// How long the history's answers take, and how many blocks a second it keeps. `ROWS=10000000` for the
// size that the README quotes (minutes to fill); `HISTORY=postgres://...` or a path for a database that
// stays, filled when it is empty; `DRIVER=wasm` for the build that Node 20 uses.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDatabaseUrl } from '../src/history/store/database-url.js'
import type { HistoryStore } from '../src/history/store/history-store.js'
import { openHistory } from '../src/history/store/open.js'
import { clientDb, openClient } from '../src/history/store/postgres/pool.js'
import type { DriverName } from '../src/history/store/sqlite/handle.js'
import { openSqlite } from '../src/history/store/sqlite/open-sqlite.js'
import type { LegsFilter } from '../src/operations/history/history-port.js'
import { blocksOf } from '../test/support/history.js'
import { syntheticChain } from '../test/support/synthetic-blocks.js'
import { AFFILIATE, CHAIN, fill, WHALE } from './history/fill.js'

const ROWS = Number(process.env['ROWS'] ?? 50_000)
const SAMPLES = Number(process.env['SAMPLES'] ?? 100)
const driver = process.env['DRIVER'] as DriverName | undefined
const folder = mkdtempSync(join(tmpdir(), 'swap-bench-history-'))
const database = process.env['HISTORY'] ?? join(folder, 'history.db')
const place = { database, chainId: CHAIN, decoder: 'bench', ...(driver && { driver }) }

const modes: readonly (readonly [string, LegsFilter])[] = [
  ['latest', { by: 'latest' }],
  ['latest, swaps', { by: 'latest', type: 'swap' }],
  ['latest, arbitrage', { by: 'latest', type: 'arbitrage' }],
  ['by sender', { by: 'sender', sender: WHALE }],
  ['by affiliate', { by: 'affiliate', affiliate: AFFILIATE }],
]

async function open(): Promise<HistoryStore> {
  const store = await openHistory(place)
  if ((await store.state()).swaps > 0) return store
  await store.close()
  const start = performance.now()
  if (isDatabaseUrl(database)) {
    const db = clientDb(await openClient(database))
    await fill(db, 'postgres', ROWS)
    await db.destroy()
  } else {
    const file = await openSqlite(database, { driver })
    await fill(file.reads, 'sqlite', ROWS)
    await file.close()
  }
  console.log(`filled in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return openHistory(place)
}

/** Milliseconds of each call, ascending, and this process' own work on one, its threads included. */
type Times = { readonly all: readonly number[]; readonly cpuMs: number }

async function timed(count: number, call: (i: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  const before = process.cpuUsage()
  for (let i = 0; i < count; i += 1) {
    const start = performance.now()
    await call(i)
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  return { all: times.sort((a, b) => a - b), cpuMs: (user + system) / 1_000 / count }
}

const at = (times: readonly number[], share: number): string =>
  (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)

const report = (name: string, { all, cpuMs }: Times): void =>
  console.log(
    `${name.padEnd(34)} p50 ${at(all, 0.5)} ms, p99 ${at(all, 0.99)} ms, CPU ${cpuMs.toFixed(1)} ms`,
  )

const store = await open()
const { swaps } = await store.state()
console.log(
  `${swaps} legs, ${isDatabaseUrl(database) ? 'PostgreSQL' : `a file (${driver ?? 'default'})`}`,
)
for (const [name, of] of modes) {
  const { total } = await store.page(of, { page: 1, limit: 100 })
  const last = Math.min(1_000, Math.floor(total / 100))
  // Spread over all pages, the deepest among them.
  const page = (i: number): number => 1 + Math.floor((i * (last - 1)) / (SAMPLES - 1))
  report(
    `${name}, pages 1 to ${last}`,
    await timed(SAMPLES, (i) => store.page(of, { page: page(i), limit: 100 })),
  )
}
const { items } = await store.page({ by: 'latest' }, { page: 1, limit: 100 })
report(
  'by transaction',
  await timed(SAMPLES, (i) =>
    store.page(
      { by: 'transaction', txHash: items[i % items.length]?.txHash ?? '' },
      { page: 1, limit: 100 },
    ),
  ),
)
report(
  'leaderboard of 30 days',
  await timed(SAMPLES, () => store.top('30d', { page: 1, limit: 100 })),
)
if (!isDatabaseUrl(database)) {
  const own = join(folder, 'blocks.db')
  const fresh = await openHistory({ ...place, database: own })
  const leadership = await fresh.lead()
  const chain = syntheticChain(1)
  report(
    'a block kept',
    await timed(50, (i) => fresh.commitBlocks(leadership, [chain.block(i + 1)])),
  )
  report(
    'a hundred blocks kept at once',
    await timed(10, (i) =>
      fresh.commitBlocks(leadership, blocksOf(chain, 100 * i + 101, 100 * i + 200)),
    ),
  )
  await fresh.close()
}
await store.close()
rmSync(folder, { recursive: true, force: true })

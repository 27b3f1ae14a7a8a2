import { createRequire } from 'node:module'
import { StoreFault } from '../../src/history/store/fault.js'
import type { Leadership } from '../../src/history/store/history-store.js'
import { openHistory } from '../../src/history/store/open.js'
import type { DriverName } from '../../src/history/store/sqlite/handle.js'
import { writeIdentity } from '../../src/platform/lock-file.js'
import { syntheticChain } from './synthetic-blocks.js'

/** A program that fills a history from the synthetic chain until it is done, or killed. */
export type ChildOrder = {
  readonly work: 'index' | 'spill'
  readonly database: string
  readonly driver?: DriverName
  readonly chainId: string
  readonly decoder: string
  readonly seed: number
  readonly to: number
  /** Blocks of one transaction. */
  readonly batch: number
  /** Milliseconds between transactions. */
  readonly restMs: number
}

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Indexes missing blocks, lowest first, and prints its state and its progress. */
async function index(): Promise<void> {
  const { database, driver, chainId, decoder, seed, to, batch, restMs } = order
  const chain = syntheticChain(seed)
  const store = await openHistory({ database, chainId, decoder, ...(driver && { driver }) })
  for (;;) {
    const leadership = await store.lead().catch((error: unknown) => {
      if (error instanceof StoreFault && error.code === 'BUSY') return undefined
      throw error
    })
    if (leadership === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      continue
    }
    const { done } = await store.state()
    say(`leading ${done.length} ${done[0]?.to ?? 0}`)
    if (await fill(leadership)) break
    await leadership.release()
  }
  await store.close()
  say('done')

  /** False if the lead was lost meanwhile. */
  async function fill(leadership: Leadership): Promise<boolean> {
    const [gap] = await store.gaps({ from: 1, to })
    for (let height = gap?.from ?? to + 1; height <= to; height += batch) {
      const count = Math.min(batch, to - height + 1)
      const blocks = Array.from({ length: count }, (_, i) => chain.block(height + i))
      try {
        await store.commitBlocks(leadership, blocks)
      } catch (error) {
        if (!(error instanceof StoreFault)) throw error
        say(`fault ${error.kind}`)
        return false
      }
      say(`kept ${height + count - 1}`)
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
    }
    return true
  }
}

/**
 * Ends with half a transaction written over the pages of the file and its journal beside it, like a kill in
 * the middle of a large commit.
 */
function spill(): void {
  const { Database } = createRequire(import.meta.url)(
    'node-sqlite3-wasm',
  ) as typeof import('node-sqlite3-wasm')
  writeIdentity(`${order.database}.holder`)
  const database = new Database(order.database)
  database.exec('pragma cache_size = 5')
  database.exec('begin immediate')
  database.exec(`update swap set sender = sender || 'x', hops = hops || printf('%500d', 1)`)
  process.kill(process.pid, 'SIGKILL')
}

if (order.work === 'index') await index()
else spill()

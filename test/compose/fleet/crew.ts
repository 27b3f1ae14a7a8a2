import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { MarketView } from '../../../src/operations/context.js'
import { operationOf } from '../../../src/operations/operations.js'
import type { FaultyNode } from '../../chain/rpc/stage.js'
import { type Serving, serving } from '../../service/serving.js'

const START_MS = 60_000

/** A process of a fleet that reads one node. */
export const member = (
  database: string,
  { rpc, rest }: FaultyNode,
  ...more: readonly string[]
): Promise<Serving> =>
  Promise.race([
    serving('--network', 'demo', '--rpc', rpc, '--rest', rest, '--database', database, ...more),
    wait(START_MS).then(() => assert.fail('a process did not start')),
  ])

/** Waits until a function returns a value, and returns it. */
export async function soon<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 60_000,
): Promise<T> {
  for (const last = performance.now() + ms; ; await wait(20)) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    assert.ok(performance.now() < last, 'it did not come true')
  }
}

/** The rows of a fleet's database. */
export async function registry(database: string) {
  const client = new pg.Client({ connectionString: database })
  client.on('error', () => {})
  await client.connect()
  // The first of a fleet makes the tables.
  const query = async (text: string) =>
    (await client.query("select to_regclass('snapshot') as made")).rows[0].made === null
      ? []
      : (await client.query(text)).rows
  return {
    async leader(): Promise<number> {
      const [row] = await query('select leader_pid as pid from store')
      return Number(row?.pid)
    },
    /** Published heights, rising, and the epoch of the newest. */
    async published(): Promise<{ heights: number[]; epoch: number }> {
      const rows = await query('select height, epoch from snapshot order by height')
      return {
        heights: rows.map(({ height }) => Number(height)),
        epoch: Number(rows.at(-1)?.epoch ?? 0),
      }
    },
    close: () => client.end(),
  }
}

/** The markets of a chain as the chain itself knows them, height by height. */
export function truths(chain: EmbeddedChain) {
  const venues = new Map<number, MarketView>()
  const note = (): void => {
    const market = decodeSnapshot(marketSnapshotOf(chain), 'the chain')
    venues.set(chain.height, { market, graph: graphOf(market) })
  }
  note()
  return {
    grow(): void {
      chain.makeBlock()
      note()
    },
    /** What has to be answered to a request at a height. */
    async answer(request: object, height: number): Promise<string> {
      const venue = venues.get(height)
      assert.ok(venue !== undefined, `height ${height} was never made`)
      const { run } = operationOf('route').prepare(request)
      return withoutExclusions(
        JSON.stringify(await run({ openMarket: () => Promise.resolve(venue) })),
      )
    },
  }
}

/** An answer without the reasons of excluded pairs, whose texts differ between a node and the chain. */
export const withoutExclusions = (text: string): string =>
  JSON.stringify({ ...(JSON.parse(text) as object), excluded: undefined })

/** What one process answered. */
export type Answer = { readonly height: number; readonly text: string }

/** Longer than any answer takes. */
const PATIENCE_MS = 20_000

/** Requests a route from a process; `undefined` while it is not running or not ready. */
export async function ask(url: string, request: object): Promise<Answer | undefined> {
  try {
    const reply = await fetch(`${url}/swap/route`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await reply.text()
    // 408: the process was stopped when the request arrived, and the request had expired when it continued.
    if (reply.status === 503 || reply.status === 408) return undefined
    assert.equal(reply.status, 200, text.slice(0, 500))
    return { height: (JSON.parse(text) as { height: number }).height, text }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return undefined
  }
}

/** The messages of a log, in order. */
export const messagesOf = ({ log }: Serving): readonly string[] =>
  log.map((line) => (JSON.parse(line) as { msg: string }).msg)

export const LEADS = 'this process reads the nodes for its fleet'
export const FOLLOWS = 'the market is taken from the fleet'
export const ALONE = 'the fleet has no market: this process reads the nodes itself'

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { demo } from '../../../src/chain/networks/demo.js'
import { watchFleet } from '../../../src/compose/feed/fleet/watch-fleet.js'
import {
  type NetworkWatch,
  type WatchResult,
  watchNetwork,
} from '../../../src/compose/feed/network-watch.js'
import { openSnapshotTable } from '../../../src/history/fleet/snapshot-table.js'
import type { Leadership } from '../../../src/history/store/history-store.js'
import { openHistory } from '../../../src/history/store/open.js'
import type { FleetRole } from '../../../src/service/feed/market-feed.js'
import { type FaultyNode, faultyNode } from '../../chain/rpc/stage.js'
import { chainOf, threePairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'

export const server = await testPostgres()
export const PATIENCE_MS = 1_500

/** A fleet of one chain: its database, its node, and processes of it within this one. */
export async function fleet() {
  const url = await freshDatabase(server!)
  const store = closing(await openHistory({ database: url, chainId: 'demo-1', decoder: 'x' }))
  const chain = chainOf({ seed: 9 }, threePairs)
  const node = await faultyNode(chain)
  return {
    url,
    chain,
    node,
    lead: (): Promise<Leadership> => store.lead(),
    board: async () => closing(await openSnapshotTable({ url, chainId: 'demo-1' }, () => {})),
    member: (mayLead: boolean, at: FaultyNode = node) => memberOf(url, at, mayLead),
  }
}

export function memberOf(url: string, { rpc, rest }: FaultyNode, mayLead: boolean) {
  const network = { ...demo, rpc: [rpc], rest: [rest] }
  const roles: FleetRole[] = []
  const watch = closing(
    watchFleet(watchNetwork(network, { timeoutMs: 30_000, blockTimeMs: 1_000 }), {
      open: (woken) => openSnapshotTable({ url, chainId: 'demo-1' }, woken),
      mayLead,
      patienceMs: PATIENCE_MS,
      router: demo.router,
      roleChanged: (standpoint) => roles.push(standpoint),
    }),
  )
  return { watch, roles: roles, last: () => roles.at(-1)?.is, heights: [] as number[] }
}

type Found = Extract<WatchResult, { readonly market: unknown }>

/** Polls as a feed does until a market satisfies the condition; heights never decrease. */
export async function until(
  { watch, heights }: { readonly watch: NetworkWatch; readonly heights: number[] },
  height: number,
): Promise<Found> {
  for (const last = performance.now() + 60_000; ; await wait(20)) {
    const look = await watch.poll(heights.at(-1))
    if (look !== undefined && 'market' in look) {
      assert.ok(look.market.height > (heights.at(-1) ?? 0))
      heights.push(look.market.height)
      if (look.market.height >= height) return look
    }
    assert.ok(performance.now() < last, `height ${height} did not come`)
  }
}

/** A statement in the database of a fleet. */
export async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { historyChain } from '../../../src/compose/history/history-chain.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import { errorCode } from '../../../src/engine/errors.js'
import { type FollowEvent, follow } from '../../../src/history/indexer/follow.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import { isSameChain } from '../../../src/history/indexer/same-chain.js'
import { restartIndex } from '../../../src/history/indexer/sync.js'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import { CHAIN_ID, noPauses } from '../../chain/rpc/stage.js'
import { changing } from '../../execution/tx-nodes.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { everything, keyOf, stage } from './stage.js'

function textOf(event: FollowEvent): string {
  if (event.is === 'leading') return `epoch ${event.epoch}`
  if (event.is === 'resigned') return 'rests'
  if (event.is === 'waiting') return 'waits'
  if (event.is === 'wrote') return `wrote ${event.height}`
  if (event.is === 'progress') return `progress ${event.newest} ${event.left}`
  if (event.is === 'pruned' || event.is === 'forgot') return `${event.is} ${event.from} ${event.to}`
  return event.is === 'failed' ? 'failed' : `${event.is} ${errorCode(event.error)}`
}

/** Follows a chain, and lets tests wait for events. */
function follower(store: HistoryStore, chain: HistoryChain) {
  const ending = new AbortController()
  const events: string[] = []
  const waiting = new Set<() => void>()
  const hear = (event: string): void => {
    events.push(event)
    for (const check of waiting) check()
  }
  const emit = (event: FollowEvent): void => {
    if (event.is === 'leading') hear('leads')
    hear(textOf(event))
  }
  const done = follow({ chain, store, emit, signal: ending.signal, every: 10 })
  return {
    heard: events,
    done,
    until: (event: string) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!events.includes(event)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    async end() {
      ending.abort()
      await done
    },
  }
}

describe('the follower of a chain', () => {
  test('indexes the newest blocks before the oldest, then the rest, then every new block', async () => {
    const real = chainOf({ life: false }, majorPairs)
    grow(real, 80)
    const { chain, store } = await stage(real)
    const first = follower(store, chain)
    await first.until(`progress ${real.height} 0`)
    const written = first.heard.filter((each) => each.startsWith('wrote'))
    assert.equal(written[0], `wrote ${real.height}`)
    assert.equal(written.at(-1), `wrote ${real.height - 32}`)
    for (let more = 0; more < 3; more++) {
      grow(real, 1)
      await first.until(`progress ${real.height} 0`)
    }
    await first.end()
    assert.deepEqual((await store.state()).done, [{ from: real.earliest, to: real.height }])
  })

  test('waits while another process leads, and takes over after it', async () => {
    const real = chainOf({ life: false }, majorPairs)
    grow(real, 5)
    const { chain, store } = await stage(real)
    const first = follower(store, chain)
    await first.until('leads')
    const second = follower(store, chain)
    await second.until('waits')
    assert.ok(!second.heard.includes('leads'))
    await first.end()
    assert.equal(first.heard.at(-1), 'rests')
    grow(real, 2)
    await second.until(`progress ${real.height} 0`)
    await second.end()
    assert.ok(first.heard.includes('epoch 1') && second.heard.includes('epoch 2'))
    assert.deepEqual((await store.state()).done, [{ from: real.earliest, to: real.height }])
  })

  test('continues when an unreachable node is back', async () => {
    const real = chainOf({ life: false }, majorPairs)
    grow(real, 5)
    const { chain, store, node } = await stage(real, 200)
    node.fail({ kind: '502' })
    const one = follower(store, chain)
    await one.until('failed')
    node.heal()
    await one.until(`progress ${real.height} 0`)
    await one.end()
  })

  test('indexes each block soon after the next one where one of two nodes disputes each newest block', async () => {
    const real = chainOf({}, majorPairs)
    grow(real, 5)
    const disputing = changing((method, result) => {
      if (method !== 'block_results' || result.height !== `${real.height}`) return
      for (const each of result.txs_results ?? []) Object.assign(each, { code: 5, events: [] })
    })
    const { node, store } = await stage(real)
    const ports = { rpcPort: 0, restPort: 0 }
    const other = closing(await serveChain(real, { ...ports, middleware: disputing }))
    const nodes = { chainId: CHAIN_ID, rpc: [node.rpc, other.rpc], limits: noPauses }
    const chain = historyChain(demo, closing(openNodes({ ...nodes, deadlineMs: 20_000 })))
    const one = follower(store, chain)
    await one.until('failed')
    for (let more = 0; more < 10; more++) {
      grow(real, 1)
      await one.until(`wrote ${real.height - 1}`)
    }
    await one.end()
    // The pauses after ten failures in a row would take longer.
  }, 60_000)

  test('goes on beside blocks that no node gives', async () => {
    const real = chainOf({ life: false }, majorPairs)
    grow(real, 80)
    const { chain, store, node } = await stage(real)
    const [old, recent] = [real.earliest, real.height - 5]
    for (const height of [old, recent]) node.lost.add(height)
    const one = follower(store, chain)
    await one.until(`progress ${real.height} 0`)
    await one.end()
    assert.ok(!one.heard.includes('failed'))
    for (const height of [old, recent]) assert.ok(one.heard.includes(`pruned ${height} ${height}`))
    assert.deepEqual((await store.state()).done, [
      { from: old + 1, to: recent - 1 },
      { from: recent + 1, to: real.height },
    ])
  })

  test('resigns after repeated failures, and another process takes over', async () => {
    const real = chainOf({ life: false }, majorPairs)
    grow(real, 5)
    const { chain, store, node } = await stage(real, 200)
    const { chain: reachable } = await stage(real)
    node.fail({ kind: '502' })
    const first = follower(store, chain)
    await first.until('leads')
    const second = follower(store, reachable)
    await second.until(`progress ${real.height} 0`)
    assert.equal(first.heard.filter((each) => each === 'rests').length, 1)
    await first.end()
    await second.end()
  })

  test('compares the blocks again when the chain is behind what it was', async () => {
    const [real, other] = [chainOf({}, majorPairs), chainOf({ seed: 5 }, majorPairs)]
    grow(real, 10)
    grow(other, 6)
    const { chain, store } = await stage(real)
    const { chain: restarted } = await stage(other)
    let now = chain
    let behind = 0
    const either: HistoryChain = {
      router: chain.router,
      newest: async () => (await now.newest()) - behind,
      unshared: () => now.unshared(),
      earliest: () => now.earliest(),
      creation: () => now.creation(),
      block: (height) => now.block(height),
      versions: (block) => now.versions(block),
      viewer: { at: (...args) => now.viewer.at(...args) },
    }
    const one = follower(store, either)
    await one.until(`progress ${real.height} 0`)
    // It begins below the first block of the index, so that there is nothing to compare yet.
    ;[now, behind] = [restarted, other.height - other.earliest + 1]
    const low = `progress ${other.earliest - 1} 0`
    while (one.heard.filter((each) => each === low).length < 3) await wait(5)
    behind = 0
    await one.until('blocked UPSTREAM_INVALID_DATA')
    await one.end()
  })

  test('writes nothing of another chain, and indexes it when another process has rebuilt the index', async () => {
    const [real, other] = [chainOf({}, majorPairs), chainOf({ seed: 5 }, majorPairs)]
    grow(real, 10)
    grow(other, 12)
    const { chain, store } = await stage(real)
    const one = follower(store, chain)
    await one.until(`progress ${real.height} 0`)
    await one.end()
    const before = (await everything(store)).map(keyOf)
    const { chain: otherChain } = await stage(other)
    const next = follower(store, otherChain)
    await next.until('blocked UPSTREAM_INVALID_DATA')
    assert.equal(next.heard.filter((each) => each === 'rests').length, 1)
    assert.deepEqual((await everything(store)).map(keyOf), before)
    const leadership = await store.lead()
    await restartIndex(otherChain, store, leadership)
    await leadership.release()
    await next.until(`progress ${other.height} 0`)
    await next.end()
    assert.equal(await isSameChain(otherChain, store), true)
    assert.deepEqual((await store.state()).done, [{ from: other.earliest, to: other.height }])
  })
})

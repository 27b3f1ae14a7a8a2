import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { defaultLimits } from '../../../src/chain/rpc/limits.js'
import type { NodesOptions } from '../../../src/chain/rpc/nodes.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, correctNode, noPauses, openSource, sendCorrect, stub } from './stage.js'
import { skippingClock } from './time.js'

const HEIGHT = 50

const opened = (url: string, options: Partial<NodesOptions> = {}) =>
  closing(
    openSource({ chainId: CHAIN_ID, rpc: [url], deadlineMs: 20_000, limits: noPauses, ...options }),
  )

/** Sends five lists of queries, each divided into many batches. */
async function readRounds(url: string): Promise<void> {
  const source = opened(url)
  const queries = Array.from({ length: 300 }, () => ({ path: '/q', data: Buffer.of(8, 1) }))
  for (let round = 0; round < 5; round++) await source.queries(queries, HEIGHT)
}

describe('kept connections to a node', () => {
  test('are shared, at most as many as the pool allows', async () => {
    const node = closing(await correctNode(HEIGHT))
    await readRounds(node.url)
    assert.ok(node.sockets.ever <= defaultLimits.sockets, `${node.sockets.ever}`)
  })

  test('that the node closes after each answer, without saying so, are replaced', async () => {
    const node = closing(
      await stub((body, request, response) => {
        response.on('finish', () => request.socket.end())
        sendCorrect(response, body, HEIGHT)
      }),
    )
    await readRounds(node.url)
    assert.ok(node.sockets.most <= 4 * defaultLimits.sockets, `${node.sockets.most} were open`)
  })

  test('are replaced when they are old, so that a changed address is noticed', async () => {
    const node = closing(await correctNode(HEIGHT))
    const clock = skippingClock()
    const source = opened(node.url, { clock })
    await source.newestHeight()
    await source.newestHeight()
    assert.equal(node.sockets.ever, 1)
    clock.skip(defaultLimits.socketAgeMs + 1)
    await source.newestHeight()
    await source.newestHeight()
    assert.equal(node.sockets.ever, 2)
  })
})

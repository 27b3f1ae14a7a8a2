import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isHeightUnavailable, NodeFault, NodesFailed } from '../../../src/chain/rpc/faults.js'
import type { NodesOptions } from '../../../src/chain/rpc/nodes.js'
import { openSource } from '../../../src/chain/rpc/source.js'
import { problemOf } from '../../../src/operations/problem.js'
import { closing } from '../../support/closing.js'
import {
  CHAIN_ID,
  correctNode,
  failureOf,
  type Handler,
  noPauses,
  requestsOf,
  type Stub,
  send,
  sendCorrect,
  stub,
} from './stage.js'
import { durationOf, skippingClock } from './time.js'

const HEIGHT = 100
const question = { path: '/q', data: Buffer.of(1) }

const opened = (rpc: readonly string[], options: Partial<NodesOptions> = {}) =>
  closing(
    openSource({
      chainId: CHAIN_ID,
      rpc,
      deadlineMs: 5_000,
      ...options,
      limits: { ...noPauses, ...options.limits },
    }),
  )

/** A node that counts the requests of each method. */
async function counting(handler: Handler): Promise<Stub & { readonly asked: string[] }> {
  const asked: string[] = []
  const node = await stub((body, request, response) => {
    asked.push(...requestsOf(body).map(({ method }) => method))
    handler(body, request, response)
  })
  return closing({ ...node, asked })
}

const at =
  (height: number | (() => number), chainId: string | (() => string) = CHAIN_ID): Handler =>
  (body, _request, response) =>
    sendCorrect(
      response,
      body,
      typeof height === 'number' ? height : height(),
      typeof chainId === 'string' ? chainId : chainId(),
    )

const hangUp: Handler = (_body, request) => request.socket.resetAndDestroy()
const count = (asked: readonly string[], method: string): number =>
  asked.filter((each) => each === method).length

async function closedPort(): Promise<string> {
  const node = await stub(() => {})
  await node.close()
  return node.url
}

describe('several endpoints of a chain', () => {
  test('use the next one when one is dead, and prefer it from then on', async () => {
    const dead = await counting(hangUp)
    const good = await counting(at(HEIGHT))
    const source = opened([dead.url, good.url], {
      limits: { pauseMs: 10_000, pauseMostMs: 10_000 },
    })
    assert.equal(await source.newestHeight(), HEIGHT)
    const before = dead.asked.length
    for (let round = 0; round < 10; round++) await source.queries([question], HEIGHT)
    assert.equal(dead.asked.length, before)
    assert.equal(count(good.asked, 'abci_query'), 10)
  })

  test('leave time for the next one when one never answers', async () => {
    const good = closing(await correctNode(HEIGHT))
    const hung = await counting((body, request, response) => {
      const isQuery = body.includes('abci_query')
      if (!isQuery) at(HEIGHT)(body, request, response)
    })
    const source = opened([hung.url, good.url], { deadlineMs: 1_000 })
    await source.newestHeight()
    const [answer] = await source.queries([question], HEIGHT)
    assert.ok(answer?.ok)
    assert.ok(count(hung.asked, 'abci_query') >= 1)
  })

  test('do not wait for one that reports its height slowly', async () => {
    const good = closing(await correctNode(HEIGHT))
    const source = opened([(await counting(() => {})).url, good.url], { deadlineMs: 60_000 })
    assert.ok((await durationOf(source.newestHeight())) < 10_000)
    assert.ok((await durationOf(source.queries([question], HEIGHT))) < 10_000)
  })

  test('that are all dead fail before the deadline, each named with its fault', async () => {
    const urls = [
      await closedPort(),
      (await counting(hangUp)).url,
      (await counting(() => {})).url,
      (await counting((_body, _request, response) => send(response, '{}', 503))).url,
    ]
    const source = opened(urls, { deadlineMs: 500 })
    const ms = await durationOf(source.newestHeight())
    assert.ok(ms < 1_500, `${ms}`)
    const error = await failureOf(source.queries([question], HEIGHT))
    assert.ok(error instanceof NodesFailed)
    const words = [
      'refused the connection',
      'closed the connection',
      'did not answer',
      'HTTP status 503',
    ]
    for (const [index, url] of urls.entries())
      assert.match(
        error.why ?? '',
        new RegExp(`${url} [^;]*${words[index]}[^;]* \\(after \\d+ ms\\)`),
      )
    const { status, code, upstreams } = problemOf(error)
    assert.equal(status, 502)
    assert.equal(code, 'UPSTREAM_ERROR')
    assert.equal((upstreams as unknown[]).length, urls.length)
  })

  test('that differ only in their keys are distinguished', async () => {
    const url = await closedPort()
    const error = await failureOf(opened([`${url}/KeyOne`, `${url}/KeyTwo`]).newestHeight())
    assert.ok((error as NodesFailed).why?.includes(`${url}/*** refused the connection`))
    assert.ok((error as NodesFailed).why?.includes(`${url}/*** (2) refused the connection`))
  })

  test('must not be empty', async () => {
    const error = await failureOf(opened([]).newestHeight())
    assert.ok(error instanceof NodeFault && error.kind === 'no_endpoint')
  })

  test('retry a temporary fault, even with one endpoint', async () => {
    let calls = 0
    const flaky = await counting((body, request, response) => {
      calls += 1
      if (calls % 3 === 0) at(HEIGHT)(body, request, response)
      else hangUp(body, request, response)
    })
    const source = opened([flaky.url])
    assert.equal(await source.newestHeight(), HEIGHT)
    assert.equal((await source.queries([question], HEIGHT)).length, 1)
  })

  test('do not retry a permanent fault', async () => {
    let calls = 0
    const forbidding = await counting((_body, _request, response) => {
      calls += 1
      send(response, '{}', 403)
    })
    await failureOf(opened([forbidding.url]).newestHeight())
    assert.equal(calls, 1)
  })

  test('take a refusal of the node as the answer, without querying another', async () => {
    const refusing: Handler = (body, request, response) => {
      if (!body.includes('"block"')) return at(HEIGHT)(body, request, response)
      const [{ id } = { id: 0 }] = requestsOf(body)
      send(response, {
        jsonrpc: '2.0',
        id,
        error: { code: -32603, message: 'height must be less' },
      })
    }
    const nodes = [await counting(refusing), await counting(refusing)]
    const error = await failureOf(
      opened(nodes.map(({ url }) => url)).call('block', { height: '999' }),
    )
    assert.match(error.message, /refused the call/)
    assert.equal(nodes.flatMap(({ asked }) => asked).filter((each) => each === 'block').length, 1)
  })
})

describe('a pause that a node requests', () => {
  const limited = (retryAfter: string, headers = {}) =>
    counting((_body, _request, response) =>
      send(response, 'slow down', 429, { 'retry-after': retryAfter, ...headers }),
    )

  for (const [retryAfter, seconds] of [
    ['7', 7],
    ['86400', 60],
  ] as const)
    test(`of Retry-After: ${retryAfter} is ${seconds} s`, async () => {
      const clock = skippingClock()
      const node = await limited(retryAfter)
      const source = opened([node.url], { clock })
      const error = await failureOf(source.newestHeight())
      assert.ok(error instanceof NodeFault)
      assert.equal(error.code, 'UPSTREAM_RATE_LIMITED')
      assert.equal(problemOf(error)['retry_after_ms'], Number(retryAfter) * 1000)
      const asked = node.asked.length
      clock.skip((seconds - 6) * 1_000 - 500)
      await failureOf(source.newestHeight())
      assert.equal(node.asked.length, asked)
      clock.skip(7_000)
      await failureOf(source.newestHeight())
      assert.ok(node.asked.length > asked)
    })

  test('as a date is relative to the clock of the node', async () => {
    const node = await limited('Wed, 21 Oct 2015 07:28:30 GMT', {
      date: 'Wed, 21 Oct 2015 07:28:00 GMT',
    })
    const error = await failureOf(opened([node.url]).newestHeight())
    assert.equal(problemOf(error)['retry_after_ms'], 30_000)
  })

  test('does not affect another node', async () => {
    const good = closing(await correctNode(HEIGHT))
    const source = opened([(await limited('60')).url, good.url])
    assert.equal(await source.newestHeight(), HEIGHT)
  })

  test('is also read from the text of JSON-RPC errors', async () => {
    const node = await counting((body, _request, response) =>
      send(
        response,
        requestsOf(body).map(({ id }) => ({
          jsonrpc: '2.0',
          id,
          error: { code: -32005, message: 'limit exceeded' },
        })),
      ),
    )
    const error = await failureOf(opened([node.url]).newestHeight())
    assert.ok(error instanceof NodeFault && error.kind === 'rate_limited')
  })
})

describe('a node of another chain', () => {
  test('is refused, and never queried again', async () => {
    const wrong = await counting(at(HEIGHT + 1_000, 'other-1'))
    const source = opened([wrong.url])
    const error = await failureOf(source.queries([question], HEIGHT))
    assert.ok(error instanceof NodeFault && error.kind === 'wrong_chain')
    assert.match(error.message, /is of the chain "other-1", not "demo-1"/)
    assert.equal(error.code, 'UPSTREAM_INVALID_DATA')
    await failureOf(source.newestHeight())
    assert.deepEqual(wrong.asked, ['status', 'abci_info'])
  })

  test('does not count for the newest height', async () => {
    const wrong = await counting(at(HEIGHT + 1_000, 'other-1'))
    const good = closing(await correctNode(HEIGHT))
    const source = opened([wrong.url, good.url])
    assert.equal(await source.newestHeight(), HEIGHT)
    assert.equal((await source.queries([question], HEIGHT)).length, 1)
    assert.equal(count(wrong.asked, 'abci_query'), 0)
  })

  test('is detected when it appears behind a known address', async () => {
    let chainId = CHAIN_ID
    const node = await counting(at(HEIGHT, () => chainId))
    const source = opened([node.url])
    await source.newestHeight()
    chainId = 'other-1'
    const error = await failureOf(source.newestHeight())
    assert.ok(error instanceof NodeFault && error.kind === 'wrong_chain')
    chainId = CHAIN_ID
    assert.equal(
      ((await failureOf(source.queries([question], HEIGHT))) as NodeFault).kind,
      'wrong_chain',
    )
  })

  test('is detected after a while also without queries of the height', async () => {
    let chainId = CHAIN_ID
    const clock = skippingClock()
    const node = await counting(at(HEIGHT, () => chainId))
    const source = opened([node.url], { clock })
    await source.queries([question], HEIGHT)
    chainId = 'other-1'
    clock.skip(61_000)
    const error = await failureOf(source.queries([question], HEIGHT))
    assert.ok(error instanceof NodeFault && error.kind === 'wrong_chain')
  })
})

describe('a node that is behind', () => {
  for (const order of [0, 1])
    test(`answers nothing while another one is five blocks ahead (${order})`, async () => {
      const ahead = await counting(at(HEIGHT))
      const behind = await counting(at(HEIGHT - 5))
      const urls = [behind.url, ahead.url]
      const source = opened(order === 0 ? urls : urls.reverse())
      for (let round = 0; round < 5; round++) {
        assert.equal(await source.newestHeight(), HEIGHT)
        await source.queries([question], HEIGHT)
        await source.call('block', { height: '7' })
      }
      assert.equal(count(behind.asked, 'abci_query') + count(behind.asked, 'block'), 0)
    })

  test('does not replace one that has died', async () => {
    let isAlive = true
    const ahead = await counting((body, request, response) =>
      (isAlive ? at(HEIGHT) : hangUp)(body, request, response),
    )
    const behind = await counting(at(HEIGHT - 5))
    const source = opened([ahead.url, behind.url])
    await source.newestHeight()
    isAlive = false
    const error = await failureOf(source.newestHeight())
    assert.ok(error instanceof NodesFailed)
    assert.match(error.why ?? '', /is at block 95, 5 behind the best node known/)
    await failureOf(source.call('block', { height: '7' }))
    assert.equal(count(behind.asked, 'block'), 0)
  })

  test('does not replace the best one while only that one went back', async () => {
    let height = HEIGHT
    const reset = await counting(at(() => height))
    const ahead = await counting(at(HEIGHT))
    const source = opened([reset.url, ahead.url])
    await source.newestHeight()
    height = 5
    for (let round = 0; round < 4; round++) assert.equal(await source.newestHeight(), HEIGHT)
    await ahead.close()
    for (let round = 0; round < 4; round++) await failureOf(source.newestHeight())
  })

  test('is used again when it has caught up', async () => {
    let height = HEIGHT - 5
    const late = await counting(at(() => height))
    const ahead = await counting(at(HEIGHT))
    const source = opened([late.url, ahead.url])
    await source.newestHeight()
    height = HEIGHT
    await ahead.close()
    assert.equal(await source.newestHeight(), HEIGHT)
    assert.equal((await source.queries([question], HEIGHT)).length, 1)
  })

  test('is not used while it reports that it is catching up', async () => {
    const node = await counting((body, _request, response) =>
      send(
        response,
        requestsOf(body).map(({ id }) => ({
          jsonrpc: '2.0',
          id,
          result: { node_info: { network: CHAIN_ID }, sync_info: { catching_up: true } },
        })),
      ),
    )
    assert.match((await failureOf(opened([node.url]).newestHeight())).message, /catching up/)
  })
})

describe('a height that a node does not have', () => {
  test('is queried on another node, and is no fault of the first', async () => {
    const low = await counting(at(HEIGHT - 1))
    const high = await counting(at(HEIGHT))
    const source = opened([low.url, high.url])
    for (let round = 0; round < 3; round++)
      assert.ok((await source.queries([question], HEIGHT))[0]?.ok)
    // The node that reported the height is preferred.
    assert.equal(count(low.asked, 'abci_query'), 0)
    assert.ok((await source.queries([question], HEIGHT - 1))[0]?.ok)
    assert.equal(count(low.asked, 'abci_query'), 1)
  })

  test('is awaited briefly where it is the next one', async () => {
    let height = HEIGHT
    const node = await counting((body, request, response) => {
      at(height)(body, request, response)
      if (body.includes('abci_query')) height += 1
    })
    assert.ok((await opened([node.url]).queries([question], HEIGHT + 1))[0]?.ok)
  })

  test('is reported, and not queried again with too little time left for an answer', async () => {
    const clock = skippingClock()
    const node = await counting((body, request, response) => {
      at(HEIGHT)(body, request, response)
      if (body.includes('abci_query')) clock.skip(4_970)
    })
    const error = await failureOf(opened([node.url], { clock }).queries([question], HEIGHT + 1))
    assert.ok(isHeightUnavailable(error), error.message)
    assert.equal(count(node.asked, 'abci_query'), 1)
  })

  test('is not retried where it is pruned, and the caller gets the error', async () => {
    const pruned: Handler = (body, request, response) => {
      if (!body.includes('abci_query')) return at(HEIGHT)(body, request, response)
      const [{ id } = { id: 0 }] = requestsOf(body)
      const answer = { code: 38, codespace: 'sdk', log: 'gone', height: '0', value: null }
      send(response, { jsonrpc: '2.0', id, result: { response: answer } })
    }
    const nodes = [await counting(pruned), await counting(pruned)]
    const error = await failureOf(opened(nodes.map(({ url }) => url)).queries([question], 3))
    assert.ok(isHeightUnavailable(error))
    for (const { asked } of nodes) assert.equal(count(asked, 'abci_query'), 1)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault, NodeRefusal, NodesFailed } from '../../../src/chain/rpc/faults.js'
import { problemOf } from '../../../src/operations/problem.js'
import { closing } from '../../support/closing.js'
import { at, count, counting, HEIGHT, hangUp, opened, question } from './counted-nodes.js'
import { correctNode, failureOf, type Handler, requestsOf, send, stub } from './stage.js'
import { durationOf, skippingClock } from './time.js'

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

  test('use the next one when the value of an answer is no protobuf message', async () => {
    const good = closing(await correctNode(HEIGHT))
    const bad = await counting((body, request, response) => {
      const [asked] = requestsOf(body)
      if (asked?.method !== 'abci_query') return at(HEIGHT)(body, request, response)
      // Wire type 7, a field that is cut off, a group without an end.
      const value = ['Zw==', 'CgU=', 'Cw=='][bad.asked.length % 3]
      const result = { response: { code: 0, height: `${HEIGHT}`, value } }
      send(response, { jsonrpc: '2.0', id: asked.id, result })
    })
    const source = opened([bad.url, good.url])
    for (let round = 0; round < 6; round++) {
      const [answer] = await source.queries([question], HEIGHT)
      assert.ok(answer?.ok && question.data.equals(answer.value))
    }
    const alone = await failureOf(opened([bad.url]).queries([question], HEIGHT))
    assert.match(`${alone}`, /answered a query with something that is not an answer/)
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
    const texts = [
      'refused the connection',
      'closed the connection',
      'did not answer',
      'HTTP status 503',
    ]
    for (const [index, url] of urls.entries())
      assert.match(
        error.why ?? '',
        new RegExp(`${url} [^;]*${texts[index]}[^;]* \\(after \\d+ ms\\)`),
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

  const refusing =
    (code: number): Handler =>
    (body, request, response) => {
      if (!body.includes('"block"')) return at(HEIGHT)(body, request, response)
      const [{ id } = { id: 0 }] = requestsOf(body)
      send(response, { jsonrpc: '2.0', id, error: { code, message: 'height must be less' } })
    }
  for (const [code, asked] of [
    [-32602, 1],
    [-32603, 2],
  ] as const)
    test(`take a refusal ${code} of a block as the answer after ${asked} of two nodes`, async () => {
      const nodes = [await counting(refusing(code)), await counting(refusing(code))]
      const source = opened(nodes.map(({ url }) => url))
      const error = await failureOf(source.call('block', { height: '999' }))
      assert.ok(error instanceof NodeRefusal)
      const calls = nodes.flatMap((node) => node.asked).filter((each) => each === 'block')
      assert.equal(calls.length, asked)
    })

  test('do not take a refusal of a block for that of a node that does not answer', async () => {
    const silent = await counting((body, request, response) =>
      body.includes('"block"') ? send(response, '', 502) : at(HEIGHT)(body, request, response),
    )
    const nodes = [await counting(refusing(-32603)), silent]
    const source = opened(nodes.map(({ url }) => url))
    const error = await failureOf(source.call('block', { height: '999' }))
    assert.ok(error instanceof NodeFault)
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

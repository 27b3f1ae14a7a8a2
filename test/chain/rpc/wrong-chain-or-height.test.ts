import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isHeightUnavailable, NodeFault, NodesFailed } from '../../../src/chain/rpc/faults.js'
import { closing } from '../../support/closing.js'
import { at, count, counting, HEIGHT, hangUp, opened, question } from './counted-nodes.js'
import { CHAIN_ID, correctNode, failureOf, type Handler, requestsOf, send } from './stage.js'
import { skippingClock } from './time.js'

describe('a node of another chain', () => {
  test('is refused, and not queried again before its pause is over', async () => {
    const wrong = await counting(at(HEIGHT + 1_000, 'other-1'))
    const source = opened([wrong.url], { limits: { pauseMostMs: 60_000 } })
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

  test('is used again after its pause, once the right chain is back', async () => {
    let chainId = 'other-1'
    const clock = skippingClock()
    const node = await counting(at(HEIGHT, () => chainId))
    const good = closing(await correctNode(HEIGHT - 1))
    for (const urls of [[node.url], [node.url, good.url]]) {
      chainId = 'other-1'
      const source = opened(urls, { clock, limits: { pauseMostMs: 4_000 } })
      await source.newestHeight().catch(() => {})
      clock.skip(5_000)
      await source.newestHeight().catch(() => {})
      chainId = CHAIN_ID
      assert.notEqual(await source.newestHeight().catch(() => HEIGHT - 1), HEIGHT)
      clock.skip(5_000)
      assert.equal(await source.newestHeight(), HEIGHT)
      const asked = count(node.asked, 'abci_query')
      await source.queries([question], HEIGHT)
      assert.ok(count(node.asked, 'abci_query') > asked)
    }
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
    test(`is not used while another one is five blocks ahead (${order})`, async () => {
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

  test('does not replace the highest one when only that one went back', async () => {
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

describe('a node that gives a block of another chain or height', () => {
  const good = { chain_id: CHAIN_ID, height: '7' }
  for (const [what, wrong, kind] of [
    ['header of another height', { header: { ...good, height: '6' } }, 'wrong_height'],
    ['header of another chain', { header: { ...good, chain_id: 'other-1' } }, 'wrong_chain'],
    ['block of another height', { block: { header: { ...good, height: '6' } } }, 'wrong_height'],
    ['results of another height', { height: '6' }, 'wrong_height'],
  ] as const)
    test(`as a ${what} is at fault, and another one is asked`, async () => {
      const giving = (result: object) =>
        counting((body, request, response) => {
          const [{ id, method } = { id: 0, method: '' }] = requestsOf(body)
          if (method === 'header') send(response, { jsonrpc: '2.0', id, result })
          else at(HEIGHT)(body, request, response)
        })
      const [bad, other] = [await giving(wrong), await giving({ header: good })]
      const read = (urls: readonly string[]) => opened(urls).call('header', { height: '7' })
      assert.deepEqual(await read([bad.url, other.url]), { header: good })
      const error = await failureOf(read([bad.url]))
      assert.ok(error instanceof NodeFault && error.kind === kind)
    })
})

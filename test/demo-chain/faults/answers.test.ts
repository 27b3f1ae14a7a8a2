import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { faultKinds } from '../../../src/demo-chain/faults/catalogue.js'
import type { Reply } from '../../../src/demo-chain/node/reply.js'
import { type Answer, batchOf, bodyOf, type Stage, stage } from './stage.js'

const STATUS = bodyOf({ jsonrpc: '2.0', id: 7, method: 'status', params: {} })
const textOf = (reply: Reply): string => reply.body.toString()
const jsonOf = (reply: Reply): unknown => JSON.parse(textOf(reply))

/** The answer to one status request while a fault is on. */
async function single(kind: string, n?: number): Promise<Reply> {
  const at = stage().fail({ kind, ...(n !== undefined && { n }) })
  return at.send({ body: STATUS })
}

/** The answer to four requests in one body. */
async function batch(kind: string, n?: number): Promise<unknown> {
  const at = stage().fail({ kind, ...(n !== undefined && { n }) })
  return jsonOf(await at.send({ body: batchOf(4) }))
}

describe('a fault of whole answers', () => {
  test('429 has a Retry-After header', async () => {
    const { status, headers } = await single('429', 30)
    assert.equal(status, 429)
    assert.equal(headers['retry-after'], '30')
  })
  test('403 and 502 send web pages, and html200 sends one with status 200', async () => {
    for (const [kind, status] of [
      ['403', 403],
      ['502', 502],
      ['html200', 200],
    ] as const) {
      const reply = await single(kind)
      assert.equal(reply.status, status)
      assert.match(textOf(reply), /^<html>/)
    }
  })
  test('empty, truncated and not-json send no JSON, null sends null', async () => {
    assert.equal(textOf(await single('empty')), '')
    for (const kind of ['truncated', 'not-json']) {
      const reply = await single(kind)
      assert.equal(reply.status, 200)
      assert.throws(() => jsonOf(reply), SyntaxError)
    }
    assert.equal(jsonOf(await single('null')), null)
  })
  test('hang, reset, refuse and drip declare how they are sent', async () => {
    assert.equal((await single('hang')).send, 'hang')
    assert.equal((await single('reset')).send, 'reset')
    assert.equal((await single('refuse')).send, 'reset')
    assert.deepEqual((await single('drip', 3)).send, { drip: 3 })
  })
  test('huge has the configured size and starts like an answer', async () => {
    const { body } = await single('huge', 2)
    assert.equal(body.length, 2 << 20)
    assert.match(body.toString('utf8', 0, 40), /^\{"jsonrpc":"2.0","id":7,"result":/)
  })
  test('slow sends the correct answer late', async () => {
    const before = performance.now()
    const { result } = jsonOf(await single('slow', 1)) as Answer
    assert.ok(performance.now() - before >= 990)
    assert.equal(result.sync_info.catching_up, false)
  })
})

describe('a fault of ids and batches', () => {
  const idsOf = (answer: unknown) => (answer as Answer[]).map(({ id }) => id)
  test('sends unknown ids, or none', async () => {
    const wrong = jsonOf(await single('wrong-id')) as Answer
    assert.notEqual(wrong.id, 7)
    assert.ok(wrong.result)
    assert.equal('id' in (jsonOf(await single('missing-id')) as Answer), false)
    for (const id of idsOf(await batch('wrong-id'))) assert.ok(Number(id) > 4)
  })
  test('omits an answer of a batch, or shuffles them', async () => {
    assert.equal(idsOf(await batch('partial-batch')).length, 3)
    assert.deepEqual([...idsOf(await batch('shuffled-batch'))].sort(), [1, 2, 3, 4])
  })
  test('sends contradicting answers with one id, or additional ones', async () => {
    const [first, second] = (await batch('duplicate-ids')) as Answer[]
    assert.equal(first?.id, second?.id)
    assert.notDeepEqual(first, { ...first, result: { other: true } })
    const ids = idsOf(await batch('foreign-ids'))
    assert.deepEqual(ids.slice(0, 4), [1, 2, 3, 4])
    assert.equal(ids.length, 5)
  })
  test('sends one object for a batch, and a malformed element', async () => {
    assert.equal(Array.isArray(await batch('one-object')), false)
    const list = (await batch('malformed-element')) as unknown[]
    assert.equal(list.length, 4)
  })
  test('refuses a batch over the cap like a real node', async () => {
    assert.deepEqual(await batch('batch-cap', 3), {
      jsonrpc: '2.0',
      error: {
        code: -32600,
        message: 'Invalid Request',
        data: 'batch request exceeds maximum (3) allowed number of requests',
      },
    })
    assert.equal(((await batch('batch-cap', 4)) as unknown[]).length, 4)
  })
  test('of batches ignores single requests and applies to the next batch', async () => {
    const at = stage().fail({ kind: 'partial-batch', once: true })
    assert.ok((await at.rpc('status')).result)
    assert.equal((jsonOf(await at.send({ body: batchOf(3) })) as unknown[]).length, 2)
    assert.equal((jsonOf(await at.send({ body: batchOf(3) })) as unknown[]).length, 3)
  })
})

describe('the calls that a fault applies to', () => {
  const kinds = async (at: Stage, methods: readonly string[]) =>
    Promise.all(methods.map(async (method) => (await at.send({ body: callOf(method) })).status))
  const callOf = (method: string) => bodyOf({ jsonrpc: '2.0', id: 1, method, params: {} })

  test('are only the next one with once', async () => {
    const at = stage().fail({ kind: '502', once: true })
    assert.deepEqual(await kinds(at, ['status']), [502])
    assert.deepEqual(await kinds(at, ['status']), [200])
    assert.deepEqual(at.board.active(), [])
  })
  test('are those of its method', async () => {
    const at = stage().fail({ kind: '502', method: 'health' })
    assert.deepEqual(await kinds(at, ['status', 'health', 'abci_info']), [200, 502, 200])
    const path = await at.send({ method: 'GET', url: '/health' })
    assert.equal(path.status, 502)
  })
  test('are those of its contract, by address in a path, a text and the hex of a query', async () => {
    const at = stage()
    const pair = 'demo1qqqsyqcyq5rqwzqfpg9scrgwpugpzysn'
    at.fail({ kind: '403', pair })
    const hex = Buffer.from(`\n\u0003${pair}`).toString('hex')
    const query = bodyOf({ jsonrpc: '2.0', id: 1, method: 'abci_query', params: { data: hex } })
    assert.equal((await at.send({ body: query })).status, 403)
    const url = `/cosmwasm/wasm/v1/contract/${pair}`
    assert.equal((await at.send({ endpoint: 'rest', method: 'GET', url })).status, 403)
    assert.equal((await at.send({ body: callOf('status') })).status, 200)
  })
  test('never include the control of faults', async () => {
    const at = stage()
    for (const { kind } of faultKinds) at.fail({ kind })
    const reply = await at.middleware(
      { endpoint: 'rpc', method: 'POST', url: '/demo/off', headers: {}, body: Buffer.alloc(0) },
      async () => ({ status: 200, headers: {}, body: Buffer.from('reached') }),
    )
    assert.equal(textOf(reply), 'reached')
  })
  test('may have several faults at once', async () => {
    const at = stage().fail({ kind: 'behind', n: 1 })
    at.fail({ kind: 'wrong-id' })
    at.real.makeBlock()
    const { id, result } = await at.rpc('status')
    assert.notEqual(id, 1)
    assert.equal(result.sync_info.latest_block_height, `${at.real.height - 1}`)
  })
})

describe('the fault of an older node', () => {
  test('has its version, attributes in base64 and separate events of a block', async () => {
    const at = stage({ hasAgents: true })
    for (let i = 0; i < 5; i++) at.real.makeBlock()
    const height = `${at.real.height}`
    const plain = await at.rpc('block_results', { height })
    at.fail({ kind: 'old-encoding' })
    const old = await at.rpc('block_results', { height })
    const status = await at.rpc('status')
    assert.match(status.result.node_info.version, /^0\.37\./)
    assert.equal('finalize_block_events' in old.result, false)
    assert.ok(Array.isArray(old.result.begin_block_events))
    assert.ok(Array.isArray(old.result.end_block_events))
    const read = (text: string) => Buffer.from(text, 'base64').toString()
    type Attribute = { readonly key: string; readonly value: string; readonly index?: boolean }
    const decoded = (old.result.txs_results ?? []).map(
      (tx: { events: { attributes: Attribute[] }[] }) =>
        tx.events.map(({ attributes }) =>
          attributes.map(({ key, value }) => [read(key), read(value)]),
        ),
    )
    const expected = (plain.result.txs_results ?? []).map(
      (tx: { events: { attributes: Attribute[] }[] }) =>
        tx.events.map(({ attributes }) => attributes.map(({ key, value }) => [key, value])),
    )
    assert.deepEqual(decoded, expected)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { jsonReply, type Middleware } from '../../../src/demo-chain/node/reply.js'
import type { SwapReport } from '../../../src/execution/lifecycle/report-schema.js'
import { swapReportOf } from '../../../src/execution/lifecycle/reports.js'
import { refresh } from '../../../src/execution/lifecycle/settle.js'

import {
  address,
  bytes,
  changing,
  failing,
  funded,
  original,
  over,
  refusing,
  sequence,
  signed,
} from '../tx-nodes.js'

/** A node whose index says of the transaction that it succeeded at a height. */
const inventing =
  (height: number): Middleware =>
  async (request, next) => {
    const reply = await next()
    if (!request.body.includes('"method":"tx"')) return reply
    const { id } = JSON.parse(request.body.toString())
    const attributes = [{ key: 'acc_seq', value: `${address}/${sequence}`, index: true }]
    const tx_result = {
      code: 0,
      data: '',
      log: '',
      info: '',
      codespace: '',
      gas_wanted: '1',
      gas_used: '1',
      events: [{ type: 'tx', attributes }],
    }
    const result = { height: `${height}`, tx: signed.txs[0]!.bytes, tx_result }
    return { ...reply, body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })) }
  }

describe('the outcome of a transaction with one node', () => {
  test('is known once the header of the next block commits to its result', async () => {
    const chain = funded()
    const at = await over([{ chain }])
    chain.broadcast(bytes)
    chain.makeBlock()
    assert.match((await at.polled()).why ?? '', /the header of the next one/)
    const { report } = await at.run()
    assert.deepEqual([report.status, report.evidence], ['confirmed', 'block'])
  })

  test('is not the failure that the node reports of its newest block', async () => {
    const chain = funded()
    let isFaulty = true
    const middleware: Middleware = (request, next) => (isFaulty ? failing(request, next) : next())
    const at = await over([{ chain, middleware }])
    assert.equal((await at.run(3_000)).error?.code, 'OUTCOME_UNKNOWN')
    isFaulty = false
    assert.equal((await at.polled()).intent.txs[0]?.code, 0)
  })

  test('is unknown when its block data do not fit the header', async () => {
    const chain = funded()
    const hiding = changing((method, result) => {
      if (method === 'block') result.block.data.txs = []
    })
    const { error } = await (await over([{ chain, middleware: hiding }])).run()
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.match(error?.why ?? '', /data_hash/)
  })

  test('is unknown when its results are not those that the next header commits to', async () => {
    const chain = funded()
    chain.broadcast(bytes)
    chain.makeBlock()
    chain.makeBlock()
    const { intent, why } = await (await over([{ chain, middleware: failing }])).polled()
    assert.equal(intent.txs[0]?.state, 'sent')
    assert.match(why ?? '', /next header commits to/)
  })

  test('is that of the blocks where the index names one that does not hold it', async () => {
    for (const height of [original.height, original.height + 9]) {
      const [chain, later] = [funded(), funded()]
      const middleware = inventing(height)
      assert.equal((await (await over([{ chain, middleware }])).run()).report.status, 'confirmed')
      for (let i = 0; i < 10; i += 1) later.makeBlock()
      const { intent } = await (await over([{ chain: later, middleware }])).polled()
      assert.equal(intent.txs[0]?.state, 'expired')
    }
  })
})

describe('the outcome of a transaction with two nodes', () => {
  test('is reported when both agree', async () => {
    const chain = funded()
    const { report, error } = await (await over([{ chain }, { chain }])).run()
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.equal(report.evidence, 'agreed')
  })

  test('does not depend on one that accepts it and forwards it to none', async () => {
    const chain = funded()
    const keeping: Middleware = (request, next) => {
      if (!request.body.includes('broadcast_tx_sync')) return next()
      const { id } = JSON.parse(request.body.toString())
      const result = { code: 0, codespace: '', log: '', data: '', hash: signed.txs[0]!.hash }
      return Promise.resolve(jsonReply(200, JSON.stringify({ jsonrpc: '2.0', id, result })))
    }
    const nodes = [{ chain, middleware: keeping }, { chain }]
    for (const order of [nodes, nodes.toReversed()])
      assert.equal((await (await over(order)).run()).report.status, 'confirmed')
  })

  test('is unknown when one reports a failure and the other does not, and both are named', async () => {
    const chain = funded()
    const at = await over([{ chain, middleware: failing }, { chain }])
    const { error, intent } = await at.run()
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.equal(error?.members['funds'], 'unknown')
    for (const url of at.urls) assert.ok(error?.why?.includes(url.replace(/\/$/, '')), error?.why)
    assert.notEqual(intent.txs[0]?.state, 'included')
  })

  test('is proved by one also where the other says that it failed before its messages ran', async () => {
    const unused = changing((method, result) => {
      const results = method === 'tx' ? [result.tx_result] : (result.txs_results ?? [])
      for (const each of results) Object.assign(each, { code: 5, events: [] })
    })
    const chain = funded()
    chain.broadcast(bytes)
    for (let i = 0; i < 2; i += 1) chain.makeBlock()
    const nodes = [{ chain, middleware: unused }, { chain }]
    for (const order of [nodes, nodes.toReversed()]) {
      const { intent } = await (await over(order)).polled()
      assert.deepEqual([intent.txs[0]?.code, intent.txs[0]?.evidence], [0, 'block'])
    }
  })

  test('is unknown when one shows it in an invented block that is consistent in itself', async () => {
    const [liar, honest] = [funded(), funded()]
    liar.broadcast(bytes)
    for (const chain of [liar, honest]) chain.makeBlock()
    for (const chain of [liar, honest]) chain.makeBlock()
    const at = await over([{ chain: liar }, { chain: honest }])
    const { intent, why } = await at.polled()
    assert.equal(intent.txs[0]?.state, 'sent')
    assert.match(why ?? '', /in block \d+ with code 0, and .* without it/)
  })

  test('is unknown while only one has reached its block', async () => {
    const [liar, honest] = [funded(), funded()]
    liar.broadcast(bytes)
    for (let i = 0; i < 4; i += 1) liar.makeBlock()
    const { intent, why } = await (await over([{ chain: liar }, { chain: honest }])).polled()
    assert.equal(intent.txs[0]?.state, 'sent')
    assert.match(why ?? '', /alone of 2 nodes/)
  })

  test('of which one is unreachable is proved by the block data of the other one', async () => {
    const chain = funded()
    const { report, error } = await (await over([{ chain }], 1)).run()
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.equal(report.evidence, 'block')
  })

  test('is polled without the wait for one whose last request failed', async () => {
    const chain = funded()
    let isHanging = false
    const middleware: Middleware = async () =>
      isHanging ? new Promise<never>(() => {}) : jsonReply(502, '')
    const nodes = [{ chain, middleware }, { chain }]
    for (const order of [nodes, nodes.toReversed()]) {
      isHanging = false
      const at = await over(order, 0, 600_000)
      for (isHanging of [false, true]) assert.match((await at.polled()).why ?? '', /until block/)
    }
    chain.broadcast(bytes)
    for (let i = 0; i < 2; i += 1) chain.makeBlock()
    isHanging = false
    const at = await over(nodes, 0, 600_000)
    for (isHanging of [false, true])
      assert.equal((await at.polled()).intent.txs[0]?.evidence, 'block')
  })

  test('is not expired by the report of one alone', async () => {
    const chain = funded()
    const at = await over([{ chain }], 1)
    for (let i = 0; i < 10; i += 1) chain.makeBlock()
    const { intent, why } = await at.polled()
    assert.equal(intent.txs[0]?.state, 'sent')
    assert.match(why ?? '', /1 of 2 nodes/)
    assert.equal(
      (await (await over([{ chain }, { chain }])).polled()).intent.txs[0]?.evidence,
      'agreed',
    )
  })
})

describe('an accepted transaction that was not followed', () => {
  test('is settled with its report by the next poll, in one write', async () => {
    const chain = funded()
    const at = await over([{ chain }])
    const { error, intent, report } = await at.run(0)
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.equal(report.status, 'accepted')
    assert.equal((report as SwapReport).amount_out, null)
    chain.makeBlock()
    chain.makeBlock()
    const before = at.written.length
    const { intent: settled } = await refresh(at.session, intent)
    assert.equal(at.written.length, before + 1)
    assert.deepEqual(at.written.at(-1), settled)
    const now = swapReportOf(settled)
    assert.equal(now.status, 'confirmed')
    assert.deepEqual(now.amount_out, { denom: 'rune', amount: '50' })
    assert.equal(now.verified?.balances, true)
  })
})

describe('a node that takes a transaction and answers with an error code', () => {
  for (const code of [4, 99])
    test(`that no chain has, ${code}: the funds are not reported as untouched, and the outcome is found`, async () => {
      const chain = funded()
      const at = await over([{ chain, middleware: refusing(code) }])
      const { error, intent } = await at.run()
      assert.equal(error?.code, 'OUTCOME_UNKNOWN')
      assert.equal(error?.members['funds'], 'unknown')
      assert.equal(error?.members['chain_code'], code)
      assert.equal(intent.txs[0]?.state, 'refused')
      chain.makeBlock()
      chain.makeBlock()
      const later = await refresh(at.session, intent)
      assert.equal(later.intent.txs[0]?.state, 'included')
      assert.equal(at.written.at(-1)?.txs[0]?.state, 'included')
    })

  test('does not hide the answer of a correct one', async () => {
    const chain = funded()
    const at = await over([{ chain, middleware: refusing(4) }, { chain }])
    const { report, error } = await at.run()
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { openNodes } from '../../src/chain/rpc/nodes.js'
import { txHashOf } from '../../src/chain/tx/unsigned-tx.js'
import { executionChain } from '../../src/compose/execution/execution-chain.js'
import type { EmbeddedChain } from '../../src/demo-chain/blocks/embedded-chain.js'
import { addressOfKey } from '../../src/demo-chain/modules/addresses.js'
import type { Middleware } from '../../src/demo-chain/node/reply.js'
import { serveChain } from '../../src/demo-chain/node/server.js'
import { payFromFaucet } from '../../src/demo-chain/process/faucet.js'
import { publicKeyOf, sendMessage, signedTx } from '../../src/demo-chain/tx/sign.js'
import type { Entry, Intent, Journal } from '../../src/execution/journal/intent.js'
import type { SwapReport } from '../../src/execution/lifecycle/report-schema.js'
import { swapReportOf } from '../../src/execution/lifecycle/reports.js'
import { resultOf } from '../../src/execution/lifecycle/result.js'
import { refresh } from '../../src/execution/lifecycle/settle.js'
import { type Tracking, track } from '../../src/execution/lifecycle/track.js'
import { noPauses } from '../chain/rpc/stage.js'
import { chainOf } from '../support/chain.js'
import { closing } from '../support/closing.js'
import { intent as blank, tx as unsent } from './script.js'

const privateKey = new Uint8Array(32).fill(9)
const address = addressOfKey('demo', publicKeyOf(privateKey))
const passing: Middleware = (_request, next) => next()

/** A chain of the same genesis as every other one here, on which the account holds some coins. */
function funded(): EmbeddedChain {
  const chain = chainOf({ life: false })
  payFromFaucet(chain, address, [{ denom: 'rune', amount: 10n ** 10n }])
  chain.makeBlock()
  return chain
}

const original = funded()
const { number, sequence } = original
  .stateAt(original.height)!
  .get<{ number: bigint; sequence: bigint }>('auth', address)!
const bytes = signedTx({
  privateKey,
  chainId: demo.chainId,
  accountNumber: number,
  sequence,
  gas: 20_000_000n,
  timeoutHeight: BigInt(original.height + 8),
  messages: [sendMessage(address, address, [{ denom: 'rune', amount: 50n }])],
})

const signed: Intent = {
  ...blank,
  address,
  recipient: address,
  contract: address,
  txs: [
    {
      ...unsent,
      hash: txHashOf(bytes),
      bytes: Buffer.from(bytes).toString('base64'),
      public_key: Buffer.from(publicKeyOf(privateKey)).toString('base64'),
      account_number: `${number}`,
      sequence: `${sequence}`,
      timeout_height: original.height + 8,
      signed_height: original.height,
    },
  ],
}

/** A chain as one node serves it. */
type Node = { readonly chain: EmbeddedChain; readonly middleware?: Middleware }

/** Everything that tracking needs, over these nodes; time advances, and blocks are made, by waiting. */
async function over(nodes: readonly Node[], down = 0) {
  const served = await Promise.all(
    nodes.map(async ({ chain, middleware = passing }) =>
      closing(await serveChain(chain, { rpcPort: 0, restPort: 0, middleware })),
    ),
  )
  const dead = Array.from({ length: down }, () => 'http://127.0.0.1:1')
  const rpc = [...served.map((each) => each.rpc), ...dead]
  const opened = closing(
    openNodes({ chainId: demo.chainId, rpc, deadlineMs: 2_000, limits: noPauses }),
  )
  const chain = executionChain({ network: demo, nodes: opened, patienceMs: 1_000 })
  const written: Intent[] = []
  let now = 0
  const session: Tracking = {
    chain,
    journal: { put: (intent: Intent) => void written.push(intent) } as unknown as Journal,
    clock: {
      now: () => now,
      async sleep(ms) {
        now += ms
        for (const each of new Set(nodes.map((node) => node.chain))) each.makeBlock()
      },
      time: () => '2026-11-21T16:55:07.123Z',
    },
    progress: () => {},
    interrupt: new AbortController().signal,
    pollIntervalMs: 1_000,
    stallMs: 20_000,
  }
  const run = async (waitMs = 15_000) => {
    const entry: Entry = { intent: signed, at: 0 }
    const outcome = await track(session, { wait: 'included', waitMs }, entry)
    return { ...resultOf(entry, outcome), intent: entry.intent }
  }
  const sent = { ...signed, txs: [{ ...signed.txs[0]!, state: 'sent' as const }] }
  const polled = () => refresh(session, sent)
  return { session, run, polled, written, urls: rpc }
}

/** Changes the results of JSON-RPC answers; batches are answered one by one. */
// biome-ignore lint/suspicious/noExplicitAny: answers are changed freely
const changing = (change: (method: string, result: any) => void): Middleware => {
  return async (request, next) => {
    const reply = await next()
    if (request.endpoint !== 'rpc' || request.body.length === 0) return reply
    const asked = [JSON.parse(request.body.toString())].flat()
    const answers = [JSON.parse(reply.body.toString())].flat()
    for (const answer of answers) {
      const call = asked.find(({ id }) => id === answer.id)
      if (answer.result !== undefined) change(call.method, answer.result)
    }
    const isBatch = request.body.toString().startsWith('[')
    return { ...reply, body: Buffer.from(JSON.stringify(isBatch ? answers : answers[0])) }
  }
}

/** A node that says of every transaction in a block that it failed. */
const failing = changing((method, result) => {
  const results = method === 'tx' ? [result.tx_result] : (result.txs_results ?? [])
  for (const each of results) Object.assign(each, { code: 5, codespace: 'wasm', log: 'failed' })
})

/** A node whose index says of the transaction that it succeeded at a height. */
const inventing =
  (height: number): Middleware =>
  async (request, next) => {
    const reply = await next()
    if (!request.body.includes('"method":"tx"')) return reply
    const { id } = JSON.parse(request.body.toString())
    const attributes = [{ key: 'acc_seq', value: `${address}/${sequence}`, index: true }]
    const tx_result = {
      ...{ code: 0, data: '', log: '', info: '', codespace: '', gas_wanted: '1', gas_used: '1' },
      events: [{ type: 'tx', attributes }],
    }
    const result = { height: `${height}`, tx: signed.txs[0]!.bytes, tx_result }
    return { ...reply, body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })) }
  }

/** A node that takes every transaction and says that it refused it. */
const refusing = (code: number): Middleware =>
  changing((method, result) => {
    if (method === 'broadcast_tx_sync')
      Object.assign(result, { code, codespace: 'sdk', log: 'made up' })
  })

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

  test('is unknown when one reports a failure and the other does not, and both are named', async () => {
    const chain = funded()
    const at = await over([{ chain, middleware: failing }, { chain }])
    const { error, intent } = await at.run()
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.equal(error?.members['funds'], 'unknown')
    for (const url of at.urls) assert.ok(error?.why?.includes(url.replace(/\/$/, '')), error?.why)
    assert.notEqual(intent.txs[0]?.state, 'included')
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

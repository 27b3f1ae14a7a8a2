import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { metadata } from '../../../src/chain/queries/questions.js'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { seededRandom } from '../../../src/demo-chain/market/random.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import {
  CHAIN_ID,
  correctAnswer,
  correctNode,
  faultyNode,
  messageOf,
  noPauses,
  openSource,
  type RpcRequest,
  send,
  stub,
} from './stage.js'
import { skippingClock } from './time.js'

const REFRESHES = process.env['SWAP_LONG'] ? 5_000 : 120
const QUESTIONS = 12

/**
 * Several nodes behind one address, each a block ahead or behind, some of which answer at their own height
 * whatever was requested. The value of an answer is its height.
 */
async function balancer(name: string, strayPercent: number) {
  const random = seededRandom(name)
  let newest = 100
  const answered = (
    { id, method, params }: RpcRequest,
    height: number,
    isStray: boolean,
  ): object => {
    if (method !== 'abci_query') return correctAnswer({ id, method, params }, height)
    const requestedHeight = Number(params['height'])
    if (requestedHeight > height && !isStray)
      return { jsonrpc: '2.0', id, result: { response: { code: 26, height: '0', log: 'future' } } }
    const as = String(isStray ? height : requestedHeight)
    const value = messageOf(as).toString('base64')
    return { jsonrpc: '2.0', id, result: { response: { code: 0, height: as, value } } }
  }
  return stub((body, _request, response) => {
    if (random() % 20 === 0) newest += 1
    const height = newest - 1 + (random() % 3)
    const parsed: unknown = JSON.parse(body)
    const requests = (Array.isArray(parsed) ? parsed : [parsed]) as readonly RpcRequest[]
    const answers = requests.map((request) =>
      answered(request, height, random() % 100 < strayPercent),
    )
    send(response, Array.isArray(parsed) ? answers : answers[0])
  })
}

describe('a load balancer with several nodes', () => {
  for (const [name, strayPercent, least] of [
    ['nodes that keep to the height', 0, 0.6],
    ['nodes of which some stray', 1, 0.4],
  ] as const)
    test(`never mixes heights in a refresh, and never goes back: ${name}`, async () => {
      const node = closing(await balancer(name, strayPercent))
      const source = closing(
        openSource({
          chainId: CHAIN_ID,
          rpc: [node.url],
          deadlineMs: 20_000,
          limits: { ...noPauses, pauseMostMs: 0 },
          random: () => 0,
        }),
      )
      const questions = Array.from({ length: QUESTIONS }, (_, at) => ({
        path: '/q',
        data: Buffer.of(at),
      }))
      let done = 0
      let last = 0
      for (let refresh = 0; refresh < REFRESHES / 2; refresh++) {
        const height = await source.newestHeight()
        assert.ok(height >= last, `${height} after ${last}`)
        last = height
        try {
          const answers = await source.queries(questions, height)
          assert.equal(answers.length, QUESTIONS)
          for (const answer of answers) {
            assert.ok(answer.ok)
            assert.deepEqual(Buffer.from(answer.value), messageOf(String(height)))
          }
          done += 1
        } catch (error) {
          if (!(error instanceof NodeFault)) throw error
        }
      }
      assert.ok(done / (REFRESHES / 2) > least, `${done} of ${REFRESHES / 2}`)
    })
})

describe('a node that reports a height that the chain does not have', () => {
  test('keeps two others that agree from use for a minute after its last answer', async () => {
    let height = 100
    const others = await Promise.all([1, 2].map(() => correctNode(() => height)))
    const liar = await correctNode(1_100)
    const clock = skippingClock()
    const source = closing(
      openSource({
        chainId: CHAIN_ID,
        rpc: [...others.map((node) => closing(node)), liar].map(({ url }) => url),
        deadlineMs: 2_000,
        limits: noPauses,
        clock,
      }),
    )
    assert.equal(await source.newestHeight(), 1_100)
    await liar.close()
    for (const _ of [1, 2])
      await assert.rejects(source.newestHeight(), { why: /is at block 100, 1000 behind the best/ })
    clock.skip(60_000)
    height = 110
    await assert.rejects(source.newestHeight(), { why: /is at block 110, 990 behind the best/ })
    assert.equal(await source.newestHeight(), height)
  })

  test('keeps the only other one from use for a minute after its last answer, if that one makes blocks', async () => {
    let height = 100
    const other = closing(await correctNode(() => height))
    const liar = await correctNode(1_100)
    const clock = skippingClock()
    const rpc = [other, liar].map(({ url }) => url)
    const options = { chainId: CHAIN_ID, rpc, deadlineMs: 2_000, limits: noPauses, clock }
    const source = closing(openSource(options))
    assert.equal(await source.newestHeight(), 1_100)
    await liar.close()
    const behind = { why: /is at block \d+, \d+ behind the best/ }
    for (const skippedMs of [0, 59_000, 2_000, 60_000]) {
      clock.skip(skippedMs)
      for (const _ of [1, 2]) await assert.rejects(source.newestHeight(), behind)
    }
    height = 110
    await assert.rejects(source.newestHeight(), behind)
    assert.equal(await source.newestHeight(), height)
  })
})

describe('a demo node with faults of height', () => {
  test('with mixed heights never goes back and never mixes heights', async () => {
    const chain = chainOf({ life: false }, majorPairs)
    grow(chain, 10)
    const node = await faultyNode(chain)
    node.fail({ kind: 'mixed-heights' })
    const source = closing(
      openSource({ chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 20_000, limits: noPauses }),
    )
    let last = 0
    for (let round = 0; round < 30; round++) {
      const height = await source.newestHeight()
      assert.ok(height >= last && height <= chain.height)
      last = height
      if (round % 3 === 0) chain.makeBlock()
    }
    assert.ok(last > 10)
  })

  test('that goes back twenty blocks is refused', async () => {
    const chain = chainOf({ life: false }, majorPairs)
    grow(chain, 30)
    const node = await faultyNode(chain)
    const source = closing(
      openSource({ chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 2_000, limits: noPauses }),
    )
    assert.equal(await source.newestHeight(), chain.height)
    node.fail({ kind: 'rollback', n: 20 })
    await assert.rejects(source.newestHeight(), /20 behind the best node known/)
    node.heal()
    assert.equal(await source.newestHeight(), chain.height)
  })

  test('that goes back is accepted when a second poll in a row confirms it', async () => {
    const chain = chainOf({ life: false }, majorPairs)
    grow(chain, 30)
    const node = await faultyNode(chain)
    const source = closing(
      openSource({ chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 2_000, limits: noPauses }),
    )
    const before = await source.newestHeight()
    node.fail({ kind: 'rollback', n: 20 })
    await assert.rejects(source.newestHeight(), /20 behind the best node known/)
    const lower = await source.newestHeight()
    assert.equal(lower, before - 20)
    assert.equal(await source.newestHeight(), lower)
  })

  test('of a fork with another chain id is refused until its pause is over', async () => {
    const chain = chainOf({ life: false }, majorPairs)
    grow(chain, 10)
    const node = await faultyNode(chain)
    const clock = skippingClock()
    const limits = { pauseMs: 60_000, pauseMostMs: 60_000 }
    const source = closing(
      openSource({ chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 20_000, limits, clock }),
    )
    await source.newestHeight()
    node.fail({ kind: 'fork' })
    await assert.rejects(source.newestHeight(), /is of the chain "demo-1-fork"/)
    node.heal()
    await assert.rejects(source.newestHeight(), /is of the chain "demo-1-fork"/)
    clock.skip(2 * limits.pauseMostMs)
    assert.equal(await source.newestHeight(), chain.height)
  })

  test('that has pruned a height suggests a node that keeps more blocks', async () => {
    const chain = chainOf({ life: false }, majorPairs)
    grow(chain, 10)
    const node = await faultyNode(chain)
    node.fail({ kind: 'pruned', n: 1 })
    const source = closing(
      openSource({ chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 20_000, limits: noPauses }),
    )
    const error = await source.queries([metadata('none')], chain.height - 5).catch((fault) => fault)
    assert.ok(error instanceof NodeFault && error.kind === 'height_unavailable', String(error))
    assert.match(JSON.stringify(error.hint), /a node that keeps more blocks: --rpc <url>/)
  })
})

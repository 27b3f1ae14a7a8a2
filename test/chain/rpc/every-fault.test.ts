import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { faultKinds } from '../../../src/demo-chain/faults/catalogue.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, type FaultyNode, faultyNode, noPauses, openSource } from './stage.js'

const chain = chainOf({ life: false }, majorPairs)
grow(chain, 10)

/** The deadline of a call that may fail: it ends the wait for a slow node. */
const DEADLINE_MS = 1_000

/** Far above what a call takes on a loaded machine. */
const ENDLESS_MS = 60_000

/** Queries to the node itself, with known answers. */
const questions = Array.from({ length: 23 }, () => ({
  path: '/cosmos.base.node.v1beta1.Service/Config',
  data: Buffer.of(),
}))

const opened = (deadlineMs: number, ...nodes: readonly FaultyNode[]) =>
  closing(
    openSource({
      chainId: CHAIN_ID,
      rpc: nodes.map(({ rpc }) => rpc),
      deadlineMs,
      limits: noPauses,
    }),
  )

const reading = async (source: ReturnType<typeof opened>) => {
  const height = await source.newestHeight()
  return { height, answers: await source.queries(questions, height) }
}

const kinds = faultKinds.filter(({ group }) => ['connection', 'answer', 'batch'].includes(group))

describe('every fault of a demo node', () => {
  test('is covered, and a node without faults answers everything', async () => {
    assert.ok(kinds.length >= 20)
    const { height, answers } = await reading(opened(ENDLESS_MS, await faultyNode(chain)))
    assert.equal(height, chain.height)
    assert.ok(answers.length === questions.length && answers.every(({ ok }) => ok))
  })

  for (const { kind, does } of kinds) {
    test(`is hidden by another node: ${kind} (${does})`, async () => {
      const expected = await reading(opened(ENDLESS_MS, await faultyNode(chain)))
      const bad = await faultyNode(chain)
      const good = await faultyNode(chain)
      bad.fail({ kind })
      assert.deepEqual(await reading(opened(ENDLESS_MS, bad, good)), expected)
    })

    test(`without another node is reported within the deadline, or the answer is correct: ${kind} (${does})`, async () => {
      const expected = await reading(opened(ENDLESS_MS, await faultyNode(chain)))
      const bad = await faultyNode(chain)
      bad.fail({ kind })
      const source = opened(DEADLINE_MS, bad)
      const began = performance.now()
      try {
        assert.deepEqual(await reading(source), expected)
      } catch (error) {
        assert.ok(error instanceof NodeFault, String(error))
      }
      assert.ok(performance.now() - began < ENDLESS_MS)
    })
  }
})

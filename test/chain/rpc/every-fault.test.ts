import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { openSource } from '../../../src/chain/rpc/source.js'
import { faultKinds } from '../../../src/demo-chain/faults/catalogue.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closingLast } from '../../support/closing.js'
import { CHAIN_ID, type FaultyNode, hasty, openNode } from './stage.js'

const chain = chainOf({ life: false }, majorPairs)
grow(chain, 10)

/** Long enough for every answer on a busy machine; all nodes that never answer are waited for at once. */
const DEADLINE_MS = 6_000

/** Questions to the node itself, whose answers are known. */
const questions = Array.from({ length: 23 }, () => ({
  path: '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock',
  data: Buffer.of(),
}))

const opened = (...nodes: readonly FaultyNode[]) =>
  closingLast(
    openSource({
      chainId: CHAIN_ID,
      rpc: nodes.map(({ rpc }) => rpc),
      deadlineMs: DEADLINE_MS,
      limits: hasty,
    }),
  )

const reading = async (source: ReturnType<typeof opened>) => {
  const height = await source.newestHeight()
  return { height, answers: await source.queries(questions, height) }
}
type Reading = Awaited<ReturnType<typeof reading>>

const kinds = faultKinds.filter(({ group }) => ['connection', 'answer', 'batch'].includes(group))

const nodeWith = async (kind?: string): Promise<FaultyNode> => {
  const node = closingLast(await openNode(chain))
  if (kind !== undefined) node.fail({ kind })
  return node
}

/** What every kind of fault leads to, beside an honest node and alone; settled together. */
const readings = new Map<string, Record<'beside' | 'alone', PromiseSettledResult<Reading>>>()
let honest: Reading
beforeAll(async () => {
  const good = await nodeWith()
  honest = await reading(opened(good))
  await Promise.all(
    kinds.map(async ({ kind }) => {
      const [bad, other] = [await nodeWith(kind), await nodeWith(kind)]
      const [beside, alone] = await Promise.allSettled([
        reading(opened(bad, good)),
        reading(opened(other)),
      ])
      readings.set(kind, { beside, alone })
    }),
  )
})

describe('every fault of a demo node', () => {
  test('is of these three groups, and an honest node answers everything', () => {
    assert.ok(kinds.length >= 20)
    const { height, answers } = honest
    assert.equal(height, chain.height)
    assert.ok(answers.length === questions.length && answers.every(({ ok }) => ok))
  })

  for (const { kind, does } of kinds) {
    test(`${kind} (${does}): another node answers as if nothing were`, () => {
      assert.deepEqual(readings.get(kind)?.beside, { status: 'fulfilled', value: honest })
    })

    test(`${kind} (${does}): alone, it is a fault within the deadline, or the truth`, () => {
      const { alone } = readings.get(kind)!
      if (alone.status === 'fulfilled') assert.deepEqual(alone.value, honest)
      else assert.ok(alone.reason instanceof NodeFault, String(alone.reason))
    })
  }
})

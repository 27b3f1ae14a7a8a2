import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Cost, queryBatch, type Reply } from '../../../src/chain/queries/query-batch.js'
import type { Question } from '../../../src/chain/queries/questions.js'
import { InvalidChain, NodeFault } from '../../../src/chain/rpc/faults.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { MalformedDocument } from '../../../src/engine/snapshot/json-cursor.js'
import { scriptedSource } from '../market/scripted.js'

const number = (n: number): Question<number> => ({
  path: '/echo',
  data: Uint8Array.of(n & 0xff, n >> 8),
  read: ([low = 0, high = 0]) => {
    if (n === 666) throw new MalformedDocument('/n', 'must be another number')
    return high * 256 + low
  },
})

/** A source that echoes each query when the test releases it. */
function echo() {
  const calls: { readonly size: number; readonly release: () => void }[] = []
  const source: Source = {
    ...scriptedSource({}),
    queries: (questions) =>
      new Promise((resolve) => {
        const release = () => resolve(questions.map(({ data }) => ({ ok: true, value: data })))
        calls.push({ size: questions.length, release })
      }),
  }
  const cost: Cost = { queries: 0, batches: 0, bytes: 0 }
  return { calls, cost, ask: queryBatch(source, 'echo', 1, cost) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a query batch', () => {
  test('joins concurrent queries, at most a hundred a call and four calls at once', async () => {
    const { ask, calls, cost } = echo()
    const replies = Array.from({ length: 950 }, (_, n) => ask(number(n + 1000)))
    await turn()
    assert.deepEqual(
      calls.map(({ size }) => size),
      [100, 100, 100, 100],
    )
    for (let next = 0; next < 10; next++) {
      await turn()
      calls[next]?.release()
      await turn()
    }
    const values = (await Promise.all(replies)) as readonly Reply<number>[]
    assert.deepEqual(
      values.map((reply) => (reply.kind === 'answered' ? reply.value : reply.kind)),
      Array.from({ length: 950 }, (_, n) => n + 1000),
    )
    assert.equal(calls.length, 10)
    assert.deepEqual(cost, { queries: 950, batches: 10, bytes: 1900 })
  })

  test('delays a query that is added while an answer is read only to the next call', async () => {
    const { ask, calls } = echo()
    const second = ask(number(1)).then(() => ask(number(2)))
    await turn()
    calls[0]?.release()
    await turn()
    await turn()
    calls[1]?.release()
    assert.deepEqual(await second, { kind: 'answered', value: 2 })
  })

  test('fails only the query whose answer is malformed', async () => {
    const { ask, calls } = echo()
    const both = Promise.all([ask(number(666)), ask(number(7))])
    await turn()
    calls[0]?.release()
    assert.deepEqual(await both, [
      { kind: 'malformed', why: '/n must be another number' },
      { kind: 'answered', value: 7 },
    ])
  })

  test('takes the answer of another node for one that is malformed, unless all of them are', async () => {
    const even: Question<number> = {
      ...number(1),
      read([n = 0]) {
        if (n % 2 === 1) throw new MalformedDocument('/n', 'must be even')
        return n
      },
    }
    const answered = async (others: readonly number[] | Error) => {
      const answer = (n: number) => [{ ok: true as const, value: Uint8Array.of(n) }]
      const queriesOfEach = async () => {
        if (others instanceof Error) throw others
        return others.map(answer)
      }
      const source: Source = {
        ...scriptedSource({}),
        queries: async () => answer(1),
        queriesOfEach,
      }
      return queryBatch(source, 'several', 1)(even)
    }
    const malformed = { kind: 'malformed', why: '/n must be even' }
    assert.deepEqual(await answered([1, 8]), { kind: 'answered', value: 8 })
    assert.deepEqual(await answered([1, 3]), malformed)
    assert.deepEqual(await answered(new NodeFault('timeout', 'one', 'is late')), malformed)
  })

  test('fails all waiting and later queries after a fault of the node', async () => {
    const fault = new Error('the node is away')
    const source: Source = { ...scriptedSource({}), queries: () => Promise.reject(fault) }
    const ask = queryBatch(source, 'away', 1, { queries: 0, batches: 0, bytes: 0 })
    const asked = await Promise.allSettled(Array.from({ length: 700 }, (_, n) => ask(number(n))))
    assert.ok(asked.every((each) => each.status === 'rejected' && each.reason === fault))
    await assert.rejects(ask(number(1)), fault)
  })

  test('fails on too many or too few answers', async () => {
    for (const extra of [-1, 1]) {
      const source: Source = {
        ...scriptedSource({}),
        queries: async (questions) =>
          Array.from({ length: questions.length + extra }, () => ({
            ok: true,
            value: Uint8Array.of(1),
          })),
      }
      const ask = queryBatch(source, 'odd', 1, { queries: 0, batches: 0, bytes: 0 })
      await assert.rejects(Promise.all([ask(number(1)), ask(number(2))]), InvalidChain)
    }
  })
})

import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { type Nodes, openNodes } from '../../../src/chain/rpc/nodes.js'
import { sourceOf } from '../../../src/chain/rpc/source.js'
import { type Random, seededRandom } from '../../../src/demo-chain/market/random.js'
import { closingLast } from '../../support/closing.js'
import { CHAIN_ID, correctAnswer, messageOf, noPauses, requestsOf, send, stub } from './stage.js'

const HEIGHT = 100
const SEEDS = process.env['SWAP_LONG'] ? 50 : 4

type Answers = readonly object[]
const any = (list: readonly unknown[], random: Random): number => random() % list.length

/** What becomes of the correct answers to a batch. */
const shapes: Readonly<Record<string, (answers: Answers, random: Random) => unknown>> = {
  partial: (answers, random) => answers.toSpliced(any(answers, random), 1),
  shuffled: (answers, random) =>
    answers
      .map((answer) => [random(), answer] as const)
      .sort(([a], [b]) => a - b)
      .map(([, each]) => each),
  duplicated: (answers, random) => [...answers, answers[any(answers, random)]],
  'one twice and one not at all': (answers, random) => {
    const at = 1 + any(answers.slice(1), random)
    return answers.map((answer, other) => (other === at ? answers[0] : answer))
  },
  'foreign ids': (answers, random) => {
    const at = any(answers, random)
    return answers.map((answer, other) => (other === at ? { ...answer, id: 2 ** 40 } : answer))
  },
  null: () => null,
  'one object': ([first]) => first,
  'one malformed': (answers, random) => {
    const forms = [
      null,
      [],
      'x',
      7,
      {},
      { jsonrpc: '2.0' },
      { ...answers[0], id: '1' },
      { ...answers[0], result: undefined },
      { ...answers[0], error: { code: 1, message: 'both' } },
      { ...answers[0], result: undefined, error: 'text' },
    ]
    return answers.toSpliced(any(answers, random), 1, forms[any(forms, random)] as object)
  },
  empty: () => [],
  'a page': () => '<html></html>',
  'cut off': (answers) => JSON.stringify(answers).slice(0, -3),
}

let changeAnswers: ((answers: Answers) => unknown) | undefined
let isOnce = true
let nodes: Nodes

/** Answers correctly, but changes the answers to queries, the first time or every time. */
beforeAll(async () => {
  const node = closingLast(
    await stub((body, _request, response) => {
      const requests = requestsOf(body)
      const answers = requests.map((request) => correctAnswer(request, HEIGHT))
      const change = requests.some(({ method }) => method === 'abci_query')
        ? changeAnswers
        : undefined
      if (change === undefined) return send(response, body.startsWith('[') ? answers : answers[0])
      if (isOnce) changeAnswers = undefined
      send(response, change(answers))
    }),
  )
  nodes = closingLast(
    openNodes({ chainId: CHAIN_ID, rpc: [node.url], deadlineMs: 20_000, limits: noPauses }),
  )
})

const questions = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => ({ path: '/q', data: messageOf(`${seed} ${at}`) }))

/** Whether a shape is still a correct answer. */
const isHarmless = (shape: string, count: number): boolean =>
  shape === 'shuffled' ||
  (count === 1 && ['one object', 'one twice and one not at all'].includes(shape))

describe('a batch of queries', () => {
  for (const shape of Object.keys(shapes))
    test(`is settled once per query when the answer is: ${shape}`, async () => {
      const source = sourceOf(nodes)
      for (let count = 1; count <= 10; count++)
        for (let seed = 1; seed <= SEEDS; seed++) {
          const random = seededRandom(`${shape} ${count} ${seed}`)
          const asked = questions(count, seed)
          const expected = asked.map(({ data }) => data.toString())
          isOnce = seed % 2 === 1
          changeAnswers = (answers) => shapes[shape]?.(answers, random)
          const fails = !isOnce && !isHarmless(shape, count)
          const answers = await source.queries(asked, HEIGHT).catch((error) => error)
          if (fails) assertInvalid(answers)
          else
            assert.deepEqual(
              answers.map((answer: { value: Uint8Array }) => Buffer.from(answer.value).toString()),
              expected,
            )
          changeAnswers = undefined
        }
    })

  function assertInvalid(error: unknown): void {
    assert.ok(error instanceof NodeFault, String(error))
    assert.equal(error.code, 'UPSTREAM_INVALID_DATA', error.message)
  }
})

describe('a node with a limit on requests per batch', () => {
  for (const cap of [0, 1, 2, 3, 5, 9, 10, 100])
    test(`of ${cap} is detected, respected and remembered`, async () => {
      const sizes: number[] = []
      const node = closingLast(
        await stub((body, _request, response) => {
          const requests = requestsOf(body)
          sizes.push(requests.length)
          const answers = requests.map((request) => correctAnswer(request, HEIGHT))
          if (!body.startsWith('[')) send(response, answers[0])
          else if (requests.length <= cap) send(response, answers)
          else
            send(response, {
              jsonrpc: '2.0',
              error: { code: -32600, message: 'Invalid Request', data: `exceeds ${cap}` },
            })
        }),
      )
      const source = closingLast(
        sourceOf(
          openNodes({ chainId: CHAIN_ID, rpc: [node.url], deadlineMs: 20_000, limits: noPauses }),
        ),
      )
      assert.equal(await source.newestHeight(), HEIGHT)
      assert.equal((await source.queries(questions(25, cap), HEIGHT)).length, 25)
      assert.ok(Math.max(...sizes) <= 10)
      sizes.length = 0
      assert.equal((await source.queries(questions(25, cap), HEIGHT)).length, 25)
      assert.ok(Math.max(...sizes) <= Math.max(1, cap))
    })
})

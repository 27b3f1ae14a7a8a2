import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import { encodeSnapshot } from '../../src/engine/snapshot/encode.js'
import { operationOf } from '../../src/operations/operations.js'
import { drawMarket } from '../support/drawn-market.js'

/** Values at the limits of numbers, beyond them, and of other types. */
const ODD_VALUES = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  '',
  '0',
  '1',
  '-1',
  '00',
  '1e5',
  '__proto__',
  [],
  {},
  `${2n ** 128n - 1n}`,
  `${2n ** 128n}`,
  '1000000000000000000000000000000',
  '1000000000000000000',
  '0.000001',
  '0.000000000000000001',
  '0.0000000000000000001',
  '340282366920938463463.374607431768211455',
]

type Leaf = { readonly parent: Record<string, unknown>; readonly name: string }

/** The places of all texts and numbers of a document. */
const leavesOf = (value: unknown): readonly Leaf[] =>
  Object.entries(value ?? {}).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'object'
      ? leavesOf(member)
      : [{ parent: value as Record<string, unknown>, name }],
  )

const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ODD_VALUES)), {
  minLength: 1,
  maxLength: 3,
})

test('a market with odd values is refused, or every operation answers or refuses on it', async () => {
  const check = async (seed: number, changed: readonly (readonly [number, unknown])[]) => {
    const document = JSON.parse(JSON.stringify(encodeSnapshot(drawMarket(seed).market)))
    const leaves = leavesOf({ pairs: document.pairs, router: document.router, gas: document.gas })
    for (const [at, value] of changed) {
      const { parent, name } = leaves[at % leaves.length]!
      parent[name] = value
    }
    const run = async (name: string, request: object) => {
      try {
        const market = decodeSnapshot(document, 'odd')
        const view = { market, graph: graphOf(market) }
        const context = { openMarket: async () => view }
        JSON.stringify(await operationOf(name).prepare(request).run(context))
      } catch (error) {
        assert.ok(error instanceof SwapError && error.code !== 'INTERNAL', error as Error)
      }
    }
    const [input, output] = [{ denom: 't1', amount: '1000000' }, { denom: 't0' }]
    await run('tokens', {})
    await run('arbs', {})
    await run('arbroute', { input })
    await run('route', { input, output, explain: true })
    await run('route', { input: { denom: 't1' }, output: { ...output, amount: '1000' } })
    await run('sroute', { input: { ...input, split_step: 10 }, output })
  }
  await fc.assert(fc.asyncProperty(fc.nat(9999), changes, check), { numRuns: 600 })
})

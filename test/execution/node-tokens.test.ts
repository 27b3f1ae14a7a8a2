import assert from 'node:assert/strict'
import {
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { describe, test } from 'vitest'
import type { Denom } from '../../src/engine/market/token.js'
import { parseDecimal } from '../../src/engine/math/decimal.js'
import { execute } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { buyTask, orderTask, pairOf } from './orders-stage.js'
import { type Hook, rune, type Stage, stage, usdc, usualTerms } from './stage.js'

const PATH = '/cosmos.bank.v1beta1.Query/DenomMetadata'

/** Two nodes, of which the first gives a token two more decimals, or another symbol, while `isLying`. */
async function lyingStage(denom: Denom, lie: 'decimals' | 'symbol') {
  const switched = { isLying: false }
  const changed = (value: string): string => {
    const { metadata } = QueryDenomMetadataResponse.decode(Buffer.from(value, 'base64'))
    const denomUnits = metadata.denomUnits.map((unit) => ({
      ...unit,
      exponent: unit.exponent && unit.exponent + 2,
    }))
    const lied = lie === 'symbol' ? { ...metadata, symbol: 'OTHER' } : { ...metadata, denomUnits }
    return Buffer.from(QueryDenomMetadataResponse.encode({ metadata: lied }).finish()).toString(
      'base64',
    )
  }
  const isAbout = ({ params }: { params: { path?: string; data?: string } }): boolean =>
    params.path === PATH &&
    QueryDenomMetadataRequest.decode(Buffer.from(params.data ?? '', 'hex')).denom === denom
  const hook: Hook = async ({ body }, next) => {
    const reply = await next()
    if (!switched.isLying || !body.includes(PATH)) return reply
    const calls = [JSON.parse(body.toString())].flat()
    const about = new Set(calls.filter(isAbout).map(({ id }) => id))
    const answers = JSON.parse(reply.body.toString())
    for (const { id, result } of [answers].flat())
      if (about.has(id)) result.response.value = changed(result.response.value)
    return { ...reply, body: Buffer.from(JSON.stringify(answers)) }
  }
  const at = await stage({ nodes: 2, tokens: new Map(), hook })
  return { at, switched }
}

const refused = {
  code: 'UPSTREAM_INVALID_DATA',
  why: /decimals, and the symbols/,
}

const nothingSigned = (at: Stage) => assert.deepEqual(at.executed(), [])

const lies = [
  [rune, 'decimals'],
  [usdc, 'symbol'],
] as const

describe('a token that the network does not list', () => {
  for (const [denom, lie] of lies)
    test(`whose ${lie} two nodes do not agree about is not swapped`, async () => {
      const { at, switched } = await lyingStage(denom, lie)
      const task = await at.order()
      switched.isLying = true
      await assert.rejects(execute(at.session(), task, newIntentId), refused)
      nothingSigned(at)
    })

  test('whose decimals in the market are others than those of all nodes is not swapped', async () => {
    const { at, switched } = await lyingStage(rune, 'decimals')
    switched.isLying = true
    const task = await at.order()
    switched.isLying = false
    await assert.rejects(execute(at.session(), task, newIntentId), {
      ...refused,
      why: /in the market that one of them gave/,
    })
    nothingSigned(at)
  })

  for (const [denom, lie] of lies)
    test(`whose ${lie} two nodes do not agree about is in no order with a typed price`, async () => {
      const { at, switched } = await lyingStage(denom, lie)
      const task = await buyTask(at, '0.1', 10n ** 9n, usualTerms)
      switched.isLying = true
      await assert.rejects(execute(at.session(), task, newIntentId), refused)
      nothingSigned(at)
    })

  test('whose decimals two nodes do not agree about is in an order that can be cancelled', async () => {
    const { at, switched } = await lyingStage(rune, 'decimals')
    const order = await buyTask(at, '0.1', 10n ** 9n, usualTerms)
    assert.equal((await execute(at.session(), order, newIntentId)).error, undefined)
    switched.isLying = true
    const price = { fixed: parseDecimal('0.1')! }
    const entries = () => [{ side: 'bid', price, target: 0n } as const]
    const draft = { pair: await pairOf(at, rune, usdc), places: [], entries }
    const cancel = orderTask(at, [draft], usualTerms)
    assert.equal((await execute(at.session(), cancel, newIntentId)).error, undefined)
  })

  test('is swapped and ordered where they agree', async () => {
    const { at } = await lyingStage(rune, 'decimals')
    assert.equal((await at.run()).error, undefined)
    const task = await buyTask(at, '0.1', 10n ** 9n, usualTerms)
    assert.equal((await execute(at.session(), task, newIntentId)).error, undefined)
  })
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { afterArbitrage } from '../../../src/engine/market/after-arbitrage.js'
import { compileBook, simulateBook } from '../../../src/engine/market/book.js'
import { makerOrders } from '../../../src/engine/market/commit.js'
import { askDenom, offerDenom, type PairState, type Side } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { visibleBook } from '../../../src/engine/market/resting-orders.js'
import { takerFee, walk } from '../../../src/engine/market/walk.js'
import { ArithmeticAbort, formatDecimal } from '../../../src/engine/math/decimal.js'
import { type MatchingInput, must, stateOf } from '../../support/matching.js'
import { readJson } from '../../support/vectors.js'

type MatchingCase = {
  readonly name: string
  readonly input: MatchingInput
  readonly expect: Record<string, unknown> & { readonly status: string }
}

const { cases } = readJson<{ cases: MatchingCase[] }>('matching.json')

const answers: Record<MatchingInput['mode'], (state: PairState, input: MatchingInput) => unknown> =
  {
    swap: swapped,
    book: visibleLevels,
    arb: settledLevels,
  }

for (const { name, input, expect } of cases)
  test(`the contract's recorded matching: ${name}`, () => {
    const answer = outcome(() => answers[input.mode](stateOf(input), input))
    assert.deepEqual(
      answer,
      expect.status === 'ok' ? withoutPrices(expect) : { status: expect.status },
    )
  })

test('the recorded matching has 175 cases', () => assert.equal(cases.length, 175))

function outcome(compute: () => unknown): unknown {
  try {
    return compute()
  } catch (error) {
    if (error instanceof ArithmeticAbort) return { status: 'panic' }
    if (error instanceof Error && error.name === 'ContractFailure')
      return { status: error.message.startsWith('Denominator') ? 'err' : 'panic' }
    throw error
  }
}

/** Trade events have the price of each part; a walk keeps the parts, not their printed form. */
function withoutPrices(expect: MatchingCase['expect']): unknown {
  const trades = expect['trades'] as [string, string][][] | undefined
  return {
    ...expect,
    ...(trades && { trades: trades.map((trade) => trade.slice(0, 3).map(([, value]) => value)) }),
  }
}

const sideOf = (input: MatchingInput): Side => (input.side === 'base' ? 'ask' : 'bid')

function swapped(state: PairState, input: MatchingInput): unknown {
  const side = sideOf(input)
  const offer = BigInt(input.offer ?? '0')
  const limit = input.req?.price === undefined ? undefined : must(input.req.price)
  const done = walk(state, side, offer, limit)
  const fee = takerFee(state.pair, done.gross)
  const returned = done.gross - fee
  if (limit === undefined) {
    const fill = simulateBook(compileBook(state), {
      denom: offerDenom(state.pair, side),
      amount: offer,
    })
    assert.ok(!isRefusal(fill))
    assert.deepEqual([fill.bought, fill.fee, fill.unsold], [returned, fee, done.unsold])
  }
  const { min_return: least, exact_return: exactly } = input.req ?? {}
  if (least !== undefined && returned < BigInt(least)) return { status: 'err' }
  if (exactly !== undefined && returned !== BigInt(exactly)) return { status: 'err' }
  return {
    status: 'ok',
    returned: `${returned}`,
    fee: `${fee}`,
    consumed: `${done.sold}`,
    remaining: `${done.unsold}`,
    trades: done.trades.map((t) => [formatDecimal(t.rate), `${t.sold}`, `${t.bought}`]),
    mm_commitments: commitments(state, done.trades),
  }
}

/** The harness lists messages to makers even where a real one would be refused as empty. */
function commitments(state: PairState, trades: ReturnType<typeof walk>['trades']): unknown {
  const sums = new Map<number, [bigint, bigint]>()
  for (const { live } of trades)
    for (const { part, sold, bought } of live.levels) {
      const [a, b] = sums.get(part.maker) ?? [0n, 0n]
      sums.set(part.maker, [a + sold, b + bought])
    }
  const list = [...sums].sort(([a], [b]) => a - b)
  if (list.every(([, [sold, asked]]) => sold > 0n && asked > 0n))
    assert.deepEqual(
      makerOrders(
        state.pair.rules,
        trades.map((trade) => trade.live),
      ),
      list.map(([maker, [sold, asked]]) => ({ maker, sold, asked })),
    )
  return list.map(([maker, [sold, asked]]) => [state.makers[maker]?.address, `${sold}`, `${asked}`])
}

function visibleLevels(state: PairState, input: MatchingInput): unknown {
  const { levels, aborts } = visibleBook(state, sideOf(input), input.limit ?? 100)
  if (aborts) return { status: 'panic' }
  return {
    status: 'ok',
    book: levels.map(({ rate, total }) => [formatDecimal(rate), `${total}`]),
  }
}

function settledLevels(state: PairState): unknown {
  const after = afterArbitrage(state)
  if (isRefusal(after)) return { status: after.refused === 'overflow' ? 'panic' : after.refused }
  const named = (side: Side) =>
    after.orders[side === 'ask' ? 'asks' : 'bids'].map(({ maker, sold, asked }) => [
      `${side === 'ask' ? 'base' : 'quote'}:${state.makers[maker]?.address}`,
      `${sold}`,
      `${asked}`,
    ])
  return {
    status: 'ok',
    profit_base: `${after.profit.base}`,
    profit_quote: `${after.profit.quote}`,
    mm_commitments: [...named('ask'), ...named('bid')],
  }
}

test('the received denom of a side is the one that its orders pay', () => {
  const { pair } = stateOf(cases[0]!.input)
  assert.equal(askDenom(pair, 'ask'), 'base')
  assert.equal(askDenom(pair, 'bid'), 'quote')
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { queryView, type View } from '../../../../src/demo-chain/contracts/fin/config.js'
import { type Group, groupsOf, totalOf } from '../../../../src/demo-chain/contracts/fin/groups.js'
import type { BookSide } from '../../../../src/demo-chain/contracts/fin/price.js'
import { commitGroups, matchSides } from '../../../../src/demo-chain/contracts/fin/settle.js'
import { walk } from '../../../../src/demo-chain/contracts/fin/walk.js'
import { writeJson } from '../../../../src/demo-chain/contracts/serde.js'
import { ChainFailure } from '../../../../src/demo-chain/modules/chain-failure.js'
import {
  type Contract,
  ContractError,
  type QueryCall,
  type Storage,
} from '../../../../src/demo-chain/modules/contract.js'
import { formatDecimal } from '../../../../src/engine/math/decimal.js'
import { smartQuery } from '../../../support/contract-world.js'
import { type MatchingInput, must } from '../../../support/matching.js'
import { readJson } from '../../../support/vectors.js'
import { PAIR, pairWorld, pool } from './pair-world.js'

type Case = {
  readonly name: string
  readonly input: MatchingInput
  readonly expect: Record<string, unknown> & { readonly status: string; readonly error?: string }
}

const { cases } = readJson<{ cases: Case[] }>('matching.json')

/** A pair with only its matching, and the protection that JSON cannot express. */
const matcher: Contract = {
  execute: () => {
    throw new ContractError('not here')
  },
  query: (call, message) => writeJson(matched(queryView('1.1', call), JSON.parse(message))),
}

function matched(view: View, input: MatchingInput): unknown {
  if (input.mode === 'arb') {
    const { base, quote, profit } = matchSides(view)
    return {
      status: 'ok',
      profit_base: profit.base,
      profit_quote: profit.quote,
      mm_commitments: [
        ...asked(view, 'base', base, 'base:'),
        ...asked(view, 'quote', quote, 'quote:'),
      ],
    }
  }
  if (input.mode === 'book') {
    const source = groupsOf(view, input.side)
    const book: unknown[] = []
    for (
      let next = source.next();
      !next.done && book.length < (input.limit ?? 0);
      next = source.next()
    )
      book.push([formatDecimal(next.value.rate), totalOf(next.value)])
    return { status: 'ok', book }
  }
  const { price, min_return, exact_return } = input.req ?? {}
  const done = walk(view, input.side, BigInt(input.offer ?? '0'), {
    ...(price !== undefined && { limit: must(price) }),
    ...(min_return !== undefined && { minReturn: BigInt(min_return) }),
    ...(exact_return !== undefined && { exactReturn: BigInt(exact_return) }),
  })
  return {
    status: 'ok',
    returned: done.returned,
    fee: done.fee,
    consumed: done.consumed,
    remaining: done.remaining,
    trades: done.trades.map(({ attributes }) => attributes),
    mm_commitments: asked(view, input.side, done.groups, ''),
  }
}

/** The messages of a commit of these groups: maker, offer and the amount asked for. */
function asked(view: View, side: BookSide, groups: readonly Group[], prefix: string): unknown[] {
  const storage: Storage = { ...(view.call as QueryCall).storage, set: () => {} }
  return commitGroups(view, storage, side, groups).map((message) => {
    assert.ok(message.kind === 'execute')
    const { swap } = JSON.parse(message.message)
    return [prefix + message.contract, `${message.funds[0]?.amount ?? 0n}`, swap.min_return.amount]
  })
}

function answerTo({ input }: Case): unknown {
  const poolsOf = (side: BookSide, pools: MatchingInput['base_pools']) =>
    pools.map(({ price, total }) =>
      pool(side, 'fixed' in price ? price.fixed : price.oracle, BigInt(total)),
    )
  const world = pairWorld({
    denoms: ['base', 'quote'],
    tick: input.tick,
    feeTaker: must(input.fee ?? '0'),
    oracle: [input.oracle, '1'],
    pools: [...poolsOf('base', input.base_pools), ...poolsOf('quote', input.quote_pools)],
    makers: input.mms.map(({ addr, x, bx, by, step, min_quote, fee }) => ({
      address: addr,
      x: BigInt(x === 'base' ? bx : by),
      y: BigInt(x === 'base' ? by : bx),
      step,
      minQuote: BigInt(min_quote),
      fee,
    })),
    contract: matcher,
  })
  return smartQuery(world, PAIR, input)
}

describe('the recorded matching of FIN 1.1', () => {
  test.each(cases)('$name', (item) => {
    if (item.expect.status === 'ok') {
      assert.deepEqual(answerTo(item), item.expect)
      return
    }
    const message =
      item.expect.status === 'panic'
        ? `Aborted: panicked: ${item.expect.error}: wasmvm error`
        : `${item.expect.error}: query wasm contract failed`
    assert.throws(
      () => answerTo(item),
      (error: unknown) => error instanceof ChainFailure && error.message.endsWith(message),
    )
  })
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { lpDenom } from '../../../../src/demo-chain/contracts/bow/bow-contract.js'
import { balanceOf } from '../../../../src/demo-chain/modules/bank.js'
import type { Reader } from '../../../../src/demo-chain/store/state.js'
import { parseDecimal } from '../../../../src/engine/math/decimal.js'
import { squareRoot } from '../../../../src/engine/math/uint.js'
import { execute, valuesOf, type World } from '../../../support/contract-world.js'
import { coin, config, poolWorld } from './pools.js'

describe('the shares of a BOW pool', () => {
  const empty = (fee: string) =>
    poolWorld(config({ fee: parseDecimal(fee)! }), { x: 0n, y: 0n, shares: 0n })
  const lp = lpDenom(config())
  const give = (world: World, state: Reader, x: number, y: number) =>
    execute(
      world,
      state,
      'bow',
      { deposit: {} },
      [coin(x, 'x'), coin(y, 'y')].filter(({ amount }) => amount > 0n),
    )
  const owned = (state: Reader) => balanceOf(state, 'sender', lp)

  test('are the root of the product at first, then in proportion', () => {
    const world = empty('0.1')
    const first = give(world, world.start, 1000, 2000)
    assert.equal(owned(first.state), 1414n)
    const second = give(world, first.state, 500, 1000)
    assert.equal(owned(second.state), 1414n + 707n)
    const event = second.events.find(({ type }) => type === 'wasm-rujira-bow/deposit')!
    assert.deepEqual(valuesOf(event, 'minted'), ['707x/bow-xyk-x-y'])
    assert.deepEqual(valuesOf(event, 'owner'), ['sender'])
  })

  test('for a one-sided excess pay half the fee', () => {
    const world = empty('0.1')
    const first = give(world, world.start, 500, 2000)
    assert.equal(owned(first.state), 1000n)
    assert.equal(owned(give(world, first.state, 2000, 1000).state), 1000n + 1677n)
    assert.equal(owned(give(world, first.state, 0, 1000).state), 1000n + 213n)
  })

  test('are worth their part of the reserves, rounded down; the last ones get the rest', () => {
    const world = empty('0')
    const first = give(world, world.start, 250, 500)
    assert.equal(owned(first.state), 353n)
    const back = (state: Reader, shares: number) =>
      execute(world, state, 'bow', { withdraw: {} }, [coin(shares, lp)])
    const one = back(first.state, 176)
    assert.equal(balanceOf(one.state, 'sender', 'x'), 124n)
    assert.equal(balanceOf(one.state, 'sender', 'y'), 249n)
    const two = back(one.state, 177)
    assert.equal(balanceOf(two.state, 'sender', 'x'), 250n)
    assert.equal(balanceOf(two.state, 'sender', 'y'), 500n)
    const event = one.events.find(({ type }) => type === 'wasm-rujira-bow/withdraw')!
    assert.deepEqual(valuesOf(event, 'share'), ['176x/bow-xyk-x-y'])
  })

  test('are refused for nothing, for too little, and for other coins', () => {
    const world = empty('0')
    assert.throws(
      () => execute(world, world.start, 'bow', { deposit: {} }, [coin(5, 'z')]),
      /InvalidDeposit/,
    )
    assert.throws(
      () =>
        execute(world, world.start, 'bow', { deposit: { min_return: '1001' } }, [
          coin(1000, 'x'),
          coin(1000, 'y'),
        ]),
      /^ChainFailure: InsufficientFunds: execute/,
    )
    assert.throws(
      () => execute(world, world.start, 'bow', { withdraw: {} }, [coin(5, 'x')]),
      /Must send reserve token 'x\/bow-xyk-x-y'/,
    )
  })

  test('never return more than was deposited, but for the rounding of a root', () => {
    const amounts = fc.bigInt(10n ** 6n, 10n ** 12n)
    fc.assert(
      fc.property(amounts, amounts, amounts, amounts, (x, y, moreX, moreY) => {
        const world = poolWorld(config({ fee: parseDecimal('0.003')! }), {
          x,
          y,
          shares: squareRoot(x * y),
        })
        const { state } = execute(world, world.start, 'bow', { deposit: {} }, [
          { denom: 'x', amount: moreX },
          { denom: 'y', amount: moreY },
        ])
        const shares = owned(state)
        const back = execute(world, state, 'bow', { withdraw: {} }, [{ denom: lp, amount: shares }])
        const gotX = balanceOf(back.state, 'sender', 'x')
        const gotY = balanceOf(back.state, 'sender', 'y')
        // Both roots are rounded down: a deposit may gain what one of them lost, an atomic at most.
        const left = squareRoot((x + moreX - gotX) * (y + moreY - gotY))
        assert.ok(left + 1n >= squareRoot(x * y))
      }),
      { numRuns: 100, examples: [[1_000_000n, 1_000_001n, 1_000_001n, 1_000_000n]] },
    )
  })
})

test('the integer square root of a square is its side, and of anything smaller one less', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 1n << 128n), (side) => {
      assert.equal(squareRoot(side * side), side)
      assert.equal(squareRoot(side * side - 1n), side - 1n)
    }),
    { numRuns: 200 },
  )
  assert.equal(squareRoot(0n), 0n)
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { atomicsMeant } from '../../../src/cli/quotes/quote.js'
import { freshHome } from '../../support/cli.js'
import { smallMarket } from '../../support/small-market.js'

const market = smallMarket({ 'a/usd': {} }, { dialect: 'forward' })

describe('an amount that is too large', () => {
  const unit = 100_000_000n
  const rows = [
    // typed in units, most that passes in atomics: whether atomics were probably meant
    [unit * 500_000n, 500_000n, true],
    [unit * 500_000n, 499_999n, false],
    [unit * 100_000n, 500_000n, true],
    [unit * 99_999n, 500_000n, false],
    [unit * 500_000n + 1n, 500_000n, false],
  ] as const
  for (const [amount, most, isLikely] of rows)
    test(`${amount} where ${most} pass ${isLikely ? 'asks whether atomics were meant' : 'does not ask'}`, () => {
      const hint = atomicsMeant(market, { denom: 'a', amount }, most)
      assert.equal(/did you mean --atomic/.test(hint ?? ''), isLikely)
    })
})

describe('the hint for an amount that the books cannot fill', () => {
  const { swap } = freshHome()

  test.each([
    ['execute 9000000 rune usdc --from demo --dry-run', true],
    ['simulate 9000000 rune usdc', true],
    ['route 9_000_000rune usdc', true],
    ['execute max rune usdc --from demo --dry-run', false],
    ['route 900000000000000 rune usdc --atomic', false],
    ['route $9000000 rune usdc', false],
  ])('of swap %s asks whether atomics were meant: %s', async (call, isAsked) => {
    const { status, stderr } = await swap(...call.split(' '))
    assert.equal(status, 3, stderr)
    assert.match(stderr, /code +INSUFFICIENT_LIQUIDITY/)
    assert.equal(stderr.includes('did you mean --atomic 9000000, which is'), isAsked, stderr)
    assert.equal(stderr.includes('--atomic'), isAsked, stderr)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { swapWords } from '../../../src/cli/arguments/swap-words.js'
import { SwapError } from '../../../src/engine/errors.js'

/** What is written for the words of a command. */
function advice(command: string, ...words: readonly string[]): string | undefined {
  try {
    swapWords(words, command)
  } catch (error) {
    if (error instanceof SwapError) return error.hint
    throw error
  }
  return undefined
}

describe('a share of a balance behind the tokens', () => {
  test('is put first for the command that sells it, and nothing receives it', () => {
    assert.equal(advice('execute', 'btc', 'rune', 'max'), 'write swap execute max btc rune')
    assert.equal(advice('execute', 'btc', 'rune', '50%'), 'write swap execute 50% btc rune')
  })

  test.each(['route', 'sroute', 'simulate', 'plan twap'])(
    'is read as the amount of %s, which names the command that sells it',
    (command) => {
      const amount = { from: 'btc', to: 'rune', exactOut: false }
      for (const share of ['max', 'MAX', '50%'])
        assert.deepEqual(swapWords(['btc', 'rune', share], command), { amount: share, ...amount })
    },
  )
})

test('an amount behind the tokens is put first, or between them to receive it', () => {
  const call = 'write swap route 1.5 btc rune'
  assert.equal(
    advice('route', 'btc', 'rune', '1.5'),
    `${call}; or, to receive 1.5: swap route btc 1.5 rune`,
  )
  assert.equal(advice('plan twap', 'btc', 'rune', '1.5'), 'write swap plan twap 1.5 btc rune')
})

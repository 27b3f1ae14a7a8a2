import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { messagesIn } from '../../../src/cli/commands/tx/messages.js'
import { requireConfirmedTo, requireSymbol } from '../../../src/cli/execution/confirm.js'
import { loadConfig } from '../../../src/config/load.js'
import { SwapError } from '../../../src/engine/errors.js'
import { usdc } from '../../render/documents.js'

const hostile = 'x;$(touch /tmp/x)'
const config = await loadConfig({ env: {}, cwd: '/', home: undefined, flags: {} })
const unsigned = {
  sender: 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn',
  calls: [{ contract: hostile, message: '{}', funds: [{ denom: usdc, amount: 1n }] }],
  memo: '',
  timeoutHeight: 0n,
  fee: [],
  gasLimit: 1n,
}

describe('a text of a document or a chain, in a call that an error suggests', () => {
  for (const [what, check] of [
    ['a recipient', () => requireConfirmedTo({}, hostile)],
    ['a contract', () => messagesIn(unsigned, config)],
    ['a symbol', () => requireSymbol('usdc', hostile)],
  ] as const)
    test(`is quoted for a shell: ${what}`, () => {
      assert.throws(check, (error) => {
        assert.ok(error instanceof SwapError)
        assert.match(error.hint ?? '', / 'x;\$\(touch \/tmp\/x\)'$/)
        return true
      })
    })
})

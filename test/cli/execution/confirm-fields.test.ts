import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderWhole } from '../../../src/cli/execution/confirm-fields.js'
import { plainStyle } from '../../../src/render/style.js'

const decoded: Parameters<typeof renderWhole>[0]['decoded'] = {
  chainId: 'demo-1',
  accountNumber: 1n,
  sequence: 2n,
  sender: 'demo1sender',
  publicKey: new Uint8Array(33),
  calls: [],
  memo: 'ok\u202e\u009b31m',
  timeoutHeight: 0n,
  fee: [],
  gasLimit: 1n,
}

describe('the whole content of a transaction', () => {
  test('escapes 8-bit controls and marks of writing direction, which JSON leaves as they are', () => {
    const text = renderWhole({ decoded }, plainStyle).join('\n')
    assert.ok(text.includes('ok\\u{202e}\\u{9b}31m'), text)
  })
})

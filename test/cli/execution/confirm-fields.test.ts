import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderWhole } from '../../../src/cli/execution/confirm-fields.js'
import { plainStyle } from '../../../src/render/style.js'

const decoded: Parameters<typeof renderWhole>[0]['decoded'] = {
  chainId: 'demo-1',
  accountNumber: 1n,
  sequence: 2n,
  sender: 'demo1sender',
  publicKey: new Uint8Array(33).fill(2),
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

  test('has every member that is signed', () => {
    const signed = { ...decoded, memo: 'rent', isAmino: true }
    const lines = renderWhole({ decoded: signed }, { ...plainStyle, width: 200 })
    assert.deepEqual(JSON.parse(lines.join('')), {
      sign_mode: 'amino',
      chain_id: 'demo-1',
      account_number: '1',
      sequence: '2',
      sender: 'demo1sender',
      public_key: '02'.repeat(33),
      messages: [],
      memo: 'rent',
      timeout_height: '0',
      fee: [],
      gas_limit: '1',
    })
  })
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { contractOf } from '../../../src/demo-chain/contracts/codes.js'
import { codes } from '../../../src/demo-chain/modules/registry.js'

test('every code of the demo chain has a contract, by its name', () => {
  assert.deepEqual(
    codes().map(({ name }) => [name, contractOf(name).name]),
    [
      ['fin-1.0', 'rujira-fin'],
      ['fin-1.1', 'rujira-fin'],
      ['bow-1.0', 'rujira-bow'],
      ['bow', 'rujira-bow'],
      ['router-forward', 'liquidy-swap'],
      ['router-stack', 'liquidy-swap'],
      ['caller', 'demo-caller'],
      ['router-forward-published', 'liquidy-swap'],
      ['router-stack-published', 'liquidy-swap'],
    ],
  )
})

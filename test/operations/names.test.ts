import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { reasonText } from '../../src/operations/names.js'

describe('the reason of an excluded pair', () => {
  for (const [name, reason, text] of [
    [
      'has a status once that the contract repeats',
      'halted: its configuration was refused: halted: retired: query wasm contract failed: unknown request',
      'halted: its configuration was refused: retired',
    ],
    [
      'has no words of the node after those of the contract',
      'unreadable: its book was refused: Error parsing decimal: query wasm contract failed',
      'unreadable: its book was refused: Error parsing decimal',
    ],
    ['stays as it is otherwise', 'halted: its admin halted it', 'halted: its admin halted it'],
  ] as const)
    test(name, () => assert.equal(reasonText(reason), text))
})

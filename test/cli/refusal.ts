import assert from 'node:assert/strict'
import { SwapError } from '../../src/engine/errors.js'

/** The error that a call throws; its texts in one line are easiest to match. */
export function refusal(run: () => unknown): SwapError & { text: string } {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof SwapError, `not a SwapError: ${error}`)
    return Object.assign(error, { text: `${error.message} | ${error.why} | ${error.hint}` })
  }
  assert.fail('nothing was thrown')
}

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { interruptible, stepLine } from '../../../src/cli/execution/session.js'
import { exitOfError, Interrupted as PromptInterrupted } from '../../../src/cli/exit.js'
import { SwapError } from '../../../src/engine/errors.js'
import { Interrupted } from '../../../src/execution/interrupted.js'
import type { Step } from '../../../src/execution/session.js'
import { displayWidth } from '../../../src/render/width.js'
import { terminal } from '../../render/documents.js'

test('an inclusion has its time after the signature, that of an earlier transaction its hash', () => {
  const step = { stage: 'included', hash: 'A'.repeat(64), height: 1_977 } as const
  const text = (sinceMs?: number) => stepLine(step, terminal(80), sinceMs)!.split(/ {2,}/)[1]
  assert.equal(text(1_234), 'block 1,977 (1.2 s)')
  assert.equal(text(), 'AAAAAA…AAAA in block 1,977')
})

test('steps of an execution fit into forty columns, their texts in one column', () => {
  const hash = 'A'.repeat(64)
  const steps: readonly Step[] = [
    { stage: 'signed', hash, sequence: '117', until: 26_123_456 },
    { stage: 'accepted', hash, by: 'http://127.0.0.1:26657' },
    { stage: 'waiting', hash, height: 26_123_450, until: 26_123_456 },
    { stage: 'uncompared', of: 3 },
    { stage: 'replaced', hash },
  ]
  const lines = steps.map((step) => stepLine(step, terminal(40), undefined)!.split('\n'))
  for (const line of lines.flat()) assert.ok(displayWidth(line) <= 40, line)
  assert.equal(lines[0]![1], `${' '.repeat(16)}until block 26,123,456`)
})

test('a stop is described by what it left: nothing, what stays signed, or what was sent before', async () => {
  const stoppedAt = async (signed?: string, isHeld = false): Promise<SwapError> => {
    const run = interruptible({} as never, async (_, hold) => {
      if (isHeld) hold()
      throw isHeld ? new PromptInterrupted('ctrl-d') : new Interrupted(signed)
    })
    const error: unknown = await run.catch((reason: unknown) => reason)
    assert.ok(error instanceof SwapError)
    assert.equal(exitOfError(error), 130)
    return error
  }
  assert.match((await stoppedAt()).why ?? '', /nothing was changed$/)
  const { why, hint } = await stoppedAt('x_00000001')
  assert.match(why ?? '', /what was signed was not sent$/)
  assert.match(hint ?? '', /swap tx resume x_00000001$/)
  const replaced = await stoppedAt(undefined, true)
  assert.equal(replaced.why, 'you pressed ctrl-d; nothing more was sent')
  assert.match(replaced.hint ?? '', /swap journal$/)
})

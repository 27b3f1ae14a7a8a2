import assert from 'node:assert/strict'
import { test } from 'vitest'
import { renderAddresses } from '../../../../src/cli/commands/serve/run.js'
import { plainStyle } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { terminal } from '../../../render/documents.js'

test('the addresses of swap serve are within the terminal, and two lines in a pipe', () => {
  const text = (style = plainStyle) => renderAddresses('demo', 'http://127.0.0.1:8555', style)
  for (const line of text(terminal(40)).split('\n')) assert.ok(displayWidth(line) <= 40, line)
  assert.match(text(terminal(80)), /\n {2}http {2}http:\S+ {8}docs {2}http:\S+\/docs$/)
  assert.equal(text().split('\n').length, 2)
})

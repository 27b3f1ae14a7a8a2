import assert from 'node:assert/strict'
import { test } from 'vitest'
import { pipeLines } from '../../src/cli/pipe-lines.js'

test('a document in a pipe has a line for each member, in its order', () => {
  const document = {
    name: 'main',
    path: null,
    weak: false,
    kdf: { n: 131_072, r: 8 },
    legs: [{ amount: '1' }, { amount: '2' }],
    absent: undefined,
    note: 'a\tb\nc',
  }
  assert.deepEqual(pipeLines(document).split('\n'), [
    ...['name\tmain', 'path\t', 'weak\tfalse', 'kdf.n\t131072', 'kdf.r\t8'],
    ...['legs.1.amount\t1', 'legs.2.amount\t2', 'note\ta b c'],
  ])
})

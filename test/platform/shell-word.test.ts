import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'vitest'
import { isPlainWord, shellWord } from '../../src/platform/shell-word.js'

/** Every printable character of ASCII, alone and within a word. */
const words = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).flatMap(
  (char) => [char, `${char}a`, `a${char}`, `a${char}b`, `a${char}${char}b`],
)

test.runIf(process.platform !== 'win32')('a shell reads every quoted word as it is', () => {
  const script = `printf '%s\\n' ${words.map(shellWord).join(' ')}`
  const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
  assert.deepEqual(read.split('\n').slice(0, -1), words)
})

test('amounts, denoms and placeholders are not quoted', () => {
  for (const word of ['1.5', '50%', 'btc-btc', 'thor.rune/x', '0x5f', '<token>'])
    assert.equal(shellWord(word), word)
  assert.ok(!isPlainWord('<token>'))
})

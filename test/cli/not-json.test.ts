import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { runIn, runSwap } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'

const home = temporaryFolder()
const secret = join(home, 'words')
writeFileSync(secret, 'abandon abandon about\n')

describe('a file that is not JSON', () => {
  test('is refused without a word of what it holds', async () => {
    for (const call of [
      ['tokens', '--snapshot', secret],
      ['simulate', secret],
      ['execute', secret, '--from', 'demo'],
      ['plan', 'run', secret, '--from', 'demo', '--yes'],
    ]) {
      const { status, stdout, stderr } = await runIn({ home }, [...call, '--json'])
      const { why, detail } = JSON.parse(stdout)
      assert.equal(status, 2, stdout)
      assert.match(`${why} ${detail}`, /it is not JSON/, call.join(' '))
      assert.doesNotMatch(stdout + stderr, /abandon/, call.join(' '))
    }
    await runIn({ home }, ['demo', 'stop'])
  })
})

describe('requests on standard input', () => {
  test('may begin with a byte order mark, which other lines may not', async () => {
    const line = '{"input":{"denom":"rune","amount":"100000000"},"output":{"denom":"btc-btc"}}\n'
    const input = `\ufeff${line}\ufeff${line}`
    const { status, stdout } = await runSwap(['route', '--stdin'], { input })
    const [first, second] = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
    assert.equal(first.routes.length > 0, true, stdout)
    assert.deepEqual([status, second.code], [2, 'INVALID_REQUEST'])
  })
})

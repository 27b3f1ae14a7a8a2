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

  test('is refused where it is nested more than 64 levels deep', async () => {
    const deep = join(home, 'deep.json')
    writeFileSync(deep, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    for (const call of [
      ['tokens', '--snapshot', deep],
      ['simulate', deep],
      ['execute', deep, '--from', 'demo'],
    ]) {
      const { status, stdout } = await runIn({ home }, [...call, '--json'])
      const { why, detail } = JSON.parse(stdout)
      assert.equal(status, 2, stdout)
      assert.match(`${why} ${detail}`, /it is JSON of more than 64 levels/, call.join(' '))
    }
    await runIn({ home }, ['demo', 'stop'])
  })
})

test('a document to sign in which a member is given twice is refused', async () => {
  const twice = join(home, 'twice.json')
  writeFileSync(twice, '{"a":[{"x":1},{"x":1}],"b":{"a":"{","\\u0061":2},"b":3}')
  for (const [why, ...call] of [
    ['it gives "a" twice in one object', 'execute', twice],
    ['it gives "a" twice in one object', 'plan', 'run', twice, '--yes'],
    ['/b/a is given twice', 'tx', 'sign', twice],
  ] as const) {
    const { status, stdout } = await runIn({ home }, [...call, '--from', 'demo', '--json'])
    assert.equal(status, 2, stdout)
    assert.ok(JSON.parse(stdout).detail.includes(why), stdout)
  }
  await runIn({ home }, ['demo', 'stop'])
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

  test('that are not JSON are refused by the number of the line, the place in it and what is expected', async () => {
    const rows = [
      ['hunter2', 'it is not JSON: a value is expected at column 1'],
      ["{'input': 1}", 'it is not JSON: a name in double quotes or "}" is expected at column 2'],
      ['{', 'it is not JSON: a name in double quotes or "}" is expected at its end'],
      ['{"a": 1, "a": 2}', '/a is given twice'],
    ] as const
    // Empty lines are skipped, and counted.
    const input = rows.map(([line]) => `${line}\n \r\n`).join('')
    const { status, stdout } = await runSwap(['route', '--stdin'], { input })
    assert.equal(status, 2)
    assert.doesNotMatch(stdout, /hunter2/)
    const problems = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
    assert.equal(problems.length, rows.length)
    for (const [i, [, why]] of rows.entries()) {
      assert.equal(problems[i].title, 'Invalid request')
      assert.ok(
        problems[i].detail.includes(`line ${2 * i + 1} is not a request that can be read; ${why}`),
        problems[i].detail,
      )
      assert.match(problems[i].hint, /write one JSON object a line/)
    }
  })
})

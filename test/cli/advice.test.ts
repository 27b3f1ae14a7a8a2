import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { describe, test } from 'vitest'
import { runSwap } from '../support/cli.js'
import { built } from '../support/program.js'

const hintOf = async (...call: readonly string[]): Promise<string> =>
  JSON.parse((await runSwap([...call, '--json'])).stdout).hint

describe('advice', () => {
  test('names swap pairs for a word that is no pair', async () => {
    for (const word of ['btc', 'btc-usdc'])
      assert.match(await hintOf('book', word), /all of them: swap pairs$/)
  })
  test('names the command that other programs call by another name', async () => {
    assert.match(await hintOf('split', '1', 'btc', 'rune'), /^did you mean sroute\? /)
    assert.match(await hintOf('rout'), /^did you mean route/)
  })
  test('names --max-cross where an order crosses further than it allows', async () => {
    const call = ['order', 'buy', '10', 'rune', 'usdc', '--price', '50', '--from', 'demo']
    assert.match(await hintOf(...call, '--dry-run'), /--max-cross$/)
    await runSwap(['demo', 'stop'])
  })
})

describe('an unknown token', () => {
  test('has the pointer of its member, and the documented candidates', async () => {
    const pointers = {
      '/input/denom': ['route', '1', 'runr', 'btc'],
      '/output/denom': ['curve', 'btc', 'runr'],
      '/via/0': ['route', '1', 'btc', 'usdc', '--via', 'runr'],
      '/path/0': ['route', '1', 'btc', 'usdc', '--path', 'runr/btc'],
      '/min_out': ['route', '1', 'btc', 'usdc', '--min-out', '1runr'],
      '/base': ['price', 'runr'],
      '/quote': ['price', 'btc', '--in', 'runr'],
      '/token': ['pairs', 'runr'],
      '/pair': ['book', 'runr/btc'],
      '/legs/0/path/1': ['sroute', '2', 'btc', 'usdc', '--legs', '2:btc/usdc,runr/usdc'],
      '/amount': ['book', 'btc/usdc', '--amount', '1runr'],
      '/alias/coin': ['config', 'set', 'alias.coin', 'runr'],
    }
    for (const [pointer, call] of Object.entries(pointers)) {
      const problem = JSON.parse((await runSwap([...call, '--json'])).stdout)
      assert.deepEqual([problem.code, problem.pointer], ['UNKNOWN_TOKEN', pointer])
      assert.ok(problem.candidates.length > 0)
    }
  })
  test('is refused with the number of tokens that swap tokens and swap snapshot show have', async () => {
    const json = async (...call: readonly string[]) =>
      JSON.parse((await runSwap([...call, '--json'])).stdout)
    const count = (await json('tokens')).tokens.length
    assert.equal((await json('snapshot', 'show')).tokens, count)
    for (const call of [
      ['book', 'btc/foo/bar'],
      ['price', 'foo'],
    ])
      assert.ok((await json(...call)).detail.includes(`${count} tokens are known here`))
  })
})

describe('swap --version', () => {
  test('ends with 4 and a message where its output cannot be written', () => {
    built()
    const { status, stderr } = spawnSync(process.execPath, ['bin/swap.js', '--version'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    })
    assert.equal(status, 4)
    assert.match(stderr, /^error: the output could not be written\n +why +stdout: ENOSPC/)
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { renderLegs } from '../../src/cli/commands/history/render.js'
import type { KeyAnswer } from '../../src/cli/commands/keys/key-answer.js'
import { renderKeys } from '../../src/cli/commands/keys/key-info.js'
import { history, isTop } from '../../src/operations/history/history.js'
import { displayWidth } from '../../src/render/width.js'
import { terminal } from '../render/documents.js'
import { runIn } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { legs, portOf } from '../support/history-answers.js'

const home = temporaryFolder('screens')
afterAll(() => runIn({ home }, ['demo', 'stop']))

const key = (name: string): KeyAnswer => ({
  name,
  address: 'thor1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lxa',
  pubkey: '',
  path: "m/44'/931'/0'/0/0",
  format: 'swap.key/1',
  weak: true,
  default: false,
  kdf: { name: 'scrypt', n: 131_072, r: 8, p: 1 },
  created_at: '2026-11-22T00:00:00Z',
  limits: { per_tx_usd: null, per_day_usd: null },
  backup: 'checked',
  file: '/k',
})

describe('a screen of any width', () => {
  for (const call of ['demo', 'demo fail', 'journal', 'price btc', 'version', 'doctor'])
    test(`of swap ${call} has no line that is wider`, async () => {
      for (const width of [40, 60, 80]) {
        const words = [...call.split(' '), '-o', 'human', '--width', `${width}`]
        const { stdout } = await runIn({ home }, words)
        assert.notEqual(stdout, '')
        for (const line of stdout.split('\n'))
          assert.ok(displayWidth(line) <= width || /\S{29}/.test(line), line)
      }
    })
})

describe('a screen of 80 columns', () => {
  test('of the keys has every address whole, at any width', () => {
    for (const width of [40, 60, 80, 120]) {
      const lines = renderKeys([key('main'), key('a-name-that-is-long')], terminal(width))
      assert.equal(lines.match(/thor1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lxa/g)?.length, 2)
      assert.doesNotMatch(lines, / $/m)
    }
  })
  test('of the configuration is a table whose long values are cut in the middle', async () => {
    const file = join(home, '.swaprc')
    const rpc = ['one', 'two', 'three'].map((name) => `https://${name}.rpc.example.com:26657/path`)
    writeFileSync(file, `rpc: [${rpc.join(', ')}]\nslippage: 0.3%\n`)
    const { stdout } = await runIn({ home, isTerminal: true }, ['config', 'list'])
    const [head = '', ...rows] = stdout.trimEnd().split('\n')
    assert.match(head, /^ {2}KEY +VALUE +FROM +WHERE/)
    for (const row of [head, ...rows]) assert.ok(displayWidth(row) <= 80, row)
    const from = head.indexOf('FROM')
    for (const row of rows) assert.match(row.slice(from), /^(default|user)\b/, row)
    assert.match(stdout, /rpc +https:\/\/one.*….*path +user/)
  })
  test('of the history is a table with the longest amounts and names', async () => {
    const denom = `x/${'staking-x-and-more-'.repeat(3)}ruji`
    const long = {
      ...legs[0]!,
      input: { denom, amount: 123_456_789_012_345_678n },
      output: { denom: 'rune', amount: 999_999_999_999_999n },
      path: [denom, 'rune'],
    }
    const token = { ...demo.tokens.get('rune')!, denom, symbol: denom }
    const tokens = new Map([...demo.tokens, [denom, token]])
    const answer = await history(portOf([long]), {})
    assert.ok(!isTop(answer))
    const context = { network: 'demo', request: {}, tokens }
    const screen = renderLegs(answer, context, terminal(80))
    assert.match(screen, /^ {2}UTC .* OUT +\$/m)
    for (const line of screen.split('\n')) assert.ok(displayWidth(line) <= 80, line)
  })
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { documentCsv } from '../../src/cli/print-answer.js'
import { runSwap } from '../support/cli.js'
import { closingLast } from '../support/closing.js'
import { temporaryFolder } from '../support/folder.js'
import { blocksOf, recordTape } from '../support/tape.js'
import { type Network, network } from './commands/execute/stage.js'

const folder = temporaryFolder('csv')
const [tape, plan] = [join(folder, 'blocks.tape'), join(folder, 'plan')]
let net: Network
beforeAll(async () => {
  net = closingLast(await network())
  await recordTape(tape, blocksOf(2))
  const slices = ['--slices', '2', '--every', '1s']
  await runSwap(['plan', 'twap', '0.1', 'btc', 'rune', ...slices, '--file', plan])
})

const calls: readonly (readonly [call: readonly string[], row: RegExp])[] = [
  [['doctor', '--offline'], /^checks\.1\.name,program$/m],
  [['tape', 'show', tape], /^blocks,2$/m],
  [['plan', 'show', plan], /^[a-z_.]*slices[a-z_.\d]*,/m],
  [['keys', 'list'], /^keys\.1\.name,demo$/m],
  [['keys', 'show', 'demo'], /^name,demo$/m],
  [['demo', 'status'], /^running,false$/m],
  [['demo', 'fail'], /^kinds\.1\.kind,/m],
  [['demo', 'stop'], /^stopped,false$/m],
  [['schema', 'tokens', 'answer'], /^title,answer of swap tokens$/m],
  [['config', 'list'], /^values\.1\.key,/m],
  [['version'], /^version,/m],
]

const isCsv = (text: string, row: RegExp): void => {
  assert.match(text, /^key,value\r\n/)
  assert.doesNotMatch(text, /\t/)
  assert.match(text.replaceAll('\r\n', '\n'), row)
}

describe('--csv of a document without rows is a row for each member', () => {
  for (const [call, row] of calls)
    test(`of swap ${call.slice(0, 2).join(' ')}`, async () => {
      const { status, stdout, stderr } = await runSwap([...call, '--csv'])
      assert.equal(status, 0, stderr)
      isCsv(stdout, row)
    })
  test('of swap simulate', async () => {
    isCsv((await net.run('simulate', '0.1', 'btc', 'rune', '--csv')).stdout, /^network,/m)
  })
  test('of values that hold commas, quotes and formulas', () =>
    assert.equal(
      documentCsv({ a: 'x, "y"', b: { c: [{ d: '=1+1' }, { d: -1.5 }] }, e: null }),
      'key,value\r\na,"x, ""y"""\r\nb.c.1.d,\'=1+1\r\nb.c.2.d,-1.5\r\ne,\r\n',
    ))
})

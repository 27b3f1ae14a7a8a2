import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { documentCsv } from '../../src/cli/print-answer.js'
import { runSwap } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { blocksOf, recordTape } from '../support/tape.js'
import { network } from './commands/execute/stage.js'

const folder = temporaryFolder('csv')
const tape = join(folder, 'blocks.tape')
const plan = join(folder, 'plan')
const net = await network()
await recordTape(tape, blocksOf(2))
const slices = ['--slices', '2', '--every', '1s']
await runSwap(['plan', 'twap', '0.1', 'btc', 'rune', ...slices, '--file', plan])

/** Documents without a list, with a row of theirs. */
const members: readonly (readonly [call: readonly string[], row: RegExp])[] = [
  [['tape', 'show', tape], /^blocks,2$/m],
  [['keys', 'show', 'demo'], /^name,demo$/m],
  [['demo', 'status'], /^running,false$/m],
  [['demo', 'stop'], /^stopped,false$/m],
  [['schema', 'tokens', 'answer'], /^title,answer of swap tokens$/m],
  [['config', 'get', 'slippage'], /^value,0\.5%$/m],
  [['version'], /^version,/m],
]

/** Lists, with their headings, the number of their elements in the document, and a row. */
const lists: readonly (readonly [call: readonly string[], head: string, list: string, RegExp])[] = [
  [['doctor', '--offline'], 'status,name,message,why,do', 'checks', /^ok,program,/m],
  [
    ['plan', 'show', plan, '--from', 'demo'],
    'due,state,in_symbol,in_denom,in_atomic,in_human,out_symbol,out_denom,out_atomic,out_human,tx_hash',
    'slices',
    /^[-\dT:.Z]+,due,BTC,btc-btc,5000000,0\.05,RUNE,rune,,,$/m,
  ],
  [
    ['keys', 'list'],
    'name,address,pubkey,path,format,sign_mode,weak,created_at,default,backup,file',
    'keys',
    /^demo,demo1\w+,0[23]\w+,m\/[\d'/]+,built-in,,false,,false,,$/m,
  ],
  [['demo', 'fail', 'off'], 'kind,n,once,until,method,pair', 'ended', /pair\n$/],
  [['demo', 'fail'], 'kind,group,number,does,sees', 'kinds', /^slow,connection,seconds: 5,/m],
  [
    ['config', 'list', '--timeout', '7s'],
    'key,value,origin,file,line,env,overrides,ignored',
    'values',
    /^timeout,7s,flag,,,,default: \d+s,false$/m,
  ],
  [['config', 'path'], 'origin,path,exists', 'files', /^user,.*\.swaprc,false$/m],
]

const isCsv = (text: string, head: string, row: RegExp): void => {
  assert.equal(text.split('\r\n')[0], head)
  assert.doesNotMatch(text, /\t/)
  assert.match(text.replaceAll('\r\n', '\n'), row)
}

const csvOf = async (call: readonly string[]): Promise<string> => {
  const { status, stdout, stderr } = await runSwap([...call, '--csv'])
  assert.equal(status, 0, stderr)
  return stdout
}

describe('--csv of a list is a row for each of its elements', () => {
  for (const [call, head, list, row] of lists)
    test(`of swap ${call.filter((word) => /^[a-z]+$/.test(word)).join(' ')}`, async () => {
      const text = await csvOf(call)
      isCsv(text, head, row)
      const document = JSON.parse((await runSwap([...call, '--json'])).stdout)
      assert.equal(text.split('\r\n').length, document[list].length + 2)
    })
  test('of swap simulate, with the legs', async () => {
    const { stdout } = await net.run('simulate', '0.1', 'btc', 'rune', '--csv')
    const row =
      /^BTC,btc-btc,10000000,0\.1,RUNE,rune,(\d+),(\d+\.\d+),\1,\2,\d+,\d+\.\d+,0,0,0,,0,true\n$/m
    isCsv(stdout, `${SIMULATED},tolerance_bps,within`, row)
  })
})

const SIMULATED =
  'in_symbol,in_denom,in_atomic,in_human,out_symbol,out_denom,simulated_output,simulated_output_human,returned,returned_human,fee,fee_human,difference,difference_human,difference_bps,refused'

describe('--csv of a document without rows is a row for each member', () => {
  for (const [call, row] of members)
    test(`of swap ${call.slice(0, 2).join(' ')}`, async () =>
      isCsv(await csvOf(call), 'key,value', row))
  test('of values that hold commas, quotes and formulas', () =>
    assert.equal(
      documentCsv({ a: 'x, "y"', b: { c: [{ d: '=1+1' }, { d: -1.5 }] }, e: null }),
      'key,value\r\na,"x, ""y"""\r\nb.c.1.d,\'=1+1\r\nb.c.2.d,-1.5\r\ne,\r\n',
    ))
})

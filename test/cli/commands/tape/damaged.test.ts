import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { blocksOf, recordTape } from '../../../support/tape.js'

const folder = temporaryFolder('tape')
const torn = join(folder, 'torn.tape')
const damaged = join(folder, 'damaged.tape')
const markets = blocksOf(5)
const first = markets[0]!.height

/** A byte of the last block, and one of a block before it. */
beforeAll(async () => {
  const bytes = readFileSync(await recordTape(join(folder, 'whole.tape'), markets))
  const three = readFileSync(await recordTape(join(folder, 'three.tape'), markets.slice(0, 3)))
  writeFileSync(torn, bytes.subarray(0, -1))
  bytes[three.length - 1]! ^= 1
  writeFileSync(damaged, bytes)
})

const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('a tape with a part left out', () => {
  for (const call of [
    'route 0.1 btc usdc --snapshot TAPE',
    'route 0.1 btc usdc --tape TAPE --at last --slippage auto',
    'tape replay TAPE -q -- route 0.1 btc usdc',
    'tape drift TAPE --pairs btc/usdc --blocks 1',
  ])
    test(`is named once by swap ${call}, with the last block that was read`, async () => {
      const rows = [
        [torn, `${torn}: the last block is incomplete and left out: `, first + 3],
        [damaged, `${damaged}: the tape is damaged and its end left out: `, first + 1],
      ] as const
      for (const [path, text, last] of rows) {
        const { status, stderr } = await runSwap(call.replace('TAPE', path).split(' '))
        assert.equal(status, 0, stderr)
        const [, note = '', ...more] = flat(stderr).split(text)
        assert.match(note, new RegExp(`^[\\d,]+ bytes after block ${last}\\b`), stderr)
        assert.deepEqual(more, [])
      }
    })
  test('is refused where it is damaged by verify and record, with the command that saves its blocks', async () => {
    for (const call of [
      ['tape', 'verify', damaged],
      ['tape', 'record', damaged, '--blocks', '1'],
    ]) {
      const { status, stderr } = await runSwap(call)
      assert.equal(status, 2)
      assert.match(flat(stderr), /do save the blocks before it: swap tape cut <file> <new file> /)
    }
    const { status, stderr } = await runSwap(['tape', 'cut', damaged, join(folder, 'new.tape')])
    assert.equal(status, 0, stderr)
  })
})

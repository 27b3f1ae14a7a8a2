import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { firstMarket } from '../../src/demo-chain/process/open-chain.js'
import { openRecorder } from '../../src/tape/recorder.js'
import { marketsOf, readTape } from '../../src/tape/tape.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { blocksOf } from '../support/tape.js'

const BLOCKS = 10_000

describe.runIf(LONG)('a tape of 10,000 blocks of 58 pairs', () => {
  test('has at most 50 MB, and is replayed as a whole', async () => {
    const drawn = blocksOf(150, 1, firstMarket(1))
    const path = join(temporaryFolder('size'), 'blocks.tape')
    const recorder = await openRecorder(path)
    // Forwards and backwards again: each block differs from the one before as on the chain.
    const turn = 2 * drawn.length - 2
    for (let i = 0; i < BLOCKS; i++) {
      const at = i % turn
      const market = drawn[at < drawn.length ? at : turn - at]!
      recorder.append({ ...market, height: drawn[0]!.height + i })
    }
    recorder.close()
    const { size } = statSync(path)
    const start = process.cpuUsage()
    let replayed = 0
    for (const { books } of marketsOf(readTape(path))) replayed += books.size > 0 ? 1 : 0
    const { user, system } = process.cpuUsage(start)
    const perSecond = Math.round((replayed * 1e6) / (user + system))
    console.log(`${size} bytes, ${perSecond} blocks a second of processor time`)
    assert.equal(replayed, BLOCKS)
    assert.ok(size <= 50e6)
  }, 600_000)
})

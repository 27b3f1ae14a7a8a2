import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { demoOptions } from '../../../src/demo-chain/blocks/chain-options.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { savedDemoMarket } from '../../../src/demo-chain/index.js'
import { type DemoFiles, filesIn } from '../../../src/demo-chain/process/files.js'
import { openChain } from '../../../src/demo-chain/process/open-chain.js'
import { grow, majorPairs } from '../../support/chain.js'
import { temporaryFolder } from '../../support/folder.js'

const fresh = (): DemoFiles => filesIn(temporaryFolder('saved'))

/** Makes so many blocks on the chain of these files; returns its market after them. */
function documentAfter({ state }: DemoFiles, blocks: number): object {
  const { chain, close } = openChain(demoOptions, () => majorPairs, state)
  grow(chain, blocks)
  close()
  return JSON.parse(JSON.stringify(marketSnapshotOf(chain))) as object
}

const read = async (files: DemoFiles): Promise<unknown> =>
  JSON.parse(JSON.stringify(await savedDemoMarket(files)))

describe('the market of a stopped demo chain', () => {
  test('is none without a state file', async () => {
    assert.equal(await savedDemoMarket(fresh()), undefined)
  })

  test('is that of the newest block, whenever it was read before', async () => {
    const files = fresh()
    for (const blocks of [2, 1, 3]) {
      const market = documentAfter(files, blocks)
      assert.deepEqual(await read(files), market)
      assert.deepEqual(await read(files), market)
    }
  })

  test('is kept, so that the state file is not computed again', async () => {
    const files = fresh()
    documentAfter(files, 2)
    await savedDemoMarket(files)
    const kept = JSON.parse(readFileSync(files.market, 'utf8')) as { market: { height: number } }
    kept.market.height += 1
    writeFileSync(files.market, JSON.stringify(kept))
    assert.deepEqual(await savedDemoMarket(files), kept.market)
  })

  test('is refused where a folder has the name of the state file', async () => {
    const files = fresh()
    mkdirSync(files.state, { recursive: true })
    await assert.rejects(savedDemoMarket(files), /it is not a regular file|is not a state file/)
  })

  test('is computed where the kept one is damaged, or its block was cut off', async () => {
    const files = fresh()
    const before = documentAfter(files, 2)
    const whole = readFileSync(files.state).length
    const after = documentAfter(files, 1)
    await savedDemoMarket(files)
    writeFileSync(files.market, 'null')
    assert.deepEqual(await read(files), after)
    truncateSync(files.state, whole + 10)
    assert.deepEqual(await read(files), before)
    writeFileSync(files.market, 'null')
    assert.deepEqual(await read(files), before)
    rmSync(files.state)
    assert.equal(await savedDemoMarket(files), undefined)
  })
})

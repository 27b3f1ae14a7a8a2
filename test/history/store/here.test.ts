import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { blocksOf, contentsOf, fileDrivers, inFolder, openAt } from '../../support/history.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const blocks = blocksOf(syntheticChain(7), 1, 40)

describe('a database file opened on the calling thread', () => {
  test('has the contents of one on a separate thread, and is read while it is written', async () => {
    await inFolder(async (folder) => {
      for (const driver of fileDrivers) {
        const contents = new Set<string>()
        for (const here of [false, true]) {
          const database = join(folder, `${driver}-${here}.db`)
          const store = await openAt(database, { driver, here })
          const leadership = await store.lead()
          const heights: number[] = []
          for (let at = 0; at < blocks.length; at += 10) {
            const written = store.commitBlocks(leadership, blocks.slice(at, at + 10))
            const read = Array.from({ length: 5 }, async () => (await store.figures()).swaps)
            const paged = store.page({ by: 'latest' }, { page: 1, limit: 100 })
            await Promise.all([written, paged])
            heights.push(...(await Promise.all(read)))
          }
          assert.deepEqual(
            heights,
            heights.toSorted((a, b) => a - b),
          )
          await leadership.release()
          assert.ok((await store.figures()).swaps > 0)
          await store.close()
          contents.add(await contentsOf(database, driver))
        }
        assert.equal(contents.size, 1, driver)
      }
    })
  })
  test('is damaged where the values of a row were changed to texts that are none', async () => {
    await inFolder(async (folder) => {
      for (const driver of fileDrivers) {
        const database = join(folder, `${driver}.db`)
        const store = await openAt(database, { driver, here: true })
        await store.commitBlocks(await store.lead(), blocks)
        await store.close()
        const changed = readFileSync(database, 'latin1').replaceAll('["', 'x"')
        writeFileSync(database, changed, 'latin1')
        const opened = await openAt(database, { driver, here: true })
        const page = opened.page({ by: 'latest' }, { page: 1, limit: 100 })
        await assert.rejects(page, { code: 'NOT_READY', kind: 'corrupt', hint: /--reindex/ })
        await opened.close()
      }
    })
  })

  test('can be opened twice, and has the same error when it cannot be read', async () => {
    await inFolder(async (folder) => {
      for (const driver of fileDrivers) {
        const database = join(folder, `${driver}.db`)
        const writes = await openAt(database, { driver, here: true })
        const reads = await openAt(database, { driver })
        await writes.commitBlocks(await writes.lead(), blocks)
        assert.deepEqual(await reads.figures(), await writes.figures())
        await Promise.all([reads.close(), writes.close()])
        const damaged = readFileSync(database).fill(0xa5, 0, 100)
        writeFileSync(database, damaged)
        const expected = { code: 'NOT_READY', kind: 'corrupt', hint: /move the file away/ }
        await assert.rejects(openAt(database, { driver, here: true }), expected)
      }
    })
  })
})

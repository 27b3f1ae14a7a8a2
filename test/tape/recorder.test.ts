import assert from 'node:assert/strict'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { openRecorder } from '../../src/tape/recorder.js'
import { documentsOf, readTape } from '../../src/tape/tape.js'
import { temporaryFolder } from '../support/folder.js'
import { blocksOf } from '../support/tape.js'

const folder = temporaryFolder('recorder')
const markets = blocksOf(4)
const first = markets[0]!.height

describe('a recorder', () => {
  test('refuses a second recorder, another chain, and a chain that was reset', async () => {
    const file = join(folder, 'a.tape')
    const recorder = await openRecorder(file)
    await assert.rejects(openRecorder(file), {
      code: 'BUSY',
      why: `process ${process.pid} holds it`,
    })
    assert.equal(recorder.dropped, undefined)
    assert.deepEqual([recorder.last(), recorder.bytes()], [undefined, 12])
    recorder.append(markets[1]!)
    assert.deepEqual([recorder.last(), recorder.bytes()], [first + 1, readFileSync(file).length])
    for (const earlier of markets.slice(0, 2))
      assert.throws(() => recorder.append(earlier), { why: /it was reset/ })
    assert.throws(() => recorder.append({ ...markets[2]!, chainId: 'other-1' }), { why: /other-1/ })
    recorder.close()
    const again = await openRecorder(file)
    assert.throws(() => again.append({ ...markets[2]!, chainId: 'other-1' }), { why: /other-1/ })
    again.close()
  })
  test('refuses a second recorder by a link to its file', async () => {
    const [file, link] = [join(folder, 'b.tape'), join(folder, 'link.tape')]
    const recorder = await openRecorder(file)
    symlinkSync(file, link)
    await assert.rejects(openRecorder(link), { code: 'BUSY' })
    recorder.close()
    const byLink = await openRecorder(link)
    await assert.rejects(openRecorder(file), { code: 'BUSY' })
    byLink.close()
  })
  test('begins again with a whole block behind one that it could not write', async () => {
    const file = join(folder, 'e.tape')
    const recorder = await openRecorder(file)
    recorder.append(markets[0]!)
    assert.throws(() => recorder.append({ ...markets[1]!, height: 2 ** 50 }), RangeError)
    recorder.append(markets[2]!)
    recorder.close()
    const heights = [...documentsOf(readTape(file), {})].map(({ frame }) => frame.height)
    assert.deepEqual(heights, [first, first + 2])
  })
  test('ends when its file or its lock is removed', async () => {
    for (const name of ['c.tape', 'd.tape']) {
      const file = join(folder, name)
      const recorder = await openRecorder(file)
      recorder.append(markets[0]!)
      rmSync(name === 'c.tape' ? file : `${file}.lock`)
      assert.throws(() => recorder.append(markets[1]!), { why: /was removed/ })
      recorder.close()
    }
  })
})

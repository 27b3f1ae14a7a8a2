import assert from 'node:assert/strict'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { readTape, verify } from '../../../../src/tape/tape.js'
import { temporaryFolder } from '../../../support/folder.js'
import { LONG } from '../../../support/long.js'
import { network } from '../execute/stage.js'

const KILLS = 200

describe.runIf(LONG)('a recorder that is killed', () => {
  test('at any moment loses at most the block that it was writing, and the next one continues', async () => {
    const net = await network()
    const file = join(temporaryFolder('killed'), 'blocks.tape')
    const blocks = setInterval(() => net.real.makeBlock(), 25)
    const before = () => readTape(file).frames.map(({ height }) => height)
    let known = [] as readonly number[]
    let torn = 0
    let grown = 0
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const recorder = net.begin('tape', 'record', file)
        const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0
        const start = size()
        const deadline = Date.now() + 10_000
        while (size() <= start && Date.now() < deadline) await wait(2)
        await wait((kill * 37) % 160)
        recorder.kill()
        await recorder.ended
        const heights = before()
        assert.deepEqual(heights.slice(0, known.length), known)
        const { rest } = readTape(file)
        assert.ok(rest === undefined || rest.isTorn)
        if (rest !== undefined) torn++
        if (heights.length > known.length) grown++
        known = heights
      }
      assert.equal(verify(readTape(file)).blocks, known.length)
      console.log(`${KILLS} kills: ${known.length} blocks, ${torn} torn, ${grown} recorded more`)
      assert.ok(grown > KILLS / 2)
    } finally {
      clearInterval(blocks)
      rmSync(file, { force: true })
    }
  }, 1_200_000)
})

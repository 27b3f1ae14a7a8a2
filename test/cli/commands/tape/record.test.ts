import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { readTape, verify } from '../../../../src/tape/tape.js'
import { freshHome } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { network } from '../execute/stage.js'

const folder = temporaryFolder('record')
const net = await network()
const demo = freshHome()

describe('swap tape record', () => {
  test('appends the blocks of a network, and continues where it ended', async () => {
    const file = join(folder, 'blocks.tape')
    for (const blocks of [1, 2]) {
      const answer = await net.run('tape', 'record', file, '--blocks', '1', '--json')
      assert.equal(answer.status, 0, answer.stderr)
      assert.equal(JSON.parse(answer.stdout).blocks, 1)
      assert.equal(verify(readTape(file)).blocks, blocks)
      net.real.makeBlock()
    }
  })

  test('ends with a sentence that is wrapped where a word allows it', async () => {
    const file = join(folder, 'wrapped.tape')
    const flags = ['--blocks', '1', '-o', 'human', '--width', '40']
    const { stdout } = await net.run('tape', 'record', file, ...flags)
    assert.match(stdout, /1 block written/)
    for (const line of stdout.trimEnd().split('\n'))
      assert.ok(line.length <= 40 || line === `${file}:`, line)
  })

  test('names a file that cannot be written, and the reason', async () => {
    const from = join(folder, 'blocks.tape')
    for (const [to, why] of [
      [join(folder, 'none', 'x.tape'), 'its folder does not exist (ENOENT)'],
      [join(from, 'x.tape'), 'a part of its path is a file, not a folder (ENOTDIR)'],
    ] as const)
      for (const call of [
        ['tape', 'record', to, '--blocks', '1'],
        ['tape', 'cut', from, to],
      ]) {
        const { status, stdout } = await net.run(call[0]!, ...call.slice(1), '--json')
        const problem = JSON.parse(stdout)
        assert.deepEqual([status, problem.code], [2, 'INVALID_REQUEST'], stdout)
        assert.ok(problem.detail.includes(`${to} cannot be written; ${why}`), problem.detail)
      }
    const { stdout } = await net.run('tape', 'record', folder, '--blocks', '1', '--json')
    assert.match(JSON.parse(stdout).detail, /cannot be written; it is a folder \(EISDIR\)/)
    const standard = await net.run('tape', 'record', '-', '--blocks', '1')
    assert.deepEqual([standard.status, standard.stdout], [2, ''])
    assert.match(standard.stderr, /a tape cannot be recorded to standard output/)
  })

  test.skipIf(process.platform === 'win32')('refuses a link to no file', async () => {
    const link = join(folder, 'link.tape')
    symlinkSync(join(folder, 'nothing.tape'), link)
    const { status, stderr } = await net.run('tape', 'record', link, '--blocks', '1')
    assert.equal(status, 2)
    assert.match(stderr, /why +it is a symbolic link to a file that does not exist \(EEXIST\)/)
    assert.match(stderr, /do +remove the link/)
  })

  test('ends with the status of a chain that does not answer while the demo chain is read', async () => {
    const { status, stderr } = await demo.swap(
      ...['tape', 'record', join(folder, 'late.tape'), '--timeout', '1ms'],
    )
    assert.match(stderr, /none came within 1 ms/)
    assert.equal(status, 4)
  })

  test('refuses a saved market', async () => {
    const call = ['tape', 'record', join(folder, 'other.tape'), '--snapshot', join(folder, 'x')]
    const { status, stderr } = await net.run(call[0]!, ...call.slice(1))
    assert.equal(status, 2)
    assert.match(stderr, /a saved market cannot be recorded/)
  })
})

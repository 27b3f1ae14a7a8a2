import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { bin, DEMO, type Ended, network } from './stage.js'

const net = await network()

const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo', '--yes', '--slippage', '1%']

/** Where the record of signatures is. */
const limitsFolder = (): string => join(net.home, 'state-home', 'swap-limits')

/** Bytes of a block of `ulimit -f`. */
const BLOCK = 512

/** Runs a command line as a process whose files may have so many blocks. */
const runWithin = (blocks: number, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const words = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, bin, ...args]
    const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...net.env }
    execFile('sh', words, { cwd: net.home, env }, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), stdout, stderr })
    })
  })

describe.runIf(process.platform === 'linux')('a disk that is full after a part of a write', () => {
  test('prevents the signature whose record it has cut off from being sent', async () => {
    const folder = limitsFolder()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `demo-1.${DEMO}.jsonl`), '\n'.repeat(256 * BLOCK - 20))
    const { status, stderr } = await runWithin(256, ...swap)
    assert.match(stderr, /the record of signatures cannot be used/)
    assert.equal(status, 4)
    assert.equal((await net.run('journal', '-q')).stdout, '')
    assert.equal((await net.run(...swap)).status, 0)
  })

  test('leaves a transaction that is not in the journal out of the daily limit', async () => {
    const call = [...swap, '--limits-per-day-usd', '1.3']
    rmSync(limitsFolder(), { recursive: true, force: true })
    for (let attempts = 0; attempts < 2; attempts += 1) {
      const { status, stderr } = await runWithin(2, ...call)
      assert.match(stderr, /the journal cannot be used[\s\S]*let files be larger \(ulimit -f\)/)
      assert.equal(status, 4)
    }
    assert.equal((await net.run(...call)).status, 0)
  })

  test('is reported with the tape that it cuts off, and no lock remains', async () => {
    const [tape, part] = [join(net.home, 'blocks.tape'), join(net.home, 'part.tape')]
    await net.run('tape', 'record', tape, '--blocks', '1')
    const blocks = Math.floor(statSync(tape).size / BLOCK)
    for (const words of [
      ['cut', tape, part],
      ['record', part, '--blocks', '1'],
    ]) {
      const { status, stderr } = await runWithin(blocks, 'tape', ...words)
      assert.match(stderr, /part\.tape cannot be written/)
      assert.equal(status, 4)
      assert.deepEqual(
        readdirSync(net.home).filter((name) => name.endsWith('.lock')),
        [],
      )
    }
  })

  test('is named in the advice on a setting and on the file of a secret, of which nothing remains', async () => {
    const secret = join(net.home, 'password')
    writeFileSync(secret, 'zebra-quartz-Mango-9471-lantern', { mode: 0o600 })
    for (const words of [
      ['config', 'set', 'slippage', '1%', '--config', join(net.home, 'new.yaml')],
      ['keys', 'new', 'main', '--password-file', secret, '--mnemonic-file', 'words'],
    ]) {
      const { status, stderr } = await runWithin(0, ...words)
      assert.equal(status, 4)
      assert.match(stderr, /EFBIG/)
      assert.match(stderr, /ulimit -f/)
      const files = readdirSync(net.home, { recursive: true }).map(String)
      assert.deepEqual(
        files.filter((name) => /new|words|main/.test(name)),
        [],
      )
    }
  })
})

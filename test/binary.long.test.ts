import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { run } from './library/consumer.js'
import { temporaryFolder } from './support/folder.js'

const HOUR = 3_600_000
/** Bytes of the file at most, as it is downloaded. */
const MOST = 50_000_000

const program = resolve('dist.binary/swap')
const home = temporaryFolder('binary')
let missing = ''
beforeAll(async () => {
  try {
    // Without its build, which would replace the program that other tests run.
    await run(process.execPath, ['packaging/binary.mjs'])
  } catch (error) {
    missing = `the single-file program cannot be built here: ${String(error).slice(0, 300)}`
    console.warn(`NOT TESTED: ${missing}`)
  }
}, HOUR)

const swap = (...args: readonly string[]): Promise<string> =>
  run('env', ['-i', 'PATH=/usr/bin:/bin', `HOME=${home}`, program, ...args], home)

describe('the single-file program', () => {
  test(
    'has at most 50 MB as it is downloaded, and quotes in an empty home',
    async ({ skip }) => {
      if (missing !== '') skip(missing)
      assert.match(await swap('route', '1.5', 'btc', 'rune', '-q'), /^\d+\.\d+\n$/)
      const size = await run('sh', ['-c', `gzip -6c ${program} | wc -c`])
      assert.ok(Number(size) <= MOST, `${size} bytes`)
    },
    HOUR,
  )
  test(
    'starts the demo chain, makes a key, executes a swap and reads the history',
    async ({ skip }) => {
      if (missing !== '') skip(missing)
      writeFileSync(join(home, 'pw'), randomBytes(18).toString('base64'), { mode: 0o600 })
      try {
        await swap('keys', 'new', 'main', '--password-file', 'pw', '--mnemonic-file', 'words')
        await swap('demo', 'faucet', 'main', '1000rune')
        const guarded = ['--password-file', 'pw', '--yes', '--slippage', '0.5%', '--json']
        const report = await swap('execute', '100', 'rune', 'usdc', '--from', 'main', ...guarded)
        assert.ok(JSON.parse(report))
        assert.match(await swap('history', '--sync'), /\tswap\t/)
        assert.ok(readFileSync(join(home, 'words'), 'utf8').split(/\s+/).length >= 24)
      } finally {
        await swap('demo', 'stop')
      }
    },
    HOUR,
  )
  test(
    'unpacks without a home to a folder for temporary files that no other user may have made',
    async ({ skip }) => {
      if (missing !== '') skip(missing)
      const user = process.getuid!()
      const version = (temporary: string) =>
        run('env', ['-i', `TMPDIR=${temporary}`, 'HOME=/dev/null', program, 'version'], temporary)
      const open = temporaryFolder('binary')
      mkdirSync(join(open, `swap-${user}`))
      chmodSync(join(open, `swap-${user}`), 0o777)
      assert.match(await version(open), /^swap \d/)
      const folder = join(open, `swap-binary-${user}`)
      assert.equal(lstatSync(folder).mode & 0o777, 0o700)
      const linked = temporaryFolder('binary')
      symlinkSync(folder, join(linked, `swap-binary-${user}`))
      await assert.rejects(version(linked), /no folder to unpack the program to/)
    },
    HOUR,
  )
})

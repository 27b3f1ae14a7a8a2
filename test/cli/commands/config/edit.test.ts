import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { built, type Ended, swap } from '../../../support/program.js'
import { inTerminal } from '../../../support/terminal.js'

let home: string
beforeAll(built)
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'swap-edit-'))
  mkdirSync(join(home, 'tmp'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const rc = () => join(home, '.swaprc')
const mine = () => readFileSync(rc(), 'utf8')

/** An editor that is a line of shell; `$1` is the file. */
function editor(script: string): string {
  const file = join(home, 'editor')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}
const env = (program: string) => ({
  HOME: home,
  SWAP_HOME: home,
  EDITOR: program,
  TMPDIR: join(home, 'tmp'),
})
const edit = (script: string, ...args: readonly string[]): Ended =>
  swap(['config', 'edit', ...args], { env: env(editor(script)), cwd: home })

describe('swap config edit', () => {
  test('puts what the editor leaves in the place of the file, and keeps its mode', () => {
    writeFileSync(rc(), '# mine\nlimit: 3\n', { mode: 0o640 })
    const { status, stdout, stderr } = edit('sed -i s/3/4/ "$1"')
    assert.deepEqual([status, stdout, stderr], [0, '~/.swaprc is changed, and can be used\n', ''])
    assert.equal(mine(), '# mine\nlimit: 4\n')
    assert.equal(statSync(rc()).mode & 0o777, 0o640)
  })
  test('begins a new file with what can stand there, and makes none when nothing was written', () => {
    assert.equal(
      edit('grep -q "settings of swap" "$1" || exit 9').stdout,
      '~/.swaprc is as it was\n',
    )
    assert.ok(!existsSync(rc()))
    edit('echo "slippage: 0.3%" >>"$1"')
    assert.match(mine(), /^# settings[\s\S]*\nslippage: 0\.3%\n$/)
    assert.equal(statSync(rc()).mode & 0o777, 0o600)
  })
  test('changes nothing when the result cannot be used, and says what and where', () => {
    writeFileSync(rc(), 'limit: 3\n')
    const { status, stderr } = edit('echo "slippage: a lot" >>"$1"')
    assert.equal(status, 2)
    assert.match(stderr, /~\/\.swaprc:2/)
    assert.equal(mine(), 'limit: 3\n')
  })
  test('changes nothing when the editor fails, and is exit 8', () => {
    writeFileSync(rc(), 'limit: 3\n')
    const { status, stderr } = edit('echo "limit: 4" >"$1"; exit 1')
    assert.equal(status, 8)
    assert.match(stderr, /nothing was changed/)
    assert.equal(mine(), 'limit: 3\n')
  })
  test('tells keys that mean nothing, and leaves no copy behind', () => {
    const { status, stderr } = edit('echo "slipage: 0.3%" >>"$1"')
    assert.equal(status, 0)
    assert.match(stderr, /no setting is called "slipage".*slippage/)
    assert.equal(readFileSync(rc(), 'utf8').includes('slipage'), true)
    assert.deepEqual(readdirSync(join(home, 'tmp')), [])
  })
  test('opens a file that no other command can read', () => {
    writeFileSync(rc(), 'slippage: [\n')
    assert.equal(swap(['tokens'], { env: env(''), cwd: home }).status, 2)
    const { status } = edit('echo "slippage: 0.3%" >"$1"')
    assert.equal(status, 0)
    assert.equal(mine(), 'slippage: 0.3%\n')
  })
  test('takes an editor with arguments, VISUAL before EDITOR', () => {
    writeFileSync(rc(), 'limit: 3\n')
    const visual = { ...env('false'), VISUAL: `${editor('echo "limit: $2" >"$3"')} -x 5` }
    assert.equal(swap(['config', 'edit'], { env: visual, cwd: home }).status, 0)
    assert.equal(mine(), 'limit: 5\n')
  })
  test('is refused where nobody is there to edit', () => {
    const { status, stderr } = swap(['config', 'edit'], { env: env(''), cwd: home })
    assert.equal(status, 2)
    assert.match(stderr, /swap config set <key> <value>/)
  })
  test('on a terminal asks whether to go on until it can be used', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const program = editor(
      'if grep -q banana "$1"; then echo "limit: 6" >"$1"; else echo "limit: banana" >"$1"; fi',
    )
    const screen = inTerminal([process.execPath, resolve('bin/swap.js'), 'config', 'edit'], {
      env: env(program),
    })
    await screen.shows((rows) => rows.some((row) => row.startsWith('Edit on? [Y/n]')))
    assert.match(screen.rows().join('\n'), /banana/)
    screen.type('\r')
    assert.equal(await screen.exited, 0)
    assert.equal(mine(), 'limit: 6\n')
  })
  test('and a no there leaves everything as it was, with exit 8', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const screen = inTerminal([process.execPath, resolve('bin/swap.js'), 'config', 'edit'], {
      env: env(editor('echo "limit: banana" >"$1"')),
    })
    await screen.shows((rows) => rows.some((row) => row.startsWith('Edit on? [Y/n]')))
    screen.type('n\r')
    assert.equal(await screen.exited, 8)
    assert.equal(mine(), 'limit: 3\n')
  })
})

describe('a configuration that cannot be used', () => {
  const run = (...args: readonly string[]) => swap(args, { env: env(''), cwd: home })
  test('is put right by set and unset', () => {
    writeFileSync(rc(), 'slippage: banana # mine\n')
    assert.equal(run('route', '1', 'btc', 'rune').status, 2)
    assert.equal(run('config', 'set', 'slippage', '0.3%').status, 0)
    assert.equal(mine(), 'slippage: 0.3% # mine\n')
    writeFileSync(rc(), 'slippage: banana\nlimit: 3\n')
    assert.equal(run('config', 'unset', 'slippage').status, 0)
    assert.equal(mine(), 'limit: 3\n')
  })
  test('that is no YAML is refused by them with the line, and not as a bug', () => {
    writeFileSync(rc(), 'limit: 3\nslippage: [\n')
    for (const args of [
      ['set', 'limit', '4'],
      ['unset', 'limit'],
    ]) {
      const { status, stderr } = run('config', ...args)
      assert.equal(status, 2, stderr)
      assert.match(stderr, /\.swaprc:[23]/)
    }
  })
  test('does not keep path from naming the file', () => {
    writeFileSync(rc(), 'slippage: [\n')
    assert.match(run('config', 'path').stdout, /\.swaprc/)
  })
})

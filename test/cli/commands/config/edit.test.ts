import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { acquireLock } from '../../../../src/platform/lock-file.js'
import { type Ended, runIn } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { swap } from '../../../support/program.js'
import { inTerminal } from '../../../support/terminal.js'

let home: string
beforeEach(() => {
  home = temporaryFolder('edit')
  mkdirSync(join(home, 'tmp'))
})

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
const run = (program: string, ...args: readonly string[]): Promise<Ended> =>
  runIn({ home, env: env(program) }, args)
const edit = (script: string): Promise<Ended> => run(editor(script), 'config', 'edit')

describe('swap config edit', () => {
  test('replaces the file with the result of the editor, and keeps its mode', async () => {
    writeFileSync(rc(), '# mine\nlimit: 3\n', { mode: 0o640 })
    const { status, stdout, stderr } = await edit('sed -i s/3/4/ "$1"')
    assert.deepEqual([status, stdout, stderr], [0, '~/.swaprc is changed, and can be used\n', ''])
    assert.equal(mine(), '# mine\nlimit: 4\n')
    assert.equal(statSync(rc()).mode & 0o777, 0o640)
  })
  test('begins a new file with its settings as comments, and creates none without a change', async () => {
    const { stdout } = await edit('grep -q "settings of swap" "$1" || exit 9')
    assert.equal(stdout, '~/.swaprc is as it was\n')
    assert.ok(!existsSync(rc()))
    await edit('echo "slippage: 0.3%" >>"$1"')
    assert.match(mine(), /^# settings[\s\S]*\nslippage: 0\.3%\n$/)
    assert.equal(statSync(rc()).mode & 0o777, 0o600)
  })
  test('changes nothing when the result is invalid, and names the line', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const { status, stderr } = await edit('echo "slippage: a lot" >>"$1"')
    assert.equal(status, 2)
    assert.match(stderr, /~\/\.swaprc:2/)
    assert.equal(mine(), 'limit: 3\n')
  })
  test('changes nothing when the editor fails, and ends with 8', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const { status, stderr } = await edit('echo "limit: 4" >"$1"; exit 1')
    assert.equal(status, 8)
    assert.match(stderr, /nothing was changed/)
    assert.equal(mine(), 'limit: 3\n')
  })
  test('names unknown keys, and leaves no copy behind', () => {
    const program = editor('echo "slipage: 0.3%" >>"$1"')
    const { status, stderr } = swap(['config', 'edit'], { env: env(program), cwd: home })
    assert.equal(status, 0)
    assert.match(stderr, /no setting is called "slipage".*slippage/)
    assert.equal(readFileSync(rc(), 'utf8').includes('slipage'), true)
    assert.deepEqual(readdirSync(join(home, 'tmp')), [])
  })
  test('opens a file that no other command can read', async () => {
    writeFileSync(rc(), 'slippage: [\n')
    assert.equal((await run('', 'tokens')).status, 2)
    const { status } = await edit('echo "slippage: 0.3%" >"$1"')
    assert.equal(status, 0)
    assert.equal(mine(), 'slippage: 0.3%\n')
  })
  test('changes nothing, and says why, when the editor leaves no file of text', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    for (const [script, expected, why] of [
      ['rm "$1"', 8, /removed\s+its\s+file/],
      ['rm "$1"; mkdir "$1"', 2, /it is a\s+folder/],
      [String.raw`printf '# caf\351\nlimit: 4\n' >"$1"`, 2, /not\s+UTF-8/],
    ] as const) {
      const { status, stderr } = await edit(script)
      assert.equal(status, expected, stderr)
      assert.match(stderr, why)
      assert.equal(mine(), 'limit: 3\n')
    }
  })
  test('is refused without a folder for the copy', () => {
    const away = { ...env('true'), TMPDIR: join(home, 'missing') }
    const { status, stderr } = swap(['config', 'edit'], { env: away, cwd: home })
    assert.equal(status, 4)
    assert.match(stderr, /TMPDIR/)
  })
  test('ends with 13 instead of undoing a change that was made meanwhile, and keeps the copy', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const { status, stderr } = await edit(`echo "max_hops: 2" >>"${rc()}"; echo "limit: 4" >"$1"`)
    assert.equal(status, 13)
    assert.match(stderr, /changed by another program/)
    const [, copy = ''] = /what was edited is kept in (\S+)/.exec(stderr) ?? []
    assert.equal(readFileSync(copy, 'utf8'), 'limit: 4\n')
    assert.equal(mine(), 'limit: 3\nmax_hops: 2\n')
    assert.deepEqual(readdirSync(home).sort(), ['.swaprc', 'editor', 'tmp'])
  })
  test('ends with 13 while another process writes the file, as config set does, and leaves it', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const lock = await acquireLock(`${rc()}.lock`, 0)
    const { status, stderr } = await run('true', 'config', 'set', 'limit', '4')
    lock.release()
    assert.equal(status, 13)
    assert.ok(stderr.includes(`is being changed by process ${process.pid}`), stderr)
    assert.equal(mine(), 'limit: 3\n')
    assert.equal((await run('true', 'config', 'set', 'limit', '4')).status, 0)
    assert.deepEqual(readdirSync(home).sort(), ['.swaprc', 'tmp'])
  })
  test('waits for other changes of the file, as config set does, and loses none', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const ended = await Promise.all(
      names.map((name) => run('true', 'config', 'set', `alias.${name}`, 'btc-btc', '--no-check')),
    )
    assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set([0]))
    for (const name of names) assert.match(mine(), new RegExp(`${name}: btc-btc`))
  })
  test('ignores an editor of spaces', async () => {
    assert.match((await run('  ', 'config', 'edit')).stderr, /neither VISUAL nor EDITOR/)
  })
  test('takes an editor with arguments, VISUAL before EDITOR', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const visual = { ...env('false'), VISUAL: `${editor('echo "limit: $2" >"$3"')} -x 5` }
    assert.equal((await runIn({ home, env: visual }, ['config', 'edit'])).status, 0)
    assert.equal(mine(), 'limit: 5\n')
  })
  test('is refused without a terminal and an editor', async () => {
    const { status, stderr } = await run('', 'config', 'edit')
    assert.equal(status, 2)
    assert.match(stderr, /swap config set <key> <value>/)
  })
  test('leaves no copy behind where ctrl-c ends the editor', async () => {
    writeFileSync(rc(), 'limit: 3\n')
    const program = editor('echo it edits; sleep 60')
    const words = [process.execPath, resolve('bin/swap.js'), 'config', 'edit'] as const
    const screen = inTerminal(words, { env: env(program) })
    await screen.shows((rows) => rows.includes('it edits'))
    screen.type('\x03')
    assert.equal(await screen.exited, 8)
    assert.deepEqual(readdirSync(join(home, 'tmp')), [])
  })
  test('on a terminal offers to edit again until the file is valid', async () => {
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
  test('changes nothing after a no to that offer, and ends with 8', async () => {
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

test('swap config set creates the file that a link leads to', async () => {
  symlinkSync('dotfiles', rc())
  assert.equal((await run('', 'config', 'set', 'limit', '4')).status, 0)
  assert.equal(readFileSync(join(home, 'dotfiles'), 'utf8'), 'limit: 4\n')
})

describe('an invalid configuration', () => {
  const swap = (...args: readonly string[]) => run('', ...args)
  test('is corrected by set and unset', async () => {
    writeFileSync(rc(), 'slippage: banana # mine\n')
    assert.equal((await swap('route', '1', 'btc', 'rune')).status, 2)
    assert.equal((await swap('config', 'set', 'slippage', '0.3%')).status, 0)
    assert.equal(mine(), 'slippage: 0.3% # mine\n')
    writeFileSync(rc(), 'slippage: banana\nlimit: 3\n')
    assert.equal((await swap('config', 'unset', 'slippage')).status, 0)
    assert.equal(mine(), 'limit: 3\n')
  })
  test('that is no YAML is refused by set and unset with its line', async () => {
    writeFileSync(rc(), 'limit: 3\nslippage: [\n')
    for (const args of [
      ['set', 'limit', '4'],
      ['unset', 'limit'],
    ]) {
      const { status, stderr } = await swap('config', ...args)
      assert.equal(status, 2, stderr)
      assert.match(stderr, /\.swaprc:[23]/)
    }
  })
  test('that is no file of UTF-8 text is refused by set and edit, and kept', async () => {
    const text = Buffer.from('# caf\xe9\nlimit: 3\n', 'latin1')
    writeFileSync(rc(), text)
    for (const args of [['set', 'limit', '4'], ['edit']]) {
      const { status, stderr } = await run('true', 'config', ...args)
      assert.equal(status, 2)
      assert.match(stderr, /it is not UTF-8 text/)
    }
    assert.deepEqual(readFileSync(rc()), text)
    rmSync(rc())
    spawnSync('mkfifo', [rc()])
    for (const args of [['set', 'limit', '4'], ['edit']])
      assert.match((await run('true', 'config', ...args)).stderr, /it is not a regular file/)
  })
  test('does not prevent swap config path', async () => {
    writeFileSync(rc(), 'slippage: [\n')
    assert.match((await swap('config', 'path')).stdout, /\.swaprc/)
  })
})

import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { type Ended, runIn } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { built, swap } from '../../../support/program.js'
import { inTerminal } from '../../../support/terminal.js'

let home: string
beforeAll(built)
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
  test('does not prevent swap config path', async () => {
    writeFileSync(rc(), 'slippage: [\n')
    assert.match((await swap('config', 'path')).stdout, /\.swaprc/)
  })
})

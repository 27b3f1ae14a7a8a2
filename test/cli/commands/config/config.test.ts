import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { type Ended, runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'

let root: string
let home: string
let project: string
beforeEach(() => {
  root = temporaryFolder('config')
  home = join(root, 'home')
  project = join(root, 'project')
  for (const folder of [home, project]) mkdirSync(folder)
})

const config = (...args: readonly string[]): Promise<Ended> =>
  runSwap(['config', ...args], { env: { HOME: home, SWAP_HOME: root }, cwd: project })
const mine = () => readFileSync(join(home, '.swaprc'), 'utf8')

describe('swap config set', () => {
  test('writes into the file of the user, keeps comments, and prints the old and the new value', async () => {
    writeFileSync(join(home, '.swaprc'), '# mine\nslippage: 0.4% # careful\n')
    const { status, stdout } = await config('set', 'slippage', '0.3%')
    assert.deepEqual([status, stdout], [0, 'slippage: 0.4% → 0.3%   ~/.swaprc\n'])
    assert.equal(mine(), '# mine\nslippage: 0.3% # careful\n')
    assert.equal((await config('get', 'slippage')).stdout, '0.3%\n')
  })
  test('makes a file that only its owner may read, and leaves the mode of one that is there', async () => {
    await config('set', 'limit', '3')
    assert.equal(statSync(join(home, '.swaprc')).mode & 0o777, 0o600)
    rmSync(join(home, '.swaprc'))
    writeFileSync(join(home, '.swaprc'), 'limit: 3\n', { mode: 0o644 })
    await config('set', 'limit', '4')
    assert.equal(statSync(join(home, '.swaprc')).mode & 0o777, 0o644)
  })
  test('writes through a link', async () => {
    writeFileSync(join(root, 'dotfiles'), 'limit: 3\n')
    symlinkSync(join(root, 'dotfiles'), join(home, '.swaprc'))
    await config('set', 'limit', '4')
    assert.equal(readFileSync(join(root, 'dotfiles'), 'utf8'), 'limit: 4\n')
  })
  test('refuses a value that would be refused when it is read, and changes nothing', async () => {
    writeFileSync(join(home, '.swaprc'), 'limit: 3\n')
    for (const [key, value] of [
      ['max_hops', '9'],
      ['slippage', '3'],
      ['color', 'blue'],
      ['network', 'nowhere'],
      ['nework', 'demo'],
      ['alias.rune', 'btc'],
      ['alias.x', 'runr'],
    ] as const) {
      assert.equal((await config('set', key, value)).status, 2, `${key} ${value}`)
      assert.equal(mine(), 'limit: 3\n')
    }
    const hint = / do +write swap config set slippage 3% or swap config set slippage 3bps /
    for (const more of [[], ['--project']])
      assert.match(
        (await config('set', 'slippage', '3', ...more)).stderr.replace(/\s+/g, ' '),
        hint,
      )
  })
  test('takes the spelling of flags, and an alias that is used at once', async () => {
    assert.equal((await config('set', 'max-hops', '2')).status, 0)
    assert.equal((await config('set', 'alias.coin', 'btc')).status, 0)
    assert.equal(mine(), 'max_hops: 2\nalias:\n  coin: btc\n')
    const env = { HOME: home, SWAP_HOME: root }
    const direct = await runSwap(['route', '1.5', 'btc', 'rune', '-q', '--max-hops', '2'], { env })
    assert.equal(
      (await runSwap(['route', '1.5', 'coin', 'rune', '-q'], { env })).stdout,
      direct.stdout,
    )
  })
  test('of another network prints its consequences once', async () => {
    assert.match((await config('set', 'network', 'mainnet')).stderr, /real markets, real money/)
    assert.equal((await config('set', 'network', 'mainnet')).stderr, '')
  })
  test('asks a node for its chain id first, and prints no secret of its URL', async () => {
    const refused = await config('set', 'rpc', 'http://me:secret@127.0.0.1:9/key')
    assert.equal(refused.status, 4)
    assert.match(refused.stderr, /does not answer as a node/)
    const { stdout, status } = await config(
      ...'set rpc http://me:secret@127.0.0.1:9/key --no-check'.split(' '),
    )
    assert.equal(status, 0)
    for (const text of [refused.stderr, stdout]) assert.ok(!text.includes('secret'))
    assert.match(mine(), /secret/)
  })
  test('refuses a group whose place in the file has another value, and keeps that', async () => {
    for (const [text, key] of [
      ['limits: 100\n', 'limits.per_tx_usd'],
      ['alias: btc\n', 'alias.coin'],
    ] as const) {
      writeFileSync(join(home, '.swaprc'), text)
      const { status, stderr } = await config('set', key, '5', '--no-check')
      assert.equal(status, 2)
      assert.match(stderr, /~\/\.swaprc:1 cannot be used\n.*takes a group/)
      assert.equal(mine(), text)
    }
    writeFileSync(join(home, '.swaprc'), '')
  })
  test('refuses an account that is neither a key nor in the address book', async () => {
    const refused = await config('set', 'from', 'dmo')
    assert.equal(refused.status, 2)
    assert.match(refused.stderr, /"dmo" is neither an address nor a name.*did you mean demo\?/s)
    for (const call of [['demo'], ['dmo', '--no-check']])
      assert.equal((await config('set', 'from', ...call)).status, 0)
  })
  test('has a note when another source takes precedence', async () => {
    const { stderr } = await runSwap(['config', 'set', 'limit', '3'], {
      env: { HOME: home, SWAP_HOME: root, SWAP_LIMIT: '7' },
      cwd: project,
    })
    assert.match(stderr, /SWAP_LIMIT goes before it: 7/)
  })
})

describe("a project's file", () => {
  test('is written to the project with --project if a project may have it', async () => {
    assert.equal((await config('set', 'slippage', '0.1%', '--project')).status, 0)
    assert.equal(readFileSync(join(project, '.swaprc'), 'utf8'), 'slippage: 0.1%\n')
    assert.equal((await config('set', 'slippage', '0.3%', '--project')).status, 0)
  })
  test('refuses with --project what would be ignored: nodes, contracts, more slippage', async () => {
    for (const [key, value] of [
      ['rpc', 'http://127.0.0.1:9'],
      ['router.address', 'thor1x'],
      ['slippage', '5%'],
      ['affiliate', 'me'],
    ] as const)
      assert.match((await config('set', key, value, '--project')).stderr, /a project may not set/)
    const { stderr } = await runSwap(['config', 'set', 'timeout', '50s', '--project'], {
      env: { HOME: home, SWAP_HOME: root, SWAP_TIMEOUT: '60s' },
      cwd: project,
    })
    assert.match(stderr, /a project may not set timeout/)
  })
})

describe('looking and removing', () => {
  test('is removed by unset, with a note if it was not set', async () => {
    await config('set', 'slippage', '0.3%')
    assert.equal((await config('unset', 'slippage')).status, 0)
    assert.equal((await config('get', 'slippage')).stdout, '0.5%\n')
    for (const form of ['--json', '--csv']) {
      const { stdout, stderr } = await config('unset', 'slippage', form)
      assert.match(stderr, /does not set slippage/)
      assert.match(stdout, /slippage/)
    }
    assert.equal((await config('unset', 'slippage')).stdout, '')
  })
  test('unset prints the value that applies now, and its origin', async () => {
    const unset = async (key: string) => (await config('unset', key)).stdout
    await config('set', 'slippage', '1%')
    assert.equal(await unset('slippage'), 'slippage: 1% → 0.5% (default)   ~/.swaprc\n')
    await config('set', 'slippage', '1%')
    await config('set', 'slippage', '0.1%', '--project')
    const projects = `${project}/.swaprc:1`
    assert.equal(await unset('slippage'), `slippage: 0.1% → 0.1% (${projects})   ~/.swaprc\n`)
    await config('set', 'alias.coin', 'btc')
    assert.equal(await unset('alias.coin'), 'alias.coin: btc → nothing   ~/.swaprc\n')
    await config('set', 'slippage', '1%')
    writeFileSync(join(project, '.swaprc'), 'max_hops: 9\n')
    assert.match(await unset('slippage'), /→ removed {3}~/)
  })
  test('path lists the files that are read, -q the one that set writes', async () => {
    assert.equal(
      (await config('path')).stdout,
      `user\t${home}/.swaprc\tno\nproject\t${project}/.swaprc\tno\n`,
    )
    assert.equal((await config('path', '-q')).stdout, `${home}/.swaprc\n`)
    const { files } = JSON.parse((await config('path', '--json')).stdout)
    assert.deepEqual(files[0], { origin: 'user', path: `${home}/.swaprc`, exists: false })
  })
  test('list prints the settings alone in a pipe, a tab between their parts', async () => {
    const rows = (await config('list')).stdout.split('\n').map((line) => line.split('\t'))
    assert.deepEqual(rows[0]?.slice(0, 3), ['network', 'demo', 'default'])
  })
  test('is listed by check with its source, an invalid one with its line', async () => {
    writeFileSync(join(home, '.swaprc'), 'limit: 3\nnework: demo\n')
    const good = await config('check')
    assert.equal(good.status, 0)
    assert.match(good.stdout, /limit = 3 {3}~\/\.swaprc:1/)
    assert.match(good.stderr, /did you mean network/)
    assert.equal(JSON.parse((await config('check', '--json')).stdout).settings, 1)
    for (const invalid of ['slippage: 3', 'networks: { unused: {} }']) {
      writeFileSync(join(home, '.swaprc'), `limit: 3\n${invalid}\n`)
      const bad = await config('check')
      assert.equal(bad.status, 2)
      assert.match(bad.stderr, /~\/\.swaprc:2/)
    }
  })
  test('cannot move the cursor of a terminal by a value or the name of a folder of a project', async () => {
    const clear = '\u001b[2J'
    project = join(root, `project${clear}`)
    mkdirSync(project)
    writeFileSync(
      join(project, '.swaprc'),
      JSON.stringify({ snapshot: `a${clear}`, networks: { [clear]: {} } }),
    )
    for (const call of ['list', 'path', 'check', 'get snapshot', 'unset snapshot --project']) {
      const shown = await config(...call.split(' '), '-o', 'human', '--width', '200')
      assert.equal(shown.status, 0, call)
      assert.match(shown.stdout, /\\u\{1b\}\[2J/, call)
      assert.ok(!shown.stdout.includes(clear), call)
    }
  })
  test('is empty for get if not set, and refused if unknown', async () => {
    assert.deepEqual(
      [(await config('get', 'affiliate')).stdout, (await config('get', 'affiliate')).status],
      ['', 0],
    )
    assert.equal(JSON.parse((await config('get', 'limit', '--json')).stdout).value, '5')
    assert.match((await config('get', 'slipage')).stderr, /did you mean slippage\?/)
    assert.match((await config('sett', 'a', 'b')).stderr, /did you mean set/)
  })
})

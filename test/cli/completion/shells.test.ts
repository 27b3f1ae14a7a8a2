import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { scripts } from '../../../src/cli/completion/scripts.js'
import { shells } from '../../../src/cli/flags/command-flags.js'
import { type Ended, runIn } from '../../support/cli.js'
import { temporaryFolder } from '../../support/folder.js'
import { inTerminal } from '../../support/terminal.js'

let home: string
beforeEach(() => {
  home = temporaryFolder('shell')
  mkdirSync(join(home, 'bin'))
  symlinkSync(resolve('bin/swap.js'), join(home, 'bin', 'swap'))
})

const env = () => ({
  HOME: home,
  SWAP_HOME: home,
  SHELL: '/bin/bash',
  PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
})
const swap = (...args: readonly string[]): Promise<Ended> => runIn({ home, env: env() }, args)
const completion = (...args: readonly string[]) => swap('completion', ...args)

/** An interactive bash with the completion loaded. */
function bash() {
  const rc = join(home, 'rc')
  writeFileSync(rc, `PS1='$ '\n${scripts.bash}`)
  return inTerminal(['bash', '--noprofile', '--rcfile', rc, '-i'], { env: env(), columns: 100 })
}

describe('the completion of bash', () => {
  const presses = async (typed: string, expected: string) => {
    const screen = bash()
    await screen.shows((rows) => rows.some((row) => row === '$'))
    screen.type(`${typed}\t`)
    await screen.shows((rows) => rows.includes(`$ ${expected}`))
  }
  test('completes a command', () => presses('swap srou', 'swap sroute'))
  test('completes a flag, and the value after an equals sign', async () => {
    await presses('swap route --max-h', 'swap route --max-hops')
    await presses('swap route --color=al', 'swap route --color=always')
  })
  test('completes a token of the last market', async () => {
    assert.equal((await swap('tokens', '-qq')).status, 0)
    await presses('swap route 1 btc ru', 'swap route 1 btc ru')
    await presses('swap route 1 btc run', 'swap route 1 btc rune')
  })
  test('completes the file of a flag that takes one', async () => {
    writeFileSync(join(home, 'market.json'), '{}')
    await presses(`swap route --snapshot ${home}/mar`, `swap route --snapshot ${home}/market.json`)
  })
  test('executes no substitution of the line', async () => {
    const mark = join(home, 'was-run')
    const screen = bash()
    await screen.shows((rows) => rows.some((row) => row === '$'))
    screen.type(`swap route "$(touch ${mark})" sn\t --snap\t`)
    await screen.shows((rows) => rows.some((row) => row.includes('--snapshot')))
    assert.ok(!existsSync(mark))
  })
  test('may be loaded twice', () => {
    const script = join(home, 'script')
    writeFileSync(script, scripts.bash)
    const { status, stderr } = spawnSync('bash', ['--norc', '-euc', `. ${script}; . ${script}`], {
      encoding: 'utf8',
    })
    assert.deepEqual([status, stderr], [0, ''])
  })
})

describe('the answer to a shell', () => {
  test('is a candidate a line with its meaning after a tab', async () => {
    const { status, stdout, stderr } = await swap('__complete', '--', 'ro')
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(stdout, 'route\tFind the best single path to swap one token for another\n')
  })
  test('is without an error where the configuration cannot be read', async () => {
    writeFileSync(join(home, '.swaprc'), 'slippage: [')
    const { status, stderr } = await swap('__complete', '--', 'ro')
    assert.deepEqual([status, stderr], [0, ''])
  })
  test('is that of an empty last word with --next', async () => {
    const { stdout } = await swap('__complete', '--next', '--', 'completion')
    assert.match(stdout, /^bash\t/)
  })
})

test('swap completion prints the script of each shell', async () => {
  for (const shell of shells) {
    const { status, stdout, stderr } = await completion(shell)
    assert.deepEqual([status, stdout, stderr], [0, scripts[shell], ''])
    assert.match(stdout, /swap __complete/)
  }
})

describe('installing the completion', () => {
  test('without a terminal needs --yes', async () => {
    const { status, stderr } = await completion('install')
    assert.equal(status, 2)
    assert.match(stderr, /--yes/)
  })
  test('for fish writes one file, which uninstalling removes', async () => {
    const file = join(home, '.config', 'fish', 'completions', 'swap.fish')
    const { status, stdout } = await completion('install', '--shell', 'fish', '--yes')
    assert.equal(status, 0)
    assert.equal(readFileSync(file, 'utf8'), scripts.fish)
    assert.match(stdout, /undo: swap completion uninstall --shell fish/)
    const again = await completion('install', '--shell', 'fish', '--yes')
    assert.match(again.stdout, /has it already/)
    await completion('uninstall', '--shell', 'fish')
    assert.ok(!existsSync(file))
  })
  test('answers with a document for --json, and with nothing for -q', async () => {
    const file = join(home, '.config', 'fish', 'completions', 'swap.fish')
    for (const [command, ...yes] of [['install', '--yes'], ['uninstall']] as const)
      for (const changed of [true, false]) {
        const { stdout } = await completion(command, '--shell', 'fish', ...yes, '--json')
        assert.deepEqual(JSON.parse(stdout), { shell: 'fish', file, changed }, command)
      }
    for (const call of [['install', '--yes'], ['install', '--yes'], ['uninstall'], ['uninstall']]) {
      const { status, stdout, stderr } = await completion(...call, '--shell', 'fish', '-q')
      assert.deepEqual([status, stdout, stderr], [0, '', ''], call[0])
    }
  })
  test('for zsh adds one marked line, once, and uninstalling removes it', async () => {
    const file = join(home, '.zshrc')
    writeFileSync(file, 'alias a=b')
    for (let times = 0; times < 2; times += 1)
      await completion('install', '--shell', 'zsh', '--yes')
    assert.equal(
      readFileSync(file, 'utf8'),
      'alias a=b\nsource <(swap completion zsh) # swap completion\n',
    )
    await completion('uninstall', '--shell', 'zsh')
    assert.equal(readFileSync(file, 'utf8'), 'alias a=b\n')
  })
  test('keeps every byte of a file of the shell, and a link to it', async () => {
    const kept = join(home, 'dotfiles')
    const text = Buffer.from('a=caf\xe9\r\n', 'latin1')
    writeFileSync(kept, text)
    symlinkSync(kept, join(home, '.zshrc'))
    await completion('install', '--shell', 'zsh', '--yes')
    assert.ok(lstatSync(join(home, '.zshrc')).isSymbolicLink())
    assert.match(readFileSync(kept, 'latin1'), /^a=caf\xe9\r\n.*# swap completion\n$/)
    await completion('uninstall', '--shell', 'zsh')
    assert.deepEqual(readFileSync(kept), text)
  })
  test('creates the file that a link leads to', async () => {
    symlinkSync('later', join(home, '.zshrc'))
    await completion('install', '--shell', 'zsh', '--yes')
    assert.match(readFileSync(join(home, 'later'), 'utf8'), /# swap completion\n$/)
  })
  test('neither replaces nor removes a file of another program', async () => {
    const folder = join(home, '.config', 'fish', 'completions')
    const file = join(folder, 'swap.fish')
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, 'complete -c swap -a other\n')
    const { status, stderr } = await completion('install', '--shell', 'fish', '--yes')
    assert.equal(status, 2)
    assert.match(stderr, /swap\.fish is not replaced/)
    await completion('uninstall', '--shell', 'fish')
    assert.equal(readFileSync(file, 'utf8'), 'complete -c swap -a other\n')
  })
  test('refuses a file that no line can be added to, with the script of that shell', async () => {
    const folder = join(home, '.config', 'powershell')
    mkdirSync(folder, { recursive: true })
    const utf16 = Buffer.from('\ufeff$a = 1', 'utf16le')
    writeFileSync(join(folder, 'Microsoft.PowerShell_profile.ps1'), utf16)
    spawnSync('mkfifo', [join(home, '.zshrc')])
    for (const shell of ['powershell', 'zsh']) {
      const { status, stderr } = await completion('install', '--shell', shell, '--yes')
      assert.equal(status, 2)
      assert.ok(stderr.includes(`print the script instead: swap completion ${shell}`), stderr)
    }
  })
  test('detects the shell, shows the change, and makes none after a no', async () => {
    const screen = inTerminal([process.execPath, resolve('bin/swap.js'), 'completion', 'install'], {
      env: env(),
    })
    await screen.shows((rows) => rows.some((row) => row.startsWith('Continue? [y/N]')))
    screen.type('n\r')
    assert.equal(await screen.exited, 8)
    assert.match(screen.rows().join('\n'), /Completion for bash is one (file|line)/)
    assert.ok(!existsSync(join(home, '.bashrc')))
  })
  test('needs --shell where SHELL is not set', async () => {
    const place = { home, env: { ...env(), SHELL: '' } }
    const { stderr } = await runIn(place, ['completion', 'install', '--yes'])
    assert.match(stderr, /--shell bash/)
  })
})

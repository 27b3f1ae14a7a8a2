import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { scripts } from '../../../src/cli/completion/scripts.js'
import { shells } from '../../../src/cli/completion/shells.js'
import { built, type Ended, swap } from '../../support/program.js'
import { inTerminal } from '../../support/terminal.js'

let home: string
beforeAll(built)
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'swap-shell-'))
  mkdirSync(join(home, 'bin'))
  symlinkSync(resolve('bin/swap.js'), join(home, 'bin', 'swap'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const env = () => ({
  HOME: home,
  SWAP_HOME: home,
  SHELL: '/bin/bash',
  PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
})
const completion = (...args: readonly string[]): Ended =>
  swap(['completion', ...args], { env: env() })

/** A bash as a person has it, with the completion loaded. */
function bash() {
  const rc = join(home, 'rc')
  writeFileSync(rc, `PS1='$ '\n${scripts.bash}`)
  return inTerminal(['bash', '--noprofile', '--rcfile', rc, '-i'], { env: env(), columns: 100 })
}

describe('bash', () => {
  const presses = async (typed: string, expected: string) => {
    const screen = bash()
    await screen.shows((rows) => rows.some((row) => row === '$'))
    screen.type(`${typed}\t`)
    await screen.shows((rows) => rows.includes(`$ ${expected}`))
    screen.kill()
    await screen.exited
  }
  test('completes a command', () => presses('swap srou', 'swap sroute'))
  test('completes a flag, and the value after an equals sign', async () => {
    await presses('swap route --max-h', 'swap route --max-hops')
    await presses('swap route --color=al', 'swap route --color=always')
  })
  test('completes a token of the market that was read last', async () => {
    assert.equal(swap(['tokens', '-qq'], { env: env() }).status, 0)
    await presses('swap route 1 btc ru', 'swap route 1 btc ru')
    await presses('swap route 1 btc run', 'swap route 1 btc rune')
  })
  test('completes files where a file is meant', async () => {
    writeFileSync(join(home, 'market.json'), '{}')
    await presses(`swap route --snapshot ${home}/mar`, `swap route --snapshot ${home}/market.json`)
  })
  test('runs nothing that stands on the line', async () => {
    const mark = join(home, 'was-run')
    const screen = bash()
    await screen.shows((rows) => rows.some((row) => row === '$'))
    screen.type(`swap route "$(touch ${mark})" sn\t --snap\t`)
    await screen.shows((rows) => rows.some((row) => row.includes('--snapshot')))
    assert.ok(!existsSync(mark))
    screen.kill()
    await screen.exited
  })
  test('can be loaded twice without a word', () => {
    const script = join(home, 'script')
    writeFileSync(script, scripts.bash)
    const { status, stderr } = spawnSync('bash', ['--norc', '-euc', `. ${script}; . ${script}`], {
      encoding: 'utf8',
    })
    assert.deepEqual([status, stderr], [0, ''])
  })
})

describe('the answer to a shell', () => {
  test('is a candidate a line with its meaning after a tab, and nothing else', () => {
    const { status, stdout, stderr } = swap(['__complete', '--', 'ro'])
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(stdout, 'route\tFind the best single path to swap one token for another\n')
  })
  test('is nothing where the configuration cannot be read', () => {
    writeFileSync(join(home, '.swaprc'), 'slippage: [')
    const { status, stderr } = swap(['__complete', '--', 'ro'], { env: env() })
    assert.deepEqual([status, stderr], [0, ''])
  })
  test('knows of an empty word that a shell cannot hand over', () => {
    const { stdout } = swap(['__complete', '--next', '--', 'completion'])
    assert.match(stdout, /^bash\t/)
  })
})

test('each shell gets its script and nothing else on standard output', () => {
  for (const shell of shells) {
    const { status, stdout, stderr } = completion(shell)
    assert.deepEqual([status, stdout, stderr], [0, scripts[shell], ''])
    assert.match(stdout, /swap __complete/)
  }
})

describe('installing', () => {
  test('without a terminal asks for --yes and writes nothing', () => {
    const { status, stderr } = completion('install')
    assert.equal(status, 2)
    assert.match(stderr, /--yes/)
  })
  test('for fish writes one file, which uninstalling removes', () => {
    const file = join(home, '.config', 'fish', 'completions', 'swap.fish')
    const { status, stdout } = completion('install', '--shell', 'fish', '--yes')
    assert.equal(status, 0)
    assert.equal(readFileSync(file, 'utf8'), scripts.fish)
    assert.match(stdout, /undo: swap completion uninstall --shell fish/)
    assert.match(completion('install', '--shell', 'fish', '--yes').stdout, /has it already/)
    completion('uninstall', '--shell', 'fish')
    assert.ok(!existsSync(file))
  })
  test('for zsh adds one marked line, once, and removes exactly that', () => {
    const file = join(home, '.zshrc')
    writeFileSync(file, 'alias a=b')
    completion('install', '--shell', 'zsh', '--yes')
    completion('install', '--shell', 'zsh', '--yes')
    assert.equal(
      readFileSync(file, 'utf8'),
      'alias a=b\nautoload -Uz compinit && compinit; source <(swap completion zsh) # swap completion\n',
    )
    completion('uninstall', '--shell', 'zsh')
    assert.equal(readFileSync(file, 'utf8'), 'alias a=b\n')
  })
  test('finds the shell by itself, shows what it would write, and takes no for an answer', async () => {
    const screen = inTerminal([process.execPath, resolve('bin/swap.js'), 'completion', 'install'], {
      env: env(),
    })
    await screen.shows((rows) => rows.some((row) => row.startsWith('Continue? [y/N]')))
    screen.type('n\r')
    assert.equal(await screen.exited, 8)
    assert.match(screen.rows().join('\n'), /bash\. This (writes one file|adds one line)/)
    assert.ok(!existsSync(join(home, '.bashrc')))
  })
  test('asks for the name of a shell that cannot be seen', () => {
    const { stderr } = swap(['completion', 'install', '--yes'], { env: { ...env(), SHELL: '' } })
    assert.match(stderr, /--shell bash/)
  })
})

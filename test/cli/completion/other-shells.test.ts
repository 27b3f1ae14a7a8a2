import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { scripts } from '../../../src/cli/completion/scripts.js'
import { temporaryFolder } from '../../support/folder.js'
import { swap } from '../../support/program.js'
import { inTerminal, type Screen } from '../../support/terminal.js'

/** Whether a shell is installed. For a missing one a warning is printed, and its tests are skipped. */
const isThere = (shell: string): boolean => {
  const found = spawnSync(shell, ['--version'], { stdio: 'ignore' }).status === 0
  if (!found) console.warn(`${shell} is not on this machine: its completion is NOT tested here`)
  return found
}
const zsh = isThere('zsh')
const fish = isThere('fish')
const pwsh = isThere('pwsh')

let home: string
beforeEach(() => {
  home = temporaryFolder('shells')
  mkdirSync(join(home, 'bin'))
  symlinkSync(resolve('bin/swap.js'), join(home, 'bin', 'swap'))
})

const env = () => ({
  HOME: home,
  SWAP_HOME: home,
  ZDOTDIR: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
})

/** Whatever is on the screen as one text, lines that the shell has wrapped joined. */
const textOf = (screen: Screen): string => screen.rows().join('\n')

type Shell = { readonly open: () => Promise<Screen> }

/** Types, presses tab, and waits until the screen has what is expected. */
async function presses({ open }: Shell, typed: string, expected: RegExp): Promise<void> {
  const screen = await open()
  screen.type(`${typed}\t`)
  await screen.shows((rows) => rows.some((row) => expected.test(row)))
}

/** What every shell has to do alike. */
function completes(shell: Shell): void {
  test('completes a command', () => presses(shell, 'swap srou', /^\$ swap sroute\b/))
  test('completes a flag, and the value after it', async () => {
    await presses(shell, 'swap route --max-h', /^\$ swap route --max-hops\b/)
    await presses(shell, 'swap route --color al', /^\$ swap route --color always\b/)
  })
  test('completes the value after an equals sign', () =>
    presses(shell, 'swap route --color=al', /^\$ swap route --color=always\b/))
  test('shows meanings beside what may stand there', () =>
    presses(shell, 'swap config ', /^unset\b.*Remove a value/))
  test('completes a token of the market that was read last', async () => {
    assert.equal(swap(['tokens', '-qq'], { env: env() }).status, 0)
    await presses(shell, 'swap route 1 btc run', /^\$ swap route 1 btc rune\b/)
  })
  test('completes a pair, whose name has a slash', async () => {
    assert.equal(swap(['tokens', '-qq'], { env: env() }).status, 0)
    await presses(shell, 'swap book tcy/us', /^\$ swap book tcy\/usdc\b/)
  })
  test('completes files where a file is meant', async () => {
    writeFileSync(join(home, 'market.json'), '{}')
    await presses(
      shell,
      `swap route --snapshot ${home}/mark`,
      /^\$ swap route --snapshot .*\/market\.json/,
    )
  })
  test('completes files after an equals sign, and within quotes', async () => {
    mkdirSync(join(home, 'my markets'))
    writeFileSync(join(home, 'my markets', 'market.json'), '{}')
    await presses(shell, `swap route --snapshot=${home}/my`, /--snapshot=\S+\/my\\ markets\//)
    await presses(shell, `swap tape show "${home}/my markets/m`, /"\S+\/my markets\/market\.json"/)
  })
  test('completes a name within quotes', () =>
    presses(shell, 'swap route --color "al', /^\$ swap route --color "always"/))
  test('runs nothing that stands on the line', async () => {
    const mark = join(home, 'was-run')
    const screen = await shell.open()
    screen.type(`swap route "$(touch ${mark})" --snap\t`)
    await screen.shows((rows) => rows.some((row) => row.includes('--snapshot')))
    assert.ok(!existsSync(mark), textOf(screen))
  })
}

describe.skipIf(!zsh)('zsh', () => {
  /** The list of its functions, which takes a new shell some tenths of a second to make. */
  const dump = join(temporaryFolder('zsh'), 'functions')
  const open = async (rc: string) => {
    writeFileSync(join(home, '.zshrc'), `${rc}\nPS1='$ '\nunsetopt PROMPT_SP\nunsetopt BEEP\n`)
    const screen = inTerminal(['zsh', '-i'], { env: env(), columns: 120, rows: 40 })
    await screen.shows((rows) => rows.some((row) => row === '$'))
    return screen
  }
  const script = () => {
    writeFileSync(join(home, 'swap.zsh'), scripts.zsh)
    return `autoload -Uz compinit && compinit -u -d ${dump}; source ${join(home, 'swap.zsh')}`
  }
  completes({ open: () => open(script()) })
  test('shows values without a meaning alone', async () => {
    const screen = await open(script())
    screen.type('swap keys export --format \t')
    await screen.shows((rows) => rows.some((row) => /\bcosmjs\b/.test(row)))
    assert.ok(!screen.rows().some((row) => / --(?!format)/.test(row)), textOf(screen))
  })
  test('finds it as a file of its own in the folder of functions', async () => {
    mkdirSync(join(home, 'functions'))
    writeFileSync(join(home, 'functions', '_swap'), scripts.zsh)
    const rc = `fpath=(${join(home, 'functions')} $fpath); autoload -Uz compinit && compinit -u`
    await presses({ open: () => open(rc) }, 'swap srou', /^\$ swap sroute\b/)
  })
  test('works where the shell has not set up completion', async () => {
    await presses(
      { open: () => open('source <(swap completion zsh)') },
      'swap srou',
      /^\$ swap sroute\b/,
    )
  })
  test('works in a new shell once it is installed', async () => {
    swap(['completion', 'install', '--shell', 'zsh', '--yes'], { env: env() })
    const screen = inTerminal(['zsh', '-i'], { env: { ...env(), PS1: '$ ' }, columns: 120 })
    screen.type("PS1='$ '; unsetopt PROMPT_SP\r")
    await screen.shows((rows) => rows.some((row) => row === '$'))
    screen.type('swap srou\t')
    await screen.shows((rows) => rows.some((row) => /swap sroute\b/.test(row)))
  })
})

describe.skipIf(!fish)('fish', () => {
  const open = async (place: string, text: string) => {
    mkdirSync(join(home, '.config', 'fish', 'completions'), { recursive: true })
    writeFileSync(
      join(home, '.config', 'fish', 'config.fish'),
      "function fish_prompt; echo '$ '; end\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\n",
    )
    writeFileSync(join(home, '.config', 'fish', place), text)
    const screen = inTerminal(['fish', '-i'], { env: env(), columns: 120, rows: 40 })
    await screen.shows((rows) => rows.some((row) => row === '$'))
    return screen
  }
  completes({ open: () => open('completions/swap.fish', scripts.fish) })
  test('works in a new shell once it is installed', async () => {
    swap(['completion', 'install', '--shell', 'fish', '--yes'], { env: env() })
    const shell = { open: () => open('fishd.tmp', '') }
    await presses(shell, 'swap srou', /^\$ swap sroute\b/)
  })
})

describe.skipIf(!pwsh)('PowerShell', () => {
  /** What it would offer for a line, as its own completion says. */
  const offered = (line: string): readonly string[] => {
    const ask = `${scripts.powershell}
(TabExpansion2 -inputScript '${line}' -cursorColumn ${line.length}).CompletionMatches | ForEach-Object { $_.CompletionText }`
    const { stdout } = spawnSync('pwsh', ['-NoProfile', '-NonInteractive', '-Command', ask], {
      encoding: 'utf8',
      env: { ...process.env, ...env() },
    })
    return stdout.split('\n').filter((each) => each !== '')
  }
  test('completes a command, a flag and an empty word', () => {
    assert.deepEqual(offered('swap srou'), ['sroute'])
    assert.deepEqual(offered('swap route --max-h'), ['--max-hops'])
    assert.ok(offered('swap config ').includes('unset'))
  })
})

test("the script of PowerShell passes -- in quotes, which npm's script for Windows would drop", () => {
  assert.match(scripts.powershell, / swap __complete @next '--' @words /)
})

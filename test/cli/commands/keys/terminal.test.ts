import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { accountOf } from '../../../../src/wallet/make.js'
import { entropyOf } from '../../../../src/wallet/mnemonic.js'
import { runIn } from '../../../support/cli.js'
import { longTest } from '../../../support/long.js'
import { desk, PASSWORD, TWELVE } from './desk.js'
import { type Screen, screen } from './screen.js'

const CTRL_C = '\x03'
const SHOW_CURSOR = '\x1b[?25h'
const HIDE_CURSOR = '\x1b[?25l'

const start = (line: string, env: Record<string, string> = {}) => {
  const { home, ...rest } = desk()
  return { ...rest, home, at: screen(`exec $SWAP ${line}`, { SWAP_HOME: home, ...env }) }
}

/** The displayed words in their order. */
const wordsOn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => /^ +\d+ [a-z]+( |$)/.test(line))
    .flatMap((line) => [...line.matchAll(/(\d+) ([a-z]{3,8})(?=\s|$)/g)])
    .map(([, at, word]) => [Number(at), word ?? ''] as const)
    .sort(([a], [b]) => a - b)
    .map(([, word]) => word)

/** The requested words. */
const wantedOn = (text: string): string => {
  const [, ...places] = /Words (\d+), (\d+) and (\d+)/.exec(text) ?? []
  return places.map((place) => wordsOn(text)[Number(place) - 1]).join(' ')
}

async function choosePassword(
  at: Screen,
  prompt = 'Password (12 characters or more, not echoed):',
): Promise<void> {
  await at.until(prompt)
  at.type(`${PASSWORD}\r`)
  await at.until('Again:')
  at.type(`${PASSWORD}\r`)
}

const cursorIsBack = (at: Screen): void =>
  assert.ok(at.raw().lastIndexOf(SHOW_CURSOR) >= at.raw().lastIndexOf(HIDE_CURSOR))

describe('swap keys new on a terminal', () => {
  test('shows the words on a screen of their own, asks for three, and leaves no trace', async () => {
    const { at, home, keys } = start('keys new main')
    await choosePassword(at)
    const shown = await at.until(/to be sure you have them:/)
    assert.equal(at.isApart(), true)
    const words = wordsOn(shown)
    assert.equal(words.length, 24)
    assert.equal(wantedOn(shown).split(' ').length, 3)
    at.type('these are wrong\r')
    await at.until('These are not the words')
    at.type(`${wantedOn(shown)}\r`)
    assert.equal(await at.ended, 0)
    assert.equal(at.isApart(), false)
    const left = at.everything()
    assert.match(left, /made main/)
    for (const word of words.filter((each) => each.length > 5 && each !== 'address'))
      assert.ok(!new RegExp(`\\b${word}\\b`).test(left), word)
    assert.ok(!at.raw().includes(PASSWORD))
    const secret = { kind: 'mnemonic' as const, bytes: entropyOf(words.join(' ')) }
    const { address } = await accountOf(secret, { hdPath: "m/44'/118'/0'/0/0", prefix: 'demo' })
    assert.equal((await keys('show', 'main', '-q')).stdout, `${address}\n`)
    assert.match((await keys('show', 'main', '-o', 'human')).stdout, /its words were written down/)
    assert.ok(existsSync(join(home, 'keys', 'main.json')))
  })
  longTest(
    'asks again after a bad password and two that differ; ctrl-c ends it with 130, the cursor back and nothing stored',
    async () => {
      const { at, files } = start('keys new main')
      await at.until('Password (12')
      at.type('short\r')
      await at.until(/Not this one: it has fewer than 12 characters\.\nPassword \(12/)
      at.type(`${PASSWORD}\r`)
      await at.until('Again:')
      at.type(`${PASSWORD}x\r`)
      await at.until(/The two are not the same\.\nPassword \(12/)
      at.type(PASSWORD.slice(0, 5))
      at.type(CTRL_C)
      assert.equal(await at.ended, 130)
      cursorIsBack(at)
      assert.match(at.everything(), /nothing was changed/)
      assert.ok(!at.raw().includes(PASSWORD.slice(0, 5)))
      assert.deepEqual(files(), [])
    },
  )
  test('breaks a message that is wider than the terminal at a space', async () => {
    const { at } = start('keys new main')
    await at.until('Password (12')
    at.type('correct-horse-9xq\r')
    await at.until(/: add rarer or more\nwords\.\nPassword \(12/)
    at.type(CTRL_C)
    assert.equal(await at.ended, 130)
  })
  longTest('ends with 130 on ctrl-d at the password', async () => {
    const { at, files } = start('keys new main')
    await at.until('Password (12')
    at.type('\x04')
    assert.equal(await at.ended, 130)
    cursorIsBack(at)
    assert.deepEqual(files(), [])
  })
  longTest('on a dumb terminal warns of the scrollback before it shows any word', async () => {
    const { at, files } = start('keys new main', { TERM: 'dumb' })
    await choosePassword(at)
    const warned = await at.until('Show it here? [y/N] ')
    assert.match(warned, /stays in its scrollback/)
    assert.deepEqual(wordsOn(warned), [])
    at.type('n\r')
    assert.equal(await at.ended, 8)
    assert.deepEqual(files(), [])
  })
  longTest('on a dumb terminal shows the words after the warning is answered', async () => {
    const { at } = start('keys new main', { TERM: 'dumb' })
    await choosePassword(at)
    await at.until('Show it here? [y/N] ')
    at.type('y\r')
    const shown = await at.until(/to be sure you have them:/)
    assert.equal(wordsOn(shown).length, 24)
    assert.equal(at.isApart(), false)
    at.type(CTRL_C)
    assert.equal(await at.ended, 130)
  })
  test('ends with 130 on ctrl-c at the words and removes them from the screen', async () => {
    const { at, files } = start('keys new main')
    await choosePassword(at)
    const words = wordsOn(await at.until('to be sure you have them:'))
    at.type(CTRL_C)
    assert.equal(await at.ended, 130)
    assert.equal(at.isApart(), false)
    const left = at.everything()
    assert.ok(words.filter((word) => left.includes(` ${word} `)).length < 3)
    assert.deepEqual(files(), [])
  })
  test('removes the words while it is stopped by ctrl-z, and shows them and the question again after fg', async () => {
    const line = `exec bash -c 'set -m; $SWAP keys new main; echo "stopped with $?"; read; stty sane; fg; exit $?'`
    const { home, files } = desk()
    const at = screen(line, { SWAP_HOME: home })
    await choosePassword(at)
    const words = wordsOn(await at.until('to be sure you have them:'))
    at.type('\x1a')
    // 128 plus SIGTSTP.
    const stopped = await at.until('stopped with 148')
    assert.equal(at.isApart(), false)
    assert.deepEqual(wordsOn(stopped), [])
    at.type('\n')
    const again = await at.until(/to be sure you have them:/, 'alternate')
    assert.deepEqual(wordsOn(again), words)
    at.type(`${wantedOn(again)}\r`)
    assert.equal(await at.ended, 0)
    // Once before the stop, and once after it.
    assert.equal(at.raw().split('\x1b[?1049h').length - 1, 2)
    assert.deepEqual(wordsOn(at.everything()), [])
    assert.deepEqual(files(), ['main.json'])
  })
  longTest('removes the words from the screen on a signal', async () => {
    const { at, files } = start('keys new main')
    await choosePassword(at)
    await at.until('to be sure you have them:')
    assert.equal(at.isApart(), true)
    at.kill('SIGTERM')
    assert.notEqual(await at.ended, 0)
    assert.equal(at.isApart(), false)
    assert.deepEqual(files(), [])
  })
  longTest(
    'ends with 8 after five wrong repetitions of the words, and nothing is stored',
    async () => {
      const { at, files } = start('keys new main --words 12')
      await choosePassword(at)
      await at.until('to be sure you have them:')
      for (let attempt = 0; attempt < 5; attempt++) {
        await at.until(new RegExp(`(be sure you have them:[^]*){${attempt + 1}}`))
        at.type('no no no\r')
      }
      assert.equal(await at.ended, 8)
      assert.match(at.everything(), /wrong words were typed 5 times/)
      assert.deepEqual(files(), [])
    },
  )
})

describe('swap keys import on a terminal', () => {
  test('takes words without echo, shows the address, and asks for a confirmation and a password', async () => {
    const { at, keys } = start('keys import main')
    await at.until('Mnemonic or private key (not echoed):')
    at.type(`${TWELVE}\r`)
    const shown = await at.until('Store it as main? [y/N]')
    const address = /its address on demo is (demo1\w+)/.exec(shown)?.[1]
    at.type('y\r')
    await choosePassword(at, 'New password')
    assert.equal(await at.ended, 0)
    assert.ok(!at.raw().includes('abandon'))
    assert.equal((await keys('show', 'main', '-q')).stdout, `${address}\n`)
  })
  test('still asks after ctrl-z and fg', async () => {
    const line = "exec bash -c 'set -m; $SWAP keys import main; stty sane; fg; exit $?'"
    const { home, files } = desk()
    const at = screen(line, { SWAP_HOME: home })
    await at.until('not echoed')
    at.type(`${TWELVE}\r`)
    await at.until('[y/N]')
    at.type('\x1a')
    await at.until(/\[y\/N\][\s\S]*\[y\/N\]/)
    at.type('n\r')
    assert.equal(await at.ended, 8)
    assert.throws(files, /ENOENT/)
  })
  longTest('stores nothing after a no and ends with 8', async () => {
    const { at, files } = start('keys import main')
    await at.until('not echoed')
    at.type(`${TWELVE}\r`)
    await at.until('[y/N]')
    at.type('\r')
    assert.equal(await at.ended, 8)
    assert.throws(files, /ENOENT/)
  })
  longTest('asks on the terminal while the key comes from standard input', async () => {
    const { home, files } = desk()
    const line = `echo ${TWELVE} | $SWAP keys import main - > ${join(home, 'out')}`
    const at = screen(line, { SWAP_HOME: home })
    await at.until('[y/N]')
    at.type('y\r')
    await choosePassword(at, 'New password')
    assert.equal(await at.ended, 0)
    assert.deepEqual(files(), ['main.json'])
  })
})

describe('a stored key on a terminal', () => {
  const { home, run, pw } = desk()
  beforeAll(() => run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE }))

  longTest(
    'takes three wrong passwords, each refused in the same words, then ends with 7',
    async () => {
      const at = screen('exec $SWAP keys check main', { SWAP_HOME: home })
      for (let attempt = 0; attempt < 3; attempt++) {
        const refusals = '(Wrong password or damaged file\\.\\n[^]*)'.repeat(attempt)
        await at.until(new RegExp(`${refusals}Password of main:`))
        at.type('one\r')
      }
      assert.equal(await at.ended, 7)
    },
  )
  test('does not show a password that is typed after a stop: the shell has switched the echo on', async () => {
    const job = "sh -c 'echo pid=$$; exec $SWAP keys check main'"
    const line = `exec bash -c 'set -m; ${job.replaceAll("'", "'\\''")}; stty sane; fg; exit $?'`
    const at = screen(line, { SWAP_HOME: home })
    const [, pid] = /pid=(\d+)/.exec(await at.until('Password of main:')) ?? []
    process.kill(Number(pid), 'SIGSTOP')
    await at.until(/Password of main:[\s\S]*Password of main:/)
    at.type(`${PASSWORD}\r`)
    assert.equal(await at.ended, 0)
    assert.ok(!at.raw().includes(PASSWORD))
  })
  longTest('opens after a wrong password and the right one', async () => {
    const at = screen('exec $SWAP keys check main', { SWAP_HOME: home })
    await at.until('Password of main:')
    at.type('one\r')
    await at.until(/Wrong password or damaged file\.\n.*Password of main:/)
    at.type(`${PASSWORD}\r`)
    assert.equal(await at.ended, 0)
  })
  test('is exported to a screen of its own after its name is typed', async () => {
    const line = `exec $SWAP keys export main --format mnemonic --show --password-file ${pw}`
    const at = screen(line, { SWAP_HOME: home })
    await at.until('Type main to export its secret:')
    at.type('main\r')
    await at.until('abandon')
    await at.until('Enter when you have it:')
    assert.equal(at.isApart(), true)
    at.type('\r')
    assert.equal(await at.ended, 0)
    assert.ok(!at.everything().includes('abandon'))
  })
  longTest('is not exported to the terminal itself', async () => {
    const ended = await runIn({ home, isTerminal: true }, [
      'keys',
      'export',
      'main',
      '--password-file',
      pw,
    ])
    assert.equal(ended.status, 2)
    assert.match(ended.stderr.replace(/\s+/g, ' '), /nothing secret is printed on a terminal/)
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { deferred } from '../../../support/deferred.js'
import { firstRows, LONG, longTest } from '../../../support/long.js'
import { inTerminal, type Screen } from '../../../support/terminal.js'
import { asks, has, journalOf, networkWithBot, openIn, PASSWORD } from './screens.js'
import { bin } from './stage.js'

const net = await networkWithBot()

const open = (...args: string[]): Screen => openIn(net, ...args)
const journal = () => journalOf(net)

describe('the screen before a signature', () => {
  test('shows the content of the transaction; the symbol signs and sends it', async () => {
    const screen = open('1000', 'rune', 'usdc', '--from', 'demo')
    await screen.shows(asks)
    const rows = screen.rows().join('\n')
    for (const text of [
      'You are about to sign',
      'demo-1',
      'sequence',
      '1,000.00000000 RUNE',
      '100000000000 rune',
      'at least',
      'you (demo)',
      '0.50 % (default)',
      'after that it can never land',
      'sha256',
      'MsgExecuteContract',
      'Type USDC to sign and send',
    ])
      assert.ok(rows.includes(text), `${text}\n${rows}`)
    screen.type('usdc\r')
    assert.equal(await screen.exited, 0)
    assert.ok(screen.raw().includes('confirmed'))
    assert.equal((await journal()).length, 1)
  })

  longTest(
    'of a small amount takes a y, and s shows the whole document, each with Enter or without',
    async () => {
      for (const [show, yes] of firstRows([
        ['s', 'y\r'],
        ['s\r', 'y'],
        ['show all\r', 'yes\r'],
      ] as const)) {
        const screen = open('1', 'rune', 'usdc', '--from', 'demo')
        await screen.shows(asks)
        assert.ok(has('[y]es / [s]how all / [N]o')(screen.rows()))
        screen.type(show)
        await screen.shows(has('"account_number"'))
        screen.type(yes)
        assert.equal(await screen.exited, 0, yes)
      }
    },
  )

  longTest('repeats its question after an empty line', async () => {
    const screen = open('1', 'rune', 'usdc', '--from', 'demo')
    await screen.shows(asks)
    const questions = () => screen.rows().filter((row) => row.includes('Sign and send?')).length
    screen.type('\r')
    await screen.shows(() => questions() === 2)
    // Of several lines in one piece the first one answers.
    screen.type('\ry\r')
    await screen.shows(() => questions() === 3)
    screen.type('y\r')
    assert.equal(await screen.exited, 0)
  })

  test('clears its line at ctrl-u, and ends at ctrl-d under the name of that key', async () => {
    const screen = open('1', 'rune', 'usdc', '--from', 'demo')
    await screen.shows(asks)
    const line = (text: string) => (rows: readonly string[]) =>
      rows.includes(`  > ${text}`.trimEnd())
    screen.type('maybe')
    await screen.shows(line('maybe'))
    screen.type('\x15')
    await screen.shows(line(''))
    // Several keys that arrive before the first of them is drawn: each counts.
    screen.type('may\x1b[Cbe')
    await screen.shows(line('maybe'))
    screen.type('\x04')
    assert.equal(await screen.exited, 130)
    assert.match(screen.raw(), /you pressed ctrl-d/)
  })

  test('signs nothing after n, any other text, escape, ctrl-c or ctrl-d', async () => {
    const before = (await journal()).length
    const answers = [
      ['\x1b', 8],
      ['\x03', 130],
      ['n\r', 8],
      ['n', 8],
      ['maybe\r', 8],
      ['\x04', 130],
    ] as const
    for (const [typed, status] of firstRows(answers, 2)) {
      const screen = open('1', 'rune', 'usdc', '--from', 'demo')
      await screen.shows(asks)
      screen.type(typed)
      assert.equal(await screen.exited, status, JSON.stringify(typed))
    }
    assert.equal((await journal()).length, before)
  })
})

describe.runIf(LONG)('a transaction from a file', () => {
  longTest(
    'is signed without a network after the symbol was typed, and not after a y',
    async () => {
      const made = await net.run(...'execute 1 rune usdc --from demo --generate-only'.split(' '))
      const path = join(net.home, 'tx.json')
      writeFileSync(path, made.stdout)
      const numbers = ['--offline', '--account-number', '107', '--sequence', '0']
      for (const [typed, status] of [
        ['usdc\r', 0],
        ['y\r', 8],
      ] as const) {
        const screen = inTerminal(
          [process.execPath, bin, 'tx', 'sign', path, '--from', 'demo', ...numbers],
          { columns: 90, rows: 60, env: net.env },
        )
        await screen.shows(has('Sign this? Type USDC'))
        assert.ok(has('Warning: without a network no guard can be held')(screen.rows()))
        screen.type(typed)
        assert.equal(await screen.exited, status)
        assert.equal(screen.raw().includes('"signatures":["'), status === 0)
      }
    },
  )
})

describe('the screen before a signature', () => {
  longTest('stays in the scrollback of a small terminal', async () => {
    const before = (await journal()).length
    const screen = inTerminal(
      [process.execPath, bin, 'execute', '1', 'rune', 'usdc', '--from', 'demo'],
      { columns: 80, rows: 12, env: net.env },
    )
    await screen.shows(asks)
    const all = () => [...screen.scrolled(), ...screen.rows()]
    assert.ok(has('You are about to sign')(all()))
    screen.type('s')
    await screen.shows((rows) => has('"gas_limit"')(all()) && asks(rows))
    for (const part of ['You are about to sign', 'Receives', '"account_number"'])
      assert.ok(has(part)(all()), part)
    assert.ok(!screen.raw().includes('\x1b[3J'), 'the scrollback was cleared')
    screen.type('n\r')
    assert.equal(await screen.exited, 8)
    assert.equal((await journal()).length, before)
  })

  test('shows what is typed with CI and DEV set too, and is not answered by keys that were typed before it', async () => {
    const { promise: held, resolve: release } = deferred()
    const asked = new Promise<void>((resolve) => {
      net.hook = async (_request, next) => {
        resolve()
        await held
        return next()
      }
    })
    const screen = inTerminal(
      [process.execPath, bin, 'execute', '1', 'rune', 'usdc', '--from', 'demo'],
      { columns: 90, rows: 50, env: { ...net.env, CI: 'true', DEV: 'true' } },
    )
    await asked
    screen.type('y\r')
    net.hook = (_request, next) => next()
    release()
    await screen.shows(has('You are about to sign'))
    await screen.shows(has('[y]es'))
    screen.type('no')
    await screen.shows(has('> no'))
    screen.type('\r')
    assert.equal(await screen.exited, 8)
    assert.match(screen.raw(), /you typed "no"/)
  })
})

describe.runIf(LONG)('the password prompt of swap execute', () => {
  longTest(
    'opens the key without showing the password, and is not answered by the rest of a yes',
    async () => {
      const screen = open('1', 'rune', 'usdc', '--from', 'bot')
      await screen.shows(asks)
      // In one piece: what arrives while the prompt opens is dropped, a password that is typed at once too.
      screen.type('yes\r')
      await screen.shows(has('Password of bot'))
      screen.type(`${PASSWORD}\r`)
      assert.equal(await screen.exited, 0)
      assert.ok(!screen.raw().includes('Wrong password'))
      assert.ok(!screen.raw().includes(PASSWORD))
      assert.ok(screen.raw().includes('unlocked'))
    },
  )

  const untilPassword = async (): Promise<Screen> => {
    const screen = open('1', 'rune', 'usdc', '--from', 'bot')
    await screen.shows(asks)
    screen.type('y\r')
    await screen.shows(has('Password of bot'))
    return screen
  }

  longTest('ends with 130 on ctrl-c, and nothing is signed', async () => {
    const before = (await journal()).length
    const screen = await untilPassword()
    screen.type('half of it\x03')
    assert.equal(await screen.exited, 130)
    assert.equal((await journal()).length, before)
  })

  longTest(
    'is followed by a last reading of the books, which ctrl-c ends with 130, and nothing is signed',
    async () => {
      const before = (await journal()).length
      const screen = await untilPassword()
      const looking = new Promise<void>((resolve) => {
        net.hook = () => {
          resolve()
          return new Promise(() => {})
        }
      })
      screen.type(`${PASSWORD}\r`)
      await looking
      // The terminal and the network are two ways to here: what came first may arrive last.
      await screen.shows((rows) => rows.some((row) => row.includes('unlocked')))
      screen.type('\x03')
      assert.equal(await screen.exited, 130)
      net.hook = (_request, next) => next()
      assert.equal((await journal()).length, before)
    },
  )

  longTest('takes three wrong passwords, then ends with 7, and nothing is signed', async () => {
    const before = (await journal()).length
    const screen = await untilPassword()
    for (let tries = 1; tries <= 3; tries += 1) {
      screen.type('not this one\r')
      if (tries < 3)
        await screen.shows(
          (rows) => rows.filter((row) => row.includes('Password of bot')).length > tries,
        )
    }
    assert.equal(await screen.exited, 7)
    assert.equal((await journal()).length, before)
  })
})

describe.runIf(LONG)('a quote in a pipe to swap execute', () => {
  longTest('leaves the question to the terminal', async () => {
    const line = `"${process.execPath}" "${bin}" sroute 1 rune usdc --json | "${process.execPath}" "${bin}" execute - --from demo`
    const screen = inTerminal(['bash', '--norc', '-c', line], {
      columns: 90,
      rows: 50,
      env: net.env,
    })
    await screen.shows(asks)
    screen.type('y\r')
    assert.equal(await screen.exited, 0)
    assert.ok(screen.raw().includes('confirmed'))
  })
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, vi } from 'vitest'
import { deferred } from '../../../support/deferred.js'
import { firstRows, longTest } from '../../../support/long.js'
import { inTerminal, type Screen } from '../../../support/terminal.js'
import { asks, has, journalOf, networkWithBot, openIn } from './screens.js'
import { bin } from './stage.js'

const net = await networkWithBot()

const open = (...args: string[]): Screen => openIn(net, ...args)
const journal = () => journalOf(net)

describe('a signal to swap execute', () => {
  const waits: readonly (readonly [string, (screen: Screen) => Promise<void>])[] = [
    ['the question', (screen) => screen.shows(asks)],
    [
      'the password',
      async (screen) => {
        await screen.shows(asks)
        screen.type('y\r')
        await screen.shows(has('Password of bot'))
      },
    ],
  ]
  for (const [where, wait] of firstRows(waits.toReversed()))
    test(`ends it at ${where} with 130, and nothing is signed`, async () => {
      const before = (await journal()).length
      const screen = open('1', 'rune', 'usdc', '--from', 'bot')
      await wait(screen)
      screen.signal('SIGTERM')
      assert.equal(await screen.exited, 130)
      assert.match(screen.raw(), /SIGTERM asked it to end; nothing was changed/)
      assert.equal((await journal()).length, before)
    })

  test('such as SIGHUP to it alone ends the program that signs as well', async () => {
    const path = join(net.home, 'signer-pid')
    const signer = `exec:sh -c 'echo $$ >"${path}"; exec sleep 60'`
    const unattended = ['--yes', '--slippage', '1%', '--signer', signer]
    const screen = open('1', 'rune', 'usdc', '--from', 'demo', ...unattended)
    await vi.waitFor(() => assert.ok(existsSync(path) && readFileSync(path).length > 0), 20_000)
    screen.signal('SIGHUP')
    assert.equal(await screen.exited, 130)
    assert.match(screen.raw(), /SIGHUP asked it to end; nothing was changed/)
    assert.throws(() => process.kill(Number(readFileSync(path, 'utf8')), 0), { code: 'ESRCH' })
  })

  test('that continues it after a stop asks again, since the terminal shows something else', async () => {
    const screen = open('1', 'rune', 'usdc', '--from', 'demo')
    await screen.shows(asks)
    screen.type('x')
    await screen.shows(has('> x'))
    screen.signal('SIGSTOP')
    screen.signal('SIGCONT')
    const question = 'Sign and send?'
    await screen.shows(
      (rows) => rows.filter((row) => row.includes(question)).length === 2 && !has('> x')(rows),
    )
    screen.type('\x03')
    assert.equal(await screen.exited, 130)
  })

  test('such as ctrl-z stops it at the question and the password, with the cursor shown, and each is asked again after fg', async () => {
    const again = 'echo "stopped with $?"; read; stty sane; fg'
    const line = `set -m; "$@"; ${again}; ${again}; exit $?`
    const call = [process.execPath, bin, 'execute', '1', 'rune', 'usdc', '--from', 'bot']
    const screen = inTerminal(['bash', '--norc', '-c', line, 'line', ...call], {
      columns: 90,
      rows: 50,
      env: net.env,
    })
    const stopAt = async (what: string) => {
      await screen.shows(has(what))
      const { length } = screen.raw()
      screen.type('\x1a')
      // 128 plus SIGTSTP.
      await screen.shows(() => screen.raw().slice(length).includes('stopped with 148'))
      const before = screen.raw()
      assert.ok(before.lastIndexOf('\x1b[?25h') >= before.lastIndexOf('\x1b[?25l'))
      screen.type('\n')
      await screen.shows(() => screen.raw().slice(before.length).includes(what))
    }
    await screen.shows(asks)
    await stopAt('Sign and send?')
    screen.type('y\r')
    await stopAt('Password of bot')
    screen.type('\x03')
    assert.equal(await screen.exited, 130)
  })

  test('such as ctrl-c ends it also where it comes at once with the yes', async () => {
    const before = (await journal()).length
    const screen = open('1', 'rune', 'usdc', '--from', 'demo')
    await screen.shows(asks)
    screen.type('y\x03')
    assert.equal(await screen.exited, 130)
    assert.equal((await journal()).length, before)
  })

  longTest('or ctrl-c ends it at once while a node does not answer', async () => {
    const hanging = new Promise<void>((resolve) => {
      net.hook = () => {
        resolve()
        return new Promise(() => {})
      }
    })
    const before = (await journal()).length
    const screen = open('1', 'rune', 'usdc', '--from', 'demo', '--timeout', '60s')
    await hanging
    const begun = performance.now()
    screen.type('\x03')
    assert.equal(await screen.exited, 130)
    assert.ok(performance.now() - begun < 10_000)
    net.hook = (_request, next) => next()
    assert.match(screen.raw(), /nothing was changed/)
    assert.equal((await journal()).length, before)
  })
})

describe('ctrl-c after the broadcast', () => {
  test('ends with 9, with the hash of the pending transaction', async () => {
    net.board.add({ kind: 'halt', once: true }, net.real.height)
    const screen = open('1', 'rune', 'usdc', '--from', 'demo')
    await screen.shows(asks)
    screen.type('y\r')
    await screen.shows(has('accepted'))
    screen.type('\x03')
    assert.equal(await screen.exited, 9)
    assert.match(screen.raw(), /do NOT send it again/)
    assert.match(screen.raw().replace(/\s+/g, ''), /[0-9A-F]{64}/)
    const next = await net.run(...'execute 1 rune usdc --from demo --yes --slippage 1%'.split(' '))
    assert.equal(next.status, 13, next.stderr)
    net.heal()
    const resumed = await net.run('tx', 'resume', '--json')
    assert.equal(resumed.status, 0, resumed.stdout)
    assert.equal(JSON.parse(resumed.stdout).executions[0].status, 'confirmed')
  })
})

describe('a second ctrl-c', () => {
  test('ends swap execute at once, and the next run finds the sent transaction', async () => {
    const screen = open('1', 'rune', 'usdc', '--from', 'demo', '--timeout', '60s')
    await screen.shows(asks)
    const { promise: broadcast, resolve: sent } = deferred()
    net.hook = async (request, next) => {
      if (!request.body.includes('broadcast_tx_sync')) return next()
      await next()
      sent()
      return new Promise(() => {})
    }
    screen.type('y\r')
    await broadcast
    screen.type('\x03')
    await screen.shows(has('ctrl-c again leaves at once'))
    assert.ok(screen.rows().includes('^C'), screen.rows().join('\n'))
    screen.type('\x03')
    assert.equal(await screen.exited, 130)
    net.hook = (_request, next) => next()
    const resumed = JSON.parse((await net.run('tx', 'resume', '--json')).stdout)
    assert.equal(resumed.executions[0].status, 'confirmed')
  })
})

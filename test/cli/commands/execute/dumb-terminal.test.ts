import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { inTerminal } from '../../../support/terminal.js'
import { asks, has, networkWithBot, PASSWORD } from './screens.js'
import { bin } from './stage.js'

const net = await networkWithBot()

const ESC = String.fromCharCode(27)

const open = (from: string) =>
  inTerminal([process.execPath, bin, 'execute', '1', 'rune', 'usdc', '--from', from], {
    columns: 90,
    rows: 100,
    env: { ...net.env, TERM: 'dumb' },
  })

describe('swap execute on a terminal with TERM=dumb', () => {
  test('shows all, asks for a y and a password, and signs, without an escape code', async () => {
    const screen = open('bot')
    await screen.shows(asks)
    screen.type('s\r')
    await screen.shows((rows) => rows.filter((row) => row.includes('Sign and send?')).length === 2)
    screen.type('y\r')
    await screen.shows(has('Password of bot'))
    screen.type(`${PASSWORD}\r`)
    assert.equal(await screen.exited, 0)
    assert.ok(!screen.raw().includes(ESC), JSON.stringify(screen.raw()))
  })

  test('ends with 130 at ctrl-c and at SIGTERM', async () => {
    const typed = open('demo')
    await typed.shows(asks)
    typed.type('\x03')
    assert.equal(await typed.exited, 130)
    const signalled = open('demo')
    await signalled.shows(asks)
    signalled.signal('SIGTERM')
    assert.equal(await signalled.exited, 130)
  })
})

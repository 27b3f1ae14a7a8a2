import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { whyUndrawable } from '../../../src/cli/watch/watch.js'
import { runSwap } from '../../support/cli.js'
import { firstRows, longTest } from '../../support/long.js'
import { inTerminal } from '../../support/terminal.js'
import { bin, liveNode, seen, shell } from './stage.js'

const ESC = String.fromCharCode(27)
const ENTER = `${ESC}[?1049h`
const LEAVE = `${ESC}[?1049l`

const { network } = await liveNode()

const watched = (args: readonly string[], options: Parameters<typeof inTerminal>[1] = {}) =>
  inTerminal([process.execPath, bin, ...args, '--watch', ...network], options)

describe('a terminal without drawing in place', () => {
  test('is a dumb one, or one with CI set', () => {
    assert.equal(whyUndrawable(true, { TERM: 'xterm' }), undefined)
    assert.match(whyUndrawable(false, {}) ?? '', /is not a terminal/)
    assert.match(whyUndrawable(true, { TERM: 'dumb' }) ?? '', /TERM is dumb/)
    for (const name of ['CI', 'CONTINUOUS_INTEGRATION'])
      for (const [value, is] of [
        ['true', true],
        ['1', true],
        ['', true],
        ['0', false],
        ['false', false],
      ] as const)
        assert.equal(whyUndrawable(true, { [name]: value }) !== undefined, is, `${name}=${value}`)
  })
  for (const env of firstRows([{ CI: 'true' }, { TERM: 'dumb' }]))
    test(`gets a line for every block with ${JSON.stringify(env)}`, async () => {
      const args = ['route', '1.5', 'btc', 'rune', '--count', '2']
      const screen = watched(args, { env })
      assert.equal(await screen.exited, 0)
      const rows = screen.rows().filter((row) => row !== '')
      assert.match(rows[0]!, /^note: nothing is drawn in place: (CI|TERM) is /)
      assert.equal(
        rows.filter((row) => /^block [\d,]+ {2}[\d.,]+ RUNE {2}impact/.test(row)).length,
        2,
      )
      assert.ok(!screen.raw().includes(`${ESC}[?25l`) && !screen.raw().includes(`${ESC}[1A`))
    })
  longTest('is not one with CI=false', async () => {
    const screen = watched(['route', '1.5', 'btc', 'rune'], { env: { CI: 'false' } })
    await screen.shows(seen(2))
    screen.type('q')
    assert.equal(await screen.exited, 0)
  })
})

describe('--fullscreen', () => {
  test('draws on a screen of its own until it ends, and leaves the last frame', async () => {
    const screen = watched(['sroute', '1.5', 'btc', 'rune', '--fullscreen'])
    await screen.shows(seen(2))
    assert.match(screen.rows()[0]!, /^1\.5 BTC → RUNE · every block/)
    screen.type('q')
    assert.equal(await screen.exited, 0)
    const raw = screen.raw()
    assert.ok(raw.indexOf(ENTER) >= 0 && raw.indexOf(ENTER) < raw.indexOf('every block'))
    assert.equal(raw.split(ENTER).length, 2)
    assert.equal(raw.split(LEAVE).length, 2)
    assert.match(raw.slice(raw.indexOf(LEAVE)), /every block[\s\S]*Session/)
    assert.match(screen.rows().join('\n'), /Session/)
  })
  longTest('fits a book to the height of the screen', async () => {
    const levels = (rows: readonly string[]): number =>
      rows.filter((row) => /^ {2}(ask|bid) /.test(row)).length
    for (const [rows, fills] of firstRows([
      [50, (drawn: number) => drawn > 20],
      [12, (drawn: number) => drawn > 0 && drawn < 12],
    ] as const)) {
      const screen = watched(['book', 'btc/usdc', '--levels', '40', '--fullscreen'], { rows })
      await screen.shows((drawn) => seen(2)(drawn) && fills(levels(drawn)))
      assert.ok(screen.rows().filter((row) => row !== '').length < rows)
      screen.type('q')
      await screen.exited
    }
  })
  longTest(
    'leaves nothing of another width when the terminal changes, and gives the screen back at ctrl-c',
    async () => {
      const screen = watched(['sroute', '1.5', 'btc', 'rune', '--fullscreen'], { columns: 120 })
      await screen.shows(seen(1))
      screen.resize(70, 16)
      // The terminal itself breaks the old lines at its new width before the program draws anew.
      await screen.shows(
        (rows) => /every block/.test(rows[0] ?? '') && /^─{70}$/.test(rows[1] ?? ''),
      )
      assert.equal(screen.rows().filter((row) => /every block/.test(row)).length, 1)
      screen.type('\x03')
      assert.equal(await screen.exited, 130)
      assert.equal(screen.raw().split(LEAVE).length, 2)
    },
  )
  test('leaves no rest of a frame that a narrower terminal has wrapped', async () => {
    const screen = watched(['route', '1.5', 'btc', 'rune'], { columns: 80, rows: 40 })
    await screen.shows(seen(1))
    screen.resize(40, 40)
    await screen.shows((rows) => rows.some((row) => /^\S.*every block$/.test(row)))
    assert.equal(screen.rows().filter((row) => /every block/.test(row)).length, 1)
    screen.type('q')
    assert.equal(await screen.exited, 0)
  })
  test('has eighty columns on a terminal that does not know its size', async () => {
    const call = ['route', '1.5', 'btc', 'rune', '--watch', ...network]
    const sized = 'stty rows 0 cols 0 && exec "$0" "$@"'
    const screen = inTerminal(['sh', '-c', sized, process.execPath, bin, ...call])
    await screen.shows(seen(1))
    screen.type('q')
    assert.equal(await screen.exited, 0)
  })
  longTest('does not enter its screen for a wrong call', async () => {
    const wrong = watched(['route', '1', 'btc', 'runr', '--fullscreen'])
    assert.equal(await wrong.exited, 2)
    assert.match(wrong.rows().join('\n'), /error: no token is called "runr"/)
    assert.ok(!wrong.raw().includes(ENTER) && !wrong.raw().includes(`${ESC}[?25l`))
  })
  test('in a pipe writes a note and events', async () => {
    const { status, stdout, stderr } = await runSwap([
      'route',
      '1.5',
      'btc',
      'rune',
      '--watch',
      '--fullscreen',
      '--count',
      '1',
      ...network,
    ])
    assert.equal(status, 0)
    assert.ok(!stdout.includes(ESC))
    assert.match(stderr, /nothing is drawn in place: standard output is not a terminal/)
  })
})

describe('standard input of --watch', () => {
  test('is not read for keys if it is a pipe', async () => {
    const line = `echo q | "${process.execPath}" "${bin}" route 1.5 btc rune --watch --count 2 ${network.join(' ')}`
    const screen = inTerminal(['bash', '--norc', '-c', line])
    assert.equal(await screen.exited, 0)
    assert.match(screen.raw(), /ctrl-c stops/)
    const text = screen.rows().join('\n')
    assert.match(text, /2 blocks, \d+ skipped/)
    assert.doesNotMatch(text, /Error|Raw mode/)
  })
  longTest('may be closed', async () => {
    const { stdout } = await shell(
      `swap route 1.5 btc rune --watch --count 1 -q ${network.join(' ')} <&-; echo "$?"`,
    )
    assert.match(stdout, /^[\d.]+\n0\n$/)
  })
})

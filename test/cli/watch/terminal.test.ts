import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { firstRows, longTest } from '../../support/long.js'
import { inTerminal } from '../../support/terminal.js'
import { bin, liveNode, seen } from './stage.js'

const { network, fail, heal } = await liveNode()

const watched = (args: readonly string[], options: Parameters<typeof inTerminal>[1] = {}) =>
  inTerminal([process.execPath, bin, ...args, ...network], options)

/** Lines from the title to the last one that is not empty. */
const region = (rows: readonly string[]): readonly string[] => {
  const first = rows.findIndex((row) => / block [\d,]+$/.test(row))
  const last = rows.findLastIndex((row) => row !== '')
  return first < 0 ? [] : rows.slice(first, last + 1)
}

const ESC = String.fromCharCode(27)

/** Within a line of bash, in which `job` is the program. It ends with `read`, since output may be lost when a shell exits. */
const watchedIn = (line: string, args: readonly string[]) => {
  const job = `job() { sh -c 'echo "job $$"; exec "$@"' job "$@"; }`
  const words = [process.execPath, bin, ...args, ...network]
  return inTerminal(['bash', '--norc', '-c', `set -m; ${job}; ${line}`, 'line', ...words])
}
const says = (text: string) => (rows: readonly string[]) => rows.some((row) => row.includes(text))

describe('a quote that is watched on a terminal', () => {
  test('is drawn in place in at most fourteen lines, hides the cursor, never clears the screen, and ends with 0 after q, without the keys', async () => {
    const screen = watched(['sroute', '1.5', 'btc', 'rune', '--watch'])
    await screen.shows(seen(3))
    const rows = region(screen.rows())
    assert.ok(rows.length <= 14, rows.join('\n'))
    assert.match(rows[0]!, /^1\.5 BTC → RUNE · every block +demo · block \d+$/)
    assert.match(rows[1]!, /^─{80}$/)
    assert.match(rows[2]!, /^ {2}Now +[\d,.]+ RUNE/)
    assert.match(rows[3]!, /^ {2}Cost +\d+\.\d\d % = impact -?\d+\.\d\d .*\(\$[\d,.]+\)$/)
    assert.match(
      rows[4]!,
      /^ {2}Session +high [\d,.]+ RUNE +low [\d,.]+ RUNE +\d+ blocks, \d+ skipped$/,
    )
    assert.match(rows[5]!, /^ {2}[▁▂▃▄▅▆▇█]{2,}$/)
    assert.ok(rows.some((row) => /^ +[\d.]+ % +█.* BTC ─ fin .* → RUNE/.test(row)))
    assert.equal(rows.at(-1), '  enter takes this quote · c compares · q quits')
    assert.deepEqual(screen.scrolled(), [])
    screen.type('q')
    assert.equal(await screen.exited, 0)
    assert.ok(!screen.rows().some((row) => row.includes('q quits')), screen.rows().join('\n'))
    const raw = screen.raw()
    assert.ok(raw.lastIndexOf(`${ESC}[?25h`) > raw.lastIndexOf(`${ESC}[?25l`))
    assert.ok(!raw.includes(`${ESC}[2J`) && !raw.includes(`${ESC}[3J`) && !raw.includes(`${ESC}[H`))
    // No line is taken away without its successor: a terminal that knows these marks shows nothing in between.
    const outside = raw.replace(new RegExp(`${ESC}\\[\\?2026h[\\s\\S]*?${ESC}\\[\\?2026l`, 'g'), '')
    assert.ok(!outside.includes(`${ESC}[2K`) && !outside.includes(`${ESC}[1A`), outside)
  })
  longTest('is never as tall as the screen: eight rows get seven lines', async () => {
    const screen = watched(['sroute', '1.5', 'btc', 'rune', '--watch'], { rows: 8 })
    await screen.shows(seen(2))
    assert.ok(region(screen.rows()).length <= 7)
    assert.deepEqual(screen.scrolled(), [])
    screen.type('q')
    await screen.exited
  })
  longTest(
    'keeps the rows above it when the terminal gets smaller, and leaves the last frame at ctrl-c',
    async () => {
      const screen = watched(['route', '1', 'usdc', 'rune', '--watch'])
      await screen.shows(seen(2))
      assert.match(screen.rows()[0]!, /^note: usdc = /)
      screen.resize(60, 8)
      await screen.shows((rows) => region(rows).length > 0 && region(rows).length <= 7)
      screen.type('\x03')
      assert.equal(await screen.exited, 130)
      assert.ok(region(screen.rows()).length > 3)
      const all = [...screen.scrolled(), ...screen.rows()]
      assert.ok(all.some((row) => row.startsWith('note: usdc = ')))
      assert.ok(!screen.raw().includes(`${ESC}[3J`))
    },
  )
  longTest('under sixty columns is stacked, without pictures', async () => {
    const screen = watched(['sroute', '1.5', 'btc', 'rune', '--watch'], { columns: 44 })
    await screen.shows(seen(2))
    const rows = screen.rows()
    assert.ok(!rows.some((row) => /[▂▃▄▆]{2}|─{4}/.test(row)), rows.join('\n'))
    screen.type('q')
    await screen.exited
  })
  longTest(
    'is compared with other splits after c, and printed whole with its id after Enter',
    async () => {
      const screen = watched(['sroute', '1.5', 'btc', 'rune', '--watch'], { rows: 60 })
      await screen.shows(seen(1))
      screen.type('c')
      await screen.shows((rows) =>
        rows.some((row) => /^ {2}\d legs? +[\d,.]+ RUNE +-0\.\d\d %/.test(row)),
      )
      screen.type('\r')
      assert.equal(await screen.exited, 0)
      const text = screen.rows().join('\n')
      assert.match(text, /best split, \d legs/)
      assert.match(text, /Quote +q_[0-9a-f]{8}/)
    },
  )
  longTest('ends with 130 on ctrl-c and leaves the last frame', async () => {
    const screen = watched(['route', '1.5', 'btc', 'rune', '--watch'])
    await screen.shows(seen(2))
    screen.type('\x03')
    assert.equal(await screen.exited, 130)
    assert.ok(region(screen.rows()).length > 5)
  })
  longTest('is drawn in ASCII alone with --ascii', async () => {
    const screen = watched(['sroute', '1.5', 'btc', 'rune', '--watch', '--ascii', '--count', '2'])
    await screen.exited
    assert.match(screen.rows().join('\n'), /^[\n\x20-\x7e]*$/)
  })
})

test('a problem that is over leaves the screen, also where no change is reported', async () => {
  const screen = watched(['route', '1.5', 'btc', 'rune', '--watch', '--on-change', '99%'])
  await screen.shows(seen(1))
  const [title] = screen.rows()
  fail({ kind: '502' })
  await screen.shows(says('Problem'))
  heal()
  // What is drawn then is of the newest block.
  await screen.shows((rows) => rows[0] !== title && says('q quits')(rows) && !says('Problem')(rows))
  screen.type('q')
  assert.equal(await screen.exited, 0)
})

describe('another answer that is watched on a terminal', () => {
  for (const [args, looks] of firstRows([
    [['book', 'btc/usdc', '--watch'], /^ {2}ask +[\d,.]+/],
    [['arbs', '--watch'], /profitable loops? · every block/],
    [['history', '--watch'], /swaps · every block/],
  ] as const))
    test(`such as swap ${args.join(' ')} fits in fourteen lines`, async () => {
      const screen = watched(args)
      await screen.shows(seen(2))
      assert.ok(
        screen.rows().some((row) => looks.test(row)),
        screen.rows().join('\n'),
      )
      assert.ok(region(screen.rows()).length <= 14)
      screen.type('q')
      assert.equal(await screen.exited, 0)
    })
})

describe('a live screen', () => {
  const args = ['route', '1.5', 'btc', 'rune', '--watch', '--fullscreen']
  const assertRestored = (raw: string) => {
    assert.ok(raw.lastIndexOf(`${ESC}[?1049l`) > raw.lastIndexOf(`${ESC}[?1049h`))
    assert.ok(raw.lastIndexOf(`${ESC}[?25h`) > raw.lastIndexOf(`${ESC}[?25l`))
  }
  test('stops at ctrl-z with the terminal restored, and is drawn and hears keys again after fg', async () => {
    // Shells reset the terminal of a job that continues. It waits for a line: the live screen comes at once.
    const line = 'job "$@"; echo "stopped with $?"; read; stty sane; fg; echo "ended with $?"; read'
    const screen = watchedIn(line, args)
    await screen.shows(seen(1))
    screen.type('\x1a')
    // 128 plus SIGTSTP.
    await screen.shows(says('stopped with 148'))
    const stopped = screen.raw().indexOf('stopped with')
    assertRestored(screen.raw().slice(0, stopped))
    screen.type('\n')
    await screen.shows(seen(1))
    assert.ok(screen.raw().slice(stopped).includes(`${ESC}[?1049h`))
    screen.type('q')
    await screen.shows(says('ended with 0'))
  })
  test('restores the terminal at SIGHUP, which ends it', async () => {
    const screen = watchedIn('job "$@"; echo "ended with $?"; read', args)
    await screen.shows(seen(1))
    process.kill(Number(/job (\d+)/.exec(screen.raw())?.[1]), 'SIGHUP')
    await screen.shows(says('ended with 129'))
    assertRestored(screen.raw())
  })
})

longTest('a wrong call of --watch is four lines and exit 2, and nothing is drawn', async () => {
  const screen = watched(['route', '1', 'btc', 'runr', '--watch'])
  assert.equal(await screen.exited, 2)
  assert.match(screen.rows().join('\n'), /error: no token is called "runr"/)
  assert.ok(!screen.raw().includes(`${ESC}[?25l`))
})

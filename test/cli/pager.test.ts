import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.js'
import { isTallerThan, pagerOf } from '../../src/cli/pager.js'
import { parseCommandLine } from '../../src/cli/program.js'
import { inTerminal } from '../support/terminal.js'
import { bin } from './commands/execute/stage.js'

const terminal = { isTTY: true, columns: 80, rows: 24 }

describe('the pager', () => {
  test('is PAGER, otherwise less', () => {
    assert.equal(pagerOf(terminal, {}), 'less')
    assert.equal(pagerOf(terminal, { PAGER: 'more -s' }), 'more -s')
  })

  test('is none in a pipe, in CI, on a dumb terminal, and where PAGER is empty or cat', () => {
    assert.equal(pagerOf({}, {}), undefined)
    for (const env of [{ PAGER: '' }, { PAGER: 'cat' }, { TERM: 'dumb' }, { CI: 'true' }])
      assert.equal(pagerOf(terminal, env), undefined, JSON.stringify(env))
    assert.equal(pagerOf(terminal, { CI: 'false' }), 'less')
    // As in a container that is started before its terminal is sized.
    assert.equal(pagerOf({ ...terminal, columns: 0, rows: 0 }, {}), undefined)
  })

  test('is not used with --no-pager, for commands that keep running, and for those that prompt', () => {
    const isPaged = (...argv: readonly string[]) =>
      parseCommandLine(argv, commands).display.pager === true
    assert.ok(
      isPaged('tokens') && isPaged('help', 'route') && isPaged('sroute', '1', 'btc', 'rune'),
    )
    assert.ok(!isPaged('tokens', '--no-pager') && !isPaged('help', 'route', '--no-pager'))
    assert.ok(!isPaged('route', '1', 'btc', 'rune', '--watch') && !isPaged('route', '--stdin'))
    assert.ok(!isPaged('execute', '1', 'btc', 'rune') && !isPaged('keys', 'new', 'main'))
  })

  test('shows what leaves no line for the prompt, wrapped lines counted', () => {
    const lines = (count: number) => `${'line\n'.repeat(count)}`
    assert.ok(!isTallerThan(lines(23), terminal))
    assert.ok(isTallerThan(lines(24), terminal))
    assert.ok(isTallerThan(`${'x'.repeat(81)}\n${lines(22)}`, terminal))
    assert.ok(!isTallerThan(lines(22), { columns: 0, rows: 24 }))
    assert.ok(!isTallerThan(`\u001b[31m${'x'.repeat(80)}\u001b[0m\n${lines(22)}`, terminal))
  })
})

describe('long output on a terminal', () => {
  const run = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const screen = inTerminal([process.execPath, bin, ...args], { env })
    const status = await screen.exited
    return { status, lines: [...screen.scrolled(), ...screen.rows()] }
  }
  const help = ['help', 'route']

  test('goes through PAGER, as a command or as a line of shell', async () => {
    for (const PAGER of ['sed s/^/paged:/', "sed 's/^/paged:/' | cat"]) {
      const { status, lines } = await run(help, { PAGER })
      assert.equal(status, 0)
      assert.match(lines[0]!, /^paged:Find the best single path/)
    }
  })

  test('is whole where the pager is missing, and no error where it ends early', async () => {
    for (const PAGER of ['no-such-pager', '/dev/null/pager']) {
      const missing = await run(help, { PAGER })
      assert.equal(missing.status, 0)
      assert.match(missing.lines[0]!, /^Find the best single path/)
    }
    const early = await run(['tokens', '--json'], { PAGER: 'head -2' })
    assert.equal(early.status, 0)
    assert.equal(early.lines.filter((line) => line !== '').length, 2)
  })

  test('is not paged where it fits the screen', async () => {
    const { lines } = await run(['version'], { PAGER: 'sed s/^/paged:/' })
    assert.doesNotMatch(lines.join(), /paged/)
  })
})

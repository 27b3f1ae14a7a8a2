import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { flagsOf, namedCommands } from '../../../src/cli/command.js'
import { commandGroups, commands } from '../../../src/cli/commands/index.js'
import { commonFlags } from '../../../src/cli/common-flags.js'
import { exitClosedPipe } from '../../../src/cli/exit.js'
import { renderHelp, renderIndex, renderOverview } from '../../../src/cli/help/help.js'
import { exitStatuses, topicNames, topics } from '../../../src/cli/help/topics.js'
import { parseCommandLine } from '../../../src/cli/program.js'
import { errorCodes } from '../../../src/engine/errors.js'
import { exitStatusOf } from '../../../src/operations/problem.js'
import { plainStyle, styleOf } from '../../../src/render/style.js'
import { displayWidth } from '../../../src/render/width.js'
import { runIn } from '../../support/cli.js'
import { temporaryFolder } from '../../support/folder.js'

const names = commands.map(({ name }) => name)
/** Commands and sub-commands by the words that call them. */
const calls = namedCommands(commands).map(([name]) => name)
const at = (width: number, ascii = false) => styleOf({ width, color: false, ascii, tty: true })

/** Every page of help there is. */
const pages = (width: number): readonly (readonly [string, string])[] => [
  ['overview', renderOverview({ style: at(width), version: '1.0.0', network: 'demo' })],
  ['index', renderIndex(commandGroups, at(width))],
  ...[...calls, ...topicNames].map(
    (name) => [name, renderHelp(name.split(' '), commands, at(width))] as const,
  ),
  ...calls.map(
    (name) => [`${name}, short`, renderHelp(name.split(' '), commands, at(width), false)] as const,
  ),
]

describe('the settings of the display', () => {
  const run = (flags: readonly string[], env: Readonly<Record<string, string>>) =>
    runIn({ home: temporaryFolder(), isTerminal: true, env: { ...env, PAGER: 'cat' } }, flags)
  for (const call of [['help', 'route'], [], ['route', '--nosuch']])
    test(`hold for swap ${call.join(' ')}, and flags before them`, async () => {
      const text = async (...more: Parameters<typeof run>) =>
        Object.values(await run(...more)).join()
      const isColored = (shown: string) => shown.includes('\x1b[')
      assert.ok(isColored(await text([...call, '--color', 'always'], { SWAP_COLOR: 'never' })))
      assert.ok(!isColored(await text(call, { SWAP_COLOR: 'never', FORCE_COLOR: '1' })))
      const narrow = await text(call, { SWAP_WIDTH: '20' })
      assert.ok(narrow.split('\n').length > (await text(call, {})).split('\n').length)
    })
})

describe('help', () => {
  test('fits its lines into 80 and 120 columns; only what is typed may be longer', () => {
    for (const width of [80, 120])
      for (const [page, text] of pages(width))
        for (const line of text.split('\n'))
          assert.ok(displayWidth(line) <= width || /^ {2}(swap |-)/.test(line), `${page}: ${line}`)
  })
  test('of the environment names flags that commands take', () => {
    const known = [...commonFlags, ...namedCommands(commands).flatMap(([, each]) => flagsOf(each))]
    const flags = new Set(known.flatMap(({ flags: form }) => form.match(/--[a-z-]+/) ?? []))
    const named = renderHelp(['environment'], commands, at(120)).match(/--[a-z-]+/g) ?? []
    assert.ok(named.length > 20)
    assert.deepEqual(
      named.filter((flag) => !flags.has(flag)),
      [],
      'list them as flags of commands, or in `otherFlags` of src/cli/help/topics.ts',
    )
  })
  test('of a command has what it does, calls, examples, flags, exit statuses and where to read on', () => {
    for (const name of calls) {
      const text = renderHelp(name.split(' '), commands, plainStyle)
      for (const part of ['USAGE', 'EXAMPLES', 'COMMON', 'EXIT ', 'LEARN '])
        assert.ok(text.includes(`\n${part}`), `${name}: ${part}`)
      assert.match(text, new RegExp(`man swap-${name === 'max' ? 'curve' : name.split(' ')[0]}`))
    }
  })
  test('of a sub-command names only exit statuses that its flags make possible', () => {
    const needs: readonly (readonly [status: string, flags: RegExp])[] = [
      ['5 price', /^--(slippage|wait|min-out)\b/],
      ['6 funds', /^--(from|wait)\b/],
      ['8 not confirmed', /^--(yes|confirm|new-password-file|mnemonic-file)\b/],
      ['14 ', /^--limits-per-tx-usd\b/],
    ]
    for (const [name, command] of namedCommands(commands)) {
      // The editor of this one is ended without a change.
      if (!name.includes(' ') || name === 'config edit') continue
      const flags = flagsOf(command).map((each) => each.flags)
      const page = renderHelp(name.split(' '), commands, plainStyle)
      const exit = page.slice(page.lastIndexOf('EXIT ')).replace(/\s+/g, ' ')
      for (const [status, possible] of needs)
        if (exit.includes(` ${status}`) || exit.includes('as for swap execute'))
          assert.ok(
            flags.some((flag) => possible.test(flag)),
            `${name}: ${exit}`,
          )
    }
  })
  test('of a command names the exit statuses that its flags add', () => {
    const adds: readonly (readonly [flag: RegExp, statuses: RegExp])[] = [
      [/^--until\b/, / 1 --exec failed, .* 5 [a-z ]*--until not met/],
      [/^--path\b/, / 11 halted|as for swap execute/],
      [/^--confirm <symbol>/, / 5 .* 7 .* 8 .* 14 .* 130 |as for swap execute/],
    ]
    for (const [name, command] of namedCommands(commands)) {
      const forms = flagsOf(command).map((each) => each.flags)
      const page = renderHelp(name.split(' '), commands, plainStyle)
      const exit = page.slice(page.lastIndexOf('EXIT ')).replace(/\s+/g, ' ')
      for (const [flag, statuses] of adds)
        if (forms.some((form) => flag.test(form))) assert.match(exit, statuses, name)
      // A name may be that of a key whose file cannot be used.
      const kinds = [
        ...flagsOf(command).map(({ value }) => value),
        ...(command.arguments ?? []).flatMap(({ values = [] }) => values),
      ]
      if (kinds.includes('account')) assert.match(exit, / 7 |as for swap execute/, name)
    }
  })
  test('of a command is the same with a choice of its arguments after it, and refuses other words', () => {
    const pageOf = (line: string) => renderHelp(line.split(' '), commands, plainStyle)
    assert.equal(pageOf('order ladder buy'), pageOf('order ladder'))
    assert.throws(() => pageOf('route nope'), /route has no command "nope"/)
    assert.throws(() => pageOf('order ladder nope'), /order ladder has no command "nope"/)
    assert.throws(() => pageOf('order laddr buy'), /order has no command "laddr"/)
    assert.throws(() => pageOf('laddr'), /no command "laddr"/)
  })
  test('on watching names every command that takes --watch, and every condition of its --until', () => {
    const text = renderHelp(['watching'], commands, at(80)).replace(/\s+/g, ' ')
    const takes = namedCommands(commands).map(([name, command]) => ({
      name,
      meanings: new Map(
        flagsOf(command).map(({ flags, meaning }) => [flags.split(' ')[0], meaning]),
      ),
    }))
    const watching = takes.filter(({ meanings }) => meanings.has('--watch'))
    assert.ok(watching.length >= 6)
    for (const { name, meanings } of watching) {
      assert.match(text.split('take --watch')[0]!, new RegExp(`\\b${name}\\b`))
      for (const [, measure] of meanings.get('--until')!.matchAll(/'([a-z]+)[<>]/g))
        assert.match(
          text,
          new RegExp(`of [a-z ]+: [a-z, ]*\\b${measure}\\b`),
          `${name}: ${measure}`,
        )
    }
  })
  test('has examples without characters that zsh or fish would expand', () => {
    for (const [name, { examples = {} }] of namedCommands(commands))
      for (const example of Object.keys(examples))
        assert.doesNotMatch(example.replace(/'[^']*'|"[^"]*"/g, ''), /[[\]{}*?!]/, name)
  })
  test('puts examples before flags, and ends with the exit statuses', () => {
    const text = renderHelp(['sroute'], commands, plainStyle)
    const order = ['USAGE', 'EXAMPLES', 'SPLITTING', 'GUARDS', 'WATCHING', 'COMMON', 'EXIT']
    const places = order.map((part) => text.indexOf(part))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
  })
  test('without --help-all is shorter and names what it leaves out', () => {
    for (const name of calls) {
      const [short, full] = [false, true].map((all) =>
        renderHelp(name.split(' '), commands, plainStyle, all),
      )
      assert.ok(short!.length < full!.length)
      assert.match(short!, /COMMON {2}--json .*swap help flags/)
    }
  })
  test('lists every command once, in the groups of the index', () => {
    const text = renderIndex(commandGroups, plainStyle)
    for (const name of names)
      assert.equal(text.match(new RegExp(`^ {2}${name} `, 'gm'))?.length, 1, name)
    assert.deepEqual(text.match(/^[A-Z][A-Z ]+$/gm), ['LOOK', 'ACT', 'SET UP', 'RUN', 'HELP'])
  })
  test('is ASCII where that is asked for', () => {
    const overview = renderOverview({
      style: at(80, true),
      version: '1',
      network: 'demo',
    })
    assert.match(overview, /^[\n\x20-\x7e]*$/)
    assert.match(overview, /swap execute 1 rune usdc --from demo/)
  })
})

describe('a topic', () => {
  test('has a title that fits into forty columns', () => {
    for (const name of topicNames)
      for (const line of renderHelp([name], commands, at(40)).split('\n\n')[0]!.split('\n'))
        assert.ok(displayWidth(line) <= 40, line)
  })
  test('is called like no command', () => {
    for (const name of topicNames) assert.ok(!(names as readonly string[]).includes(name), name)
  })
  test('names only commands that there are', () => {
    for (const { name, parts } of topics)
      for (const [, word = ''] of JSON.stringify(parts).matchAll(/\bswap (?!-)([a-z]+)\b/g))
        assert.ok([...names, 'help'].includes(word), `${name}: swap ${word}`)
  })
  test('on exit statuses has every status that a command can end with', () => {
    const listed = new Set(exitStatuses.map(([status]) => status))
    for (const status of [...errorCodes.map(exitStatusOf), exitClosedPipe, 0, 1, 130])
      assert.ok(listed.has(status), `${status}`)
  })
  test('that there is not is refused with the nearest', () => {
    assert.throws(() => renderHelp(['splittin'], commands, plainStyle), /no command "splittin"/)
  })
})

describe('swap alone', () => {
  const overview = (network: string) => renderOverview({ style: at(80), version: '1.4.0', network })
  test('says what the program is, its network, what to try and where the rest is, on one screen', () => {
    const text = overview('demo')
    assert.match(text, /^swap 1\.4\.0: the best way to swap tokens .*\nNetwork: demo \(/)
    for (const call of ['demo tour', 'keys new main', 'balances demo', 'history', 'serve'])
      assert.match(text, new RegExp(`swap ${call}\\b`))
    assert.ok(text.split('\n').length <= 20, text)
  })
  test('has calls that run as they are', async () => {
    const calls = overview('demo').matchAll(/^ {2}swap (\S.*?) {2,}/gm)
    for (const [, call = ''] of calls)
      assert.equal(parseCommandLine(call.split(' '), commands).call.kind, 'run', call)
  })
  test('fits into sixty columns and into forty, each meaning below its call', () => {
    for (const width of [40, 60]) {
      const text = renderOverview({ style: at(width), version: '1.4.0', network: 'demo' })
      for (const line of text.split('\n'))
        assert.ok(line.length <= width || line.startsWith('  swap '), line)
      assert.match(text, /swap tokens\n {6}what can be traded\n/)
    }
  })
  test('on another network names it, and leaves out what is of the demo only', () => {
    const text = overview('somewhere')
    assert.match(text, /\nNetwork: somewhere\n/)
    assert.doesNotMatch(text, /--from demo|swap demo/)
    assert.match(text, /swap config set network demo/)
  })
})

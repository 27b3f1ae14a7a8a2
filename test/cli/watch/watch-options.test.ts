import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { flagsOf as flagsOfCommand, namedCommands } from '../../../src/cli/command.js'
import { commands } from '../../../src/cli/commands/index.js'
import { parseCommandLine } from '../../../src/cli/program.js'
import { isWatched, watchOptionsOf } from '../../../src/cli/watch/watch-options.js'
import { refusal } from '../refusal.js'

const flagsOf = (...argv: string[]) => {
  const { call } = parseCommandLine(['route', ...argv], commands)
  assert.equal(call.kind, 'run')
  return call.kind === 'run' ? call : assert.fail()
}

describe('the options of --watch', () => {
  test('--watch leaves the amount that follows to the quote', () => {
    const { args, flags } = flagsOf('--watch', '1.5', 'btc', 'rune')
    assert.deepEqual(args, ['1.5', 'btc', 'rune'])
    assert.deepEqual(watchOptionsOf(flags, undefined), {
      leastMs: 0,
      onChangeBps: 0n,
      count: undefined,
      until: undefined,
      exec: undefined,
      fullscreen: false,
    })
  })
  test('--watch=10s, --watch=10 and --every 10s say the same', () => {
    for (const words of [['--watch=10s'], ['--watch=10'], ['--watch', '--every', '10s']])
      assert.equal(watchOptionsOf(flagsOf(...words).flags, undefined).leastMs, 10_000)
  })
  test('--watch takes hours, up to a day', () => {
    assert.equal(watchOptionsOf(flagsOf('--watch=1h').flags, undefined).leastMs, 3_600_000)
    const { why } = refusal(() => watchOptionsOf(flagsOf('--watch=25h').flags, undefined))
    assert.equal(why, 'it is a number with ms, s, m or h, from 1ms to 24h')
  })
  test('--watch=10s is taken by every command that takes --watch', () => {
    const watching = namedCommands(commands).filter(([, command]) =>
      flagsOfCommand(command).some(({ flags }) => flags === '--watch'),
    )
    assert.ok(watching.length >= 6)
    for (const [name, command] of watching) {
      const needed = (command.arguments ?? []).filter(({ form }) => form.startsWith('<'))
      const words = [...name.split(' '), ...needed.map(() => 'word'), '--watch=10s']
      const { call } = parseCommandLine(words, commands)
      assert.equal(call.kind, 'run', name)
      assert.equal(call.kind === 'run' && watchOptionsOf(call.flags, undefined).leastMs, 10_000)
    }
  })
  test('--on-change counts basis points, or has a unit', () => {
    for (const text of ['5', '5bps', '0.05%'])
      assert.equal(watchOptionsOf({ onChange: text }, undefined).onChangeBps, 5n)
  })
  test('after -- nothing is a flag', () => {
    assert.deepEqual(flagsOf('--', '--watch=5').args, ['--watch=5'])
  })
})

describe('options that conflict with --watch', () => {
  test('flags of watching without --watch', () => {
    for (const flags of [
      { count: '1' },
      { until: 'output>=1' },
      { onChange: '5' },
      { every: '1s' },
    ])
      assert.match(refusal(() => isWatched(flags)).message, /goes with --watch/)
    assert.equal(isWatched({}), false)
    assert.equal(isWatched({ watch: true, count: '1' }), true)
  })
  test('a saved market, one height, many requests, the contracts and what is longer than a screen', () => {
    assert.match(refusal(() => watchOptionsOf({}, '/a.json')).message, /saved market/)
    const others = ['stdin', 'height', 'at', 'id', 'verify', 'explain', 'amount', 'exitCode']
    for (const name of others)
      assert.match(
        refusal(() => watchOptionsOf({ [name]: '5' }, name === 'at' ? '/a.tape' : undefined))
          .message,
        /does not go with/,
      )
  })
  test('numbers that are none', () => {
    for (const flags of [{ count: '0' }, { count: '1.5' }, { onChange: 'x' }, { every: '25h' }])
      assert.equal(refusal(() => watchOptionsOf(flags, undefined)).code, 'INVALID_REQUEST')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { flagsOf, namedCommands } from '../../src/cli/command.js'
import { commandGroups, commands, everyCommand } from '../../src/cli/commands/index.js'
import { renderIndex } from '../../src/cli/help/help.js'
import { type Call, parseCommandLine } from '../../src/cli/program.js'
import { SwapError } from '../../src/engine/errors.js'
import { plainStyle } from '../../src/render/style.js'

const callOf = (line: string): Call => {
  const { call } = parseCommandLine(line.split(' ').filter(Boolean), everyCommand)
  if (call.kind === 'error') throw call.error
  return call
}

const errorOf = (line: string): SwapError => {
  try {
    callOf(line)
  } catch (error) {
    assert.ok(error instanceof SwapError)
    return error
  }
  throw new Error(`swap ${line} was parsed`)
}

describe('parsing a command line', () => {
  test('gives a sub-command its arguments and flags', () => {
    const call = callOf('keys new main --words 12 --json')
    assert.ok(call.kind === 'run')
    assert.equal(call.command.name, 'new')
    assert.deepEqual(call.args, ['main'])
    assert.deepEqual([call.flags['words'], call.flags['json']], ['12', true])
  })
  test('takes flags of every command before and after the name', () => {
    for (const line of ['--json demo status', 'demo --json status', 'demo status --json'])
      assert.equal(parseCommandLine(line.split(' '), commands).json, true, line)
  })
  test('refuses a flag of another sub-command and names those that take it', () => {
    const rows = [
      ['demo status --block-time banana', 'demo start'],
      ['keys list --words 99', 'keys new'],
      ['config get slippage --no-check', 'config set'],
    ] as const
    for (const [line, taker] of rows) {
      const { message, why = '' } = errorOf(line)
      assert.match(message, /no flag "--/)
      assert.ok(why.includes(taker), why)
    }
  })
  test('refuses a flag of the group after a sub-command', () => {
    assert.match(errorOf('tx show x_7f3a91c2 --limit 5').message, /no flag "--limit"/)
    assert.equal(callOf('journal --limit 5').kind, 'run')
  })
  test('refuses the value of a flag that takes none', () => {
    const { message, hint } = errorOf('tokens --json=1')
    assert.equal(message, '--json takes no value')
    assert.equal(hint, 'write --json alone, or leave it out')
  })
  test('refuses missing arguments by what they are, and arguments that are left over', () => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['keys new', /^the name of the key is missing$/],
      ['keys rename a', /^the new name is missing$/],
      ['config set slippage', /^the value is missing$/],
      ['tx wait', /^the transaction is missing$/],
      ['book', /^the pair is missing$/],
      ['demo status more', /^demo status does not take "more"$/],
      ['version 1', /^version does not take "1"$/],
      ['route 1 btc rune usdc', /^route does not take "usdc"$/],
    ]
    for (const [line, text] of rows) assert.match(errorOf(line).message, text, line)
  })
  test('names the form of a call with too many arguments', () => {
    assert.equal(errorOf('curve 1.5 btc rune').why, 'the call is swap curve <in> <out>')
  })
  test('does not repeat arguments of keys, which may be words of a mnemonic', () => {
    for (const line of ['keys abandon', 'keys show main abandon ability']) {
      const { message, why, hint } = errorOf(line)
      assert.doesNotMatch(`${message} ${why} ${hint}`, /abandon|ability/)
    }
  })
  test('prints the commands of a bare group', () => {
    for (const name of ['keys', 'tx', 'config', 'snapshot', 'completion'])
      assert.deepEqual(callOf(name), { kind: 'help', topic: [name], full: false })
    for (const name of ['demo', 'journal']) assert.equal(callOf(name).kind, 'run')
  })
  test('gives help of a sub-command in both spellings, also where arguments are missing', () => {
    const topic = ['keys', 'new']
    for (const [line, full] of [
      ['keys new --help', false],
      ['keys new -h', false],
      ['--help keys new', false],
      ['help keys new', false],
      ['keys new --help-all', true],
      ['help keys new --help-all', true],
    ] as const)
      assert.deepEqual(callOf(line), { kind: 'help', topic, full }, line)
  })
  test('names the flag whose value an argument is that is left over', () => {
    assert.match(errorOf('completion install bash').hint ?? '', /^write --shell bash; /)
    assert.match(errorOf('completion install tcsh').hint ?? '', /^see what it takes/)
  })
  test('refuses a value that is empty, in either spelling', () => {
    for (const line of ['route 1 btc rune --path=', 'execute --once=', 'tokens --rpc=']) {
      const { message, hint = '' } = errorOf(line)
      assert.match(message, /^the value of --(path|once|rpc) is empty$/)
      assert.match(hint, /leave --(path|once|rpc) out$/)
    }
    const { call } = parseCommandLine(['route', '1', 'btc', 'rune', '--via', ' '], commands)
    assert.equal(call.kind, 'error')
  })
  test('gives the index as the help of help', () => {
    assert.deepEqual(callOf('help help'), { kind: 'help', topic: [], full: true })
  })
  test('takes the names of earlier releases, which help does not show', () => {
    const given = (line: string) => {
      const call = callOf(line)
      return call.kind === 'run' ? call.flags : undefined
    }
    assert.equal(given('route 1 btc rune --slippage-bps 50')?.['slippage'], '50bps')
    assert.equal(given('route 1 btc rune --recipient thor1')?.['to'], 'thor1')
    assert.equal(given('sroute 1 btc rune --frontier')?.['explain'], true)
    assert.equal(given('journal --export csv')?.['output'], 'csv')
    assert.equal(given('execute --resume x_7f3a91c2')?.['resume'], 'x_7f3a91c2')
    for (const line of ['resume', 'resume x_7f3a91c2', 'tx status AB', 'journal show AB'])
      assert.equal(callOf(line).kind, 'run', line)
    assert.doesNotMatch(renderIndex(commandGroups, plainStyle), /^ *resume /m)
  })
  test('refuses a word that is no command of a group, with the closest', () => {
    assert.equal(errorOf('demo strat').hint, 'did you mean start? list them: swap help demo')
    assert.match(errorOf('tx sigh').message, /tx has no command "sigh"/)
  })
  test('refuses a word after a command whose commands are all hidden as an argument too many', () => {
    const { message, why, hint } = errorOf('journal x_7f3a91c2')
    assert.equal(message, 'journal does not take "x_7f3a91c2"')
    assert.equal(why, 'the call is swap journal')
    assert.equal(hint, 'see it: swap tx show x_7f3a91c2')
  })
  test('counts -q alone and in a bundle', () => {
    for (const [line, count] of [
      ['tokens -q', 1],
      ['tokens -qq', 2],
      ['-q tokens --quiet', 2],
      ['tokens --nonsense -qq', 2],
    ] as const)
      assert.equal(parseCommandLine(line.split(' '), commands).quiet, count, line)
  })
  test('finds the form of output in a line that is wrong elsewhere', () => {
    for (const line of ['route --bad -o json', 'route --output=ndjson --bad', 'rout --json'])
      assert.equal(parseCommandLine(line.split(' '), commands).json, true, line)
    assert.equal(parseCommandLine(['route', '--', '--json'], commands).json, false)
  })
  test('refuses a secret in an argument of a flag and repeats nothing of it', () => {
    for (const line of ['keys check main --password hunter2', '--mnemonic=hunter2 keys list']) {
      const { message, why, hint } = errorOf(line)
      assert.match(message, /no flag takes a secret/)
      assert.doesNotMatch(`${message} ${why} ${hint}`, /hunter2/)
    }
  })
})

test('flags of a command are declared once, and not twice with those of every command', () => {
  for (const [name, command] of namedCommands(commands)) {
    const names = flagsOf(command).map(({ flags }) => flags.split(' ')[0])
    assert.equal(new Set(names).size, names.length, name)
  }
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Command, flagsOf, namedCommands } from '../../src/cli/command.js'
import { everyCommand } from '../../src/cli/commands/index.js'
import { commonFlags } from '../../src/cli/common-flags.js'
import { exitOfError } from '../../src/cli/exit.js'
import { renderProblem } from '../../src/cli/problem.js'
import { parseCommandLine } from '../../src/cli/program.js'
import { SwapError } from '../../src/engine/errors.js'
import { plainStyle } from '../../src/render/style.js'

const CONTROL = '\x1b[31m\u202e'

/** Commands that run, with the words that call them and an argument for each that they need. */
const calls = namedCommands(everyCommand)
  .filter(([, { load }]) => load !== undefined)
  .map(([name, command]) => {
    const needed = (command.arguments ?? []).filter(({ form }) => form.startsWith('<'))
    return { name, command, words: [...name.split(' '), ...needed.map(() => 'word')] }
  })

/** Names of flags with and without a value. */
const flagNames = (command: Command, hasValue: boolean): readonly string[] =>
  [...flagsOf(command), ...commonFlags]
    .filter(({ flags }) => flags.includes('<') === hasValue)
    .map(({ flags }) => /--[a-z-]+/.exec(flags)![0])

test('a command with sub-commands takes no arguments, since their first word would name a sub-command', () => {
  const ambiguous = namedCommands(everyCommand).flatMap(([name, { arguments: own, commands }]) =>
    own && commands ? name : [],
  )
  assert.deepEqual(ambiguous, [], 'make the new sub-command a flag or a command of its own')
})

/** The error of a command line, which is complete and safe to print. */
function refusal(words: readonly string[]): SwapError {
  const { call } = parseCommandLine(words, everyCommand)
  const line = `swap ${words.join(' ')}`
  assert.ok(call.kind === 'error' && call.error instanceof SwapError, `${line} was accepted`)
  const { error } = call
  assert.equal(exitOfError(error), 2, line)
  assert.ok(error.hint, `${line}: ${error.message}`)
  const text = renderProblem(error, plainStyle)
  assert.match(text, /^[^\p{Cc}\p{Cf}]*$/mu, line)
  return error
}

describe('every command refuses, with a hint,', () => {
  test('flags that it does not have', () => {
    for (const { words } of calls)
      for (const flag of ['--no-such-flag', `--no${CONTROL}`, '-Z', '--no-such-flag=value'])
        assert.match(refusal([...words, flag]).message, /^no flag "-/)
  })
  test('flags with values that are missing or empty', () => {
    for (const { command, words } of calls)
      for (const flag of flagNames(command, true)) {
        assert.ok(refusal([...words, flag]).message.includes(flag))
        assert.equal(refusal([...words, `${flag}=`]).message, `the value of ${flag} is empty`)
        assert.equal(refusal([...words, flag, ' ']).message, `the value of ${flag} is empty`)
      }
  })
  test('values of flags that take none', () => {
    // A number after `--watch` is the time between two quotes.
    for (const { command, words } of calls)
      for (const flag of flagNames(command, false))
        if (flag !== '--watch') refusal([...words, `${flag}=1`])
  })
  test('more arguments than it takes', () => {
    for (const { command, words } of calls) {
      const { arguments: declared = [] } = command
      if (declared.some(({ form }) => form.includes('...'))) continue
      refusal([...words, ...declared.map(() => 'more'), CONTROL, 'more'])
    }
  })
  test('numbers that are none, or out of range, also where the call would not need them', () => {
    for (const { command, words } of calls)
      for (const flag of flagsOf(command).filter((each) => 'usual' in each)) {
        const name = /--[a-z-]+/.exec(flag.flags)![0]
        for (const value of ['-1', '1e3', 'NaN', '0x10', '9'.repeat(40), '\u0661', CONTROL])
          assert.ok(refusal([...words, `${name}=${value}`]).message.includes(`used for ${name}`))
      }
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.js'
import { createOutput, type Display, decideStyle, type OutputStream } from '../../src/cli/output.js'
import { parseCommandLine } from '../../src/cli/program.js'
import { SwapError } from '../../src/engine/errors.js'
import { diskFull, readerLeft } from '../support/cli.js'

const auto: Display = { color: 'auto', width: undefined, ascii: undefined }
const terminal = { isTTY: true, columns: 100 }

describe('colour', () => {
  const rows: readonly (readonly [
    sentence: string,
    isTTY: boolean,
    env: Record<string, string>,
    color: Display['color'],
    expected: boolean,
  ])[] = [
    ['a terminal has colour', true, {}, 'auto', true],
    ['a pipe has none', false, {}, 'auto', false],
    ['a dumb terminal has none', true, { TERM: 'dumb' }, 'auto', false],
    ['FORCE_COLOR goes before TERM', true, { TERM: 'dumb', FORCE_COLOR: '1' }, 'auto', true],
    ['FORCE_COLOR colours a pipe', false, { FORCE_COLOR: '1' }, 'auto', true],
    ['FORCE_COLOR=0 takes it away', true, { FORCE_COLOR: '0' }, 'auto', false],
    ['CLICOLOR_FORCE colours a pipe', false, { CLICOLOR_FORCE: '1' }, 'auto', true],
    ['CLICOLOR_FORCE=0 does not', false, { CLICOLOR_FORCE: '0' }, 'auto', false],
    ['NO_COLOR goes before FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, 'auto', false],
    ['an empty NO_COLOR is not set', true, { NO_COLOR: '' }, 'auto', true],
    ['--color always goes before NO_COLOR', false, { NO_COLOR: '1' }, 'always', true],
    ['--color never goes before FORCE_COLOR', true, { FORCE_COLOR: '1' }, 'never', false],
  ]
  for (const [sentence, isTTY, env, color, expected] of rows)
    test(sentence, () =>
      assert.equal(decideStyle({ isTTY }, env, { ...auto, color }).color, expected),
    )
})

describe('hyperlinks', () => {
  const rows: readonly (readonly [boolean, Record<string, string>, boolean])[] = [
    [true, {}, false],
    [true, { TERM_PROGRAM: 'WezTerm' }, true],
    [true, { TERM: 'xterm-kitty' }, true],
    [true, { VTE_VERSION: '6003' }, true],
    [true, { VTE_VERSION: '6003', TERM: 'dumb' }, false],
    [true, { VTE_VERSION: '6003', TMUX: '/tmp/tmux' }, false],
    [true, { FORCE_HYPERLINK: '1' }, true],
    [false, { FORCE_HYPERLINK: '1' }, false],
  ]
  test('are written to terminals that are known to open them', () => {
    for (const [isTTY, env, expected] of rows)
      assert.equal(decideStyle({ isTTY }, env, auto).links, expected, JSON.stringify(env))
  })
})

describe('width', () => {
  const width = (
    stream: Partial<OutputStream>,
    env: Record<string, string>,
    display: Partial<Display> = {},
  ) => decideStyle(stream, env, { ...auto, ...display }).width

  test('the flag goes before the terminal, that before COLUMNS, that before 80', () => {
    assert.equal(width(terminal, { COLUMNS: '70' }, { width: 60 }), 60)
    assert.equal(width(terminal, { COLUMNS: '70' }), 100)
    assert.equal(width({}, { COLUMNS: '70' }), 70)
    assert.equal(width({}, {}), 80)
  })

  test('a terminal without a width and an invalid COLUMNS are ignored', () => {
    assert.equal(width({ isTTY: true, columns: 0 }, { COLUMNS: 'wide' }), 80)
    assert.equal(width({}, { COLUMNS: '-5' }), 80)
  })
})

describe('characters', () => {
  const ascii = (env: Record<string, string>, display: Partial<Display> = {}) =>
    decideStyle(terminal, env, { ...auto, ...display }).ascii

  test('a locale that is not UTF-8 gets ASCII; the strongest variable decides', () => {
    assert.equal(ascii({ LANG: 'en_US.UTF-8' }), false)
    assert.equal(ascii({ LANG: 'de_DE.utf8' }), false)
    assert.equal(ascii({ LANG: 'C' }), true)
    assert.equal(ascii({ LC_ALL: 'C', LANG: 'en_US.UTF-8' }), true)
    assert.equal(ascii({ LC_CTYPE: 'en_US.UTF-8', LANG: 'C' }), false)
    assert.equal(ascii({ LC_ALL: '', LANG: 'en_US.UTF-8' }), false)
    assert.equal(ascii({}), true)
    assert.equal(ascii({ OS: 'Windows_NT' }), false)
  })

  test('the user goes before the locale', () => {
    assert.equal(ascii({ LANG: 'en_US.UTF-8' }, { ascii: true }), true)
    assert.equal(ascii({ LANG: 'C' }, { ascii: false }), false)
  })
})

test('display flags are read from a command line that may be wrong elsewhere', () => {
  const displayOf = (...argv: string[]) => parseCommandLine(argv, commands).display
  assert.deepEqual(displayOf('route', '--bad', '--color=never', '--width', '60', '--ascii'), {
    color: 'never',
    width: 60,
    ascii: true,
  })
  assert.deepEqual(displayOf('--color', 'pink', '--width=x', '--', '--ascii'), auto)
  assert.deepEqual(displayOf('always', '60'), auto)
})

/** A stream that remembers what it was given; `fail` is what every write ends with. */
function fakeSink(fail?: NodeJS.ErrnoException, isTTY = false) {
  const texts: string[] = []
  let emit = (_: NodeJS.ErrnoException) => {}
  const sink: OutputStream = {
    isTTY,
    write(text, done) {
      texts.push(text)
      setImmediate(() => done(fail))
      return false
    },
    on: (_, listener) => {
      emit = listener
    },
  }
  const emitted = (error: NodeJS.ErrnoException) => emit(error)
  return { sink, text: () => texts.join(''), emit: emitted }
}

function fakeProcess(fail?: NodeJS.ErrnoException, isTTY?: boolean) {
  const [out, err] = [fakeSink(fail, isTTY), fakeSink()]
  const statuses: number[] = []
  const streams = {
    stdout: out.sink,
    stderr: err.sink,
    setExit: (status: number) => void statuses.push(status),
  }
  return { output: createOutput(streams, {}, auto), out, err, status: () => statuses.at(-1) }
}

const UNWRITTEN = 'the output could not be written'
const problem = new SwapError('NO_ROUTE', 'no route from A to B', { why: 'none', hint: 'wait' })

test('-o human in a pipe is written as on a terminal, without what only a terminal can do', () => {
  const { sink } = fakeSink()
  const streams = { stdout: sink, stderr: sink, setExit: () => {} }
  const { style, noteStyle } = createOutput(streams, {}, { ...auto, isForPeople: true })
  assert.deepEqual([style.tty, style.color, style.links], [true, false, false])
  assert.equal(noteStyle.tty, false)
})

describe('the two streams', () => {
  test('the answer goes to stdout, with one line break at its end', async () => {
    const { output, out, err } = fakeProcess()
    await output.result('one')
    await output.result('two\n')
    await output.result('')
    assert.equal(out.text(), 'one\ntwo\n')
    assert.equal(err.text(), '')
  })

  test('notes go to stderr, each once, and cannot move the cursor', () => {
    const { output, out, err } = fakeProcess()
    output.note('usdc = x')
    output.note('usdc = x')
    output.note('a\u001b[2J → b')
    assert.equal(out.text(), '')
    assert.equal(err.text(), 'note: usdc = x\nnote: a\\u{1b}[2J -> b\n')
  })

  test('a document cannot move the cursor of a terminal, and has its own bytes in a pipe', async () => {
    const json = JSON.stringify({ name: '\u009b2J\u202e' })
    for (const isTTY of [true, false]) {
      const { output, out } = fakeProcess(undefined, isTTY)
      await output.result(json)
      assert.equal(out.text(), isTTY ? '{"name":"\\u009b2J\\u202e"}\n' : `${json}\n`)
    }
  })

  test('notes shorten a word of 500 characters', () => {
    const { output, err } = fakeProcess()
    output.note('A'.repeat(500))
    assert.equal(err.text(), `note: ${'A'.repeat(60)}...${'A'.repeat(60)}\n`)
  })

  test('a problem goes to stderr in words and sets the exit status', async () => {
    const { output, out, err, status } = fakeProcess()
    await output.problem(problem, { json: false })
    assert.equal(out.text(), '')
    assert.match(err.text(), /^error: no route from A to B\n {2}why {3}none\n/)
    assert.equal(status(), 3)
  })

  test('under --json the document goes to stdout and one line to stderr', async () => {
    const { output, out, err, status } = fakeProcess()
    await output.problem(problem, { json: true, height: 7 })
    const document = JSON.parse(out.text())
    assert.deepEqual([document.code, document.status, document.height], ['NO_ROUTE', 422, 7])
    assert.equal(err.text(), 'error: no route from A to B (NO_ROUTE)\n')
    assert.equal(status(), 3)
  })
})

describe('a reader that leaves', () => {
  const closed = readerLeft()

  test('ends the command quietly with 141, which nothing overrides', async () => {
    const { output, out, err, status } = fakeProcess(closed)
    await output.result('one')
    await output.result('two')
    output.exit(0)
    assert.equal(output.closed.aborted, true)
    assert.equal(out.text(), 'one\n')
    assert.equal(err.text(), '')
    assert.equal(status(), 141)
  })
})

describe('a terminal that is gone', () => {
  const gone = () => Object.assign(new Error('write EIO'), { code: 'EIO' })

  test('ends what repeats, also where only the stream tells it', async () => {
    const [written, drawn] = [fakeProcess(gone(), true), fakeProcess(undefined, true)]
    await written.output.result('one')
    drawn.out.emit(gone())
    for (const { output, status } of [written, drawn])
      assert.deepEqual([output.closed.aborted, status()], [true, 141])
  })
  test('is not what a disk reports in the same way', async () => {
    const { output } = fakeProcess(gone())
    await assert.rejects(output.result('one'), { message: UNWRITTEN })
    assert.equal(output.closed.aborted, false)
  })
})

describe('a disk that is full', () => {
  test('is an error with the reason of the system, also for every later text', async () => {
    const { output, out } = fakeProcess(diskFull())
    for (const text of ['one', 'two'])
      await assert.rejects(output.result(text), (error) => {
        assert.ok(error instanceof SwapError)
        assert.deepEqual([error.code, error.message], ['NOT_READY', UNWRITTEN])
        assert.match(error.why ?? '', /ENOSPC: no space left/)
        assert.match(
          error.hint ?? '',
          /run it again if it only reads: a change may have been made$/,
        )
        return true
      })
    assert.equal(out.text(), 'one\n')
    assert.equal(output.closed.aborted, false)
  })

  test('has its error on stderr in words under --json', async () => {
    const { output, out, err, status } = fakeProcess(diskFull())
    const error = await output.result('{}').catch((failure: unknown) => failure)
    await output.problem(error, { json: true })
    assert.equal(out.text(), '{}\n')
    assert.match(
      err.text(),
      /^error: the output could not be written\n[\s\S]* why [\s\S]* do [\s\S]*/,
    )
    assert.equal(status(), 4)
  })

  test('that takes no document of an error leaves its status, and its hint goes to stderr', async () => {
    const { output, err, status } = fakeProcess(diskFull())
    await output.problem(problem, { json: true })
    const [first, second, ...more] = err.text().split('\n')
    assert.equal(first, 'error: no route from A to B (NO_ROUTE)')
    assert.equal(second, `error: ${UNWRITTEN} (NOT_READY)`)
    assert.match(more.join('\n'), /^error: no route[\s\S]* do +wait/)
    assert.equal(status(), 3)
  })
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { exitOfError } from '../../src/cli/exit.js'
import { renderProblem, renderProblemLine } from '../../src/cli/problem.js'
import { errorCodes, SwapError } from '../../src/engine/errors.js'
import { exitStatusOf, problemOf, statusOf } from '../../src/operations/problem.js'
import { plainStyle, styleOf } from '../../src/render/style.js'

const unknown = new SwapError('UNKNOWN_TOKEN', 'no token is called "runr"', {
  why: '37 tokens are known here; none has that symbol, alias or denom',
  hint: 'did you mean rune, ruji?      list them: swap tokens',
  members: { candidates: [{ denom: 'rune', symbol: 'RUNE' }] },
})

test('an error is four lines', () =>
  assert.equal(
    renderProblem(unknown, plainStyle),
    `\
error: no token is called "runr"
  why   37 tokens are known here; none has that symbol, alias or denom
  do    did you mean rune, ruji?      list them: swap tokens
  code  UNKNOWN_TOKEN (exit 2)`,
  ))

test('long lines are wrapped at the width, under their beginning', () =>
  assert.equal(
    renderProblem(unknown, styleOf({ ...plainStyle, width: 40 })),
    `\
error: no token is called "runr"
  why   37 tokens are known here; none
        has that symbol, alias or denom
  do    did you mean rune, ruji?
        list them: swap tokens
  code  UNKNOWN_TOKEN (exit 2)`,
  ))

const ambiguous = new SwapError('AMBIGUOUS_TOKEN', '"usdc" could be any of 2 tokens here', {
  why: 'these tokens share the symbol, and none is chosen for you',
  hint: 'write one of the aliases instead',
  members: {
    candidates: [
      {
        symbol: 'USDC',
        denom: 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        alias: 'usdc.eth',
      },
      {
        symbol: 'USDC',
        denom: 'base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        alias: 'usdc.base',
      },
    ],
  },
})

test('the candidates of an ambiguous token are a table, whole in a pipe', () =>
  assert.equal(
    renderProblem(ambiguous, plainStyle),
    `\
error: "usdc" could be any of 2 tokens here
        ALIAS      DENOM
        usdc.eth   eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48
        usdc.base  base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913
  why   these tokens share the symbol, and none is chosen for you
  do    write one of the aliases instead
  code  AMBIGUOUS_TOKEN (exit 2)`,
  ))

test('on a narrow screen the denoms shrink in the middle', () =>
  assert.equal(
    renderProblem(ambiguous, styleOf({ ...plainStyle, width: 51, tty: true, ascii: true }))
      .split('\n')
      .slice(1, 4)
      .join('\n'),
    `\
        ALIAS      DENOM
        usdc.eth   eth-usdc-0xa0b8...9eb0ce3606eb48
        usdc.base  base-usdc-0x833...f71b54bda02913`,
  ))

test('candidates of any other shape do no harm', () => {
  for (const candidates of [null, 'x', [1, null, { alias: null }]])
    assert.match(
      renderProblem(new SwapError('AMBIGUOUS_TOKEN', 'x', { members: { candidates } }), plainStyle),
      /AMBIGUOUS_TOKEN/,
    )
})

test('a bug shows nothing of its inside', () => {
  const text = renderProblem(new TypeError('secret /home/me'), plainStyle)
  assert.doesNotMatch(text, /secret|at .*:\d+/)
  assert.match(text, /INTERNAL \(exit 70\)/)
})

test('whatever the words of an error, no escape code reaches the terminal', () => {
  const evil = new SwapError('NOT_FOUND', 'a\u001b[2Jb', { why: '\u009b1m', hint: '\u202e' })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
  assert.doesNotMatch(renderProblem(evil, plainStyle), /[\u001b\u009b\u202e]/)
  assert.equal(renderProblemLine(evil, plainStyle), 'error: a\\u{1b}[2Jb (NOT_FOUND)')
})

test('a word of thousands of characters is shortened, one of a path or a hash is not', () => {
  const path = `/${'p'.repeat(300)}`
  const long = new SwapError('NOT_FOUND', `a ${path}`, { hint: `write ${'x'.repeat(100_000)}` })
  const text = renderProblem(long, plainStyle)
  assert.ok(text.includes(path))
  assert.ok(text.length < 1_000)
  assert.ok(renderProblemLine(long, plainStyle).includes(path))
})

test('only the label and the code are coloured', () => {
  const style = styleOf({ ...plainStyle, color: true })
  assert.ok(renderProblem(unknown, style).startsWith('\u001b[91merror:\u001b[39m no token'))
})

test('every code has the exit status and the HTTP status of the contract', () => {
  const contract = {
    INVALID_REQUEST: [400, 2],
    INVALID_AMOUNT: [400, 2],
    INVALID_SPLIT_STEP: [400, 2],
    INVALID_SLIPPAGE: [400, 2],
    INVALID_ADDRESS: [400, 2],
    INVALID_AFFILIATE: [400, 2],
    INVALID_SNAPSHOT: [400, 2],
    SAME_TOKEN: [400, 2],
    UNKNOWN_TOKEN: [404, 2],
    AMBIGUOUS_TOKEN: [409, 2],
    NO_ROUTE: [422, 3],
    INSUFFICIENT_LIQUIDITY: [422, 3],
    AMOUNT_TOO_SMALL: [422, 3],
    PRICE_IMPACT_TOO_HIGH: [422, 5],
    ASSERTION_FAILED: [422, 5],
    ORDER_REFUSED: [422, 3],
    QUOTE_EXPIRED: [409, 5],
    QUOTE_MISMATCH: [409, 5],
    SLIPPAGE_EXCEEDED: [409, 5],
    SIMULATION_MISMATCH: [409, 5],
    INSUFFICIENT_FUNDS: [422, 6],
    KEYFILE_NOT_FOUND: [404, 7],
    KEYFILE_INVALID: [422, 7],
    KEYFILE_PERMISSIONS: [403, 7],
    SIGNER_FAILED: [502, 7],
    WRONG_PASSWORD: [403, 7],
    DECLINED: [409, 8],
    CONFIRMATION_REQUIRED: [428, 2],
    OUTCOME_UNKNOWN: [409, 9],
    TX_FAILED: [422, 10],
    BELOW_MINIMUM: [422, 10],
    PARTIALLY_EXECUTED: [422, 12],
    LIMIT_EXCEEDED: [403, 14],
    TX_NOT_FOUND: [404, 2],
    NOT_FOUND: [404, 2],
    MARKET_HALTED: [422, 11],
    BUSY: [503, 13],
    NOT_READY: [503, 4],
    UPSTREAM_ERROR: [502, 4],
    UPSTREAM_INVALID_DATA: [502, 4],
    UPSTREAM_TIMEOUT: [504, 4],
    UPSTREAM_RATE_LIMITED: [503, 4],
    STALE_DATA: [503, 4],
    OVERLOADED: [503, 4],
    RATE_LIMITED: [429, 4],
    ORIGIN_NOT_ALLOWED: [403, 2],
    METHOD_NOT_ALLOWED: [405, 2],
    REQUEST_TIMEOUT: [408, 4],
    PAYLOAD_TOO_LARGE: [413, 2],
    URI_TOO_LONG: [414, 2],
    UNSUPPORTED_MEDIA_TYPE: [415, 2],
    HOST_NOT_ALLOWED: [421, 2],
    HEADERS_TOO_LARGE: [431, 2],
    INTERNAL: [500, 70],
  }
  assert.deepEqual(
    Object.fromEntries(errorCodes.map((code) => [code, [statusOf(code), exitStatusOf(code)]])),
    contract,
  )
})

test('anything but a SwapError is a bug', () => {
  assert.equal(exitOfError('thrown text'), 70)
  assert.equal(exitOfError(unknown), 2)
})

test('the document has the common members first, then those of the code', () =>
  assert.equal(
    JSON.stringify(problemOf(unknown, 120)),
    JSON.stringify({
      type: 'urn:swap:error:UNKNOWN_TOKEN',
      title: 'The token is not known',
      status: 404,
      detail:
        'no token is called "runr"; 37 tokens are known here; none has that symbol, alias or denom',
      code: 'UNKNOWN_TOKEN',
      retryable: false,
      hint: 'did you mean rune, ruji?      list them: swap tokens',
      height: 120,
      candidates: [{ denom: 'rune', symbol: 'RUNE' }],
    }),
  ))

test('a member of the code cannot replace a common one', () => {
  const error = new SwapError('NO_ROUTE', 'none', { members: { status: 200, code: 'OK' } })
  const { status, code } = problemOf(error)
  assert.deepEqual([status, code], [422, 'NO_ROUTE'])
})

test('an error that is an answer of another block keeps its height', () => {
  const error = new SwapError('SIMULATION_MISMATCH', 'differs', { members: { height: 119 } })
  assert.equal(problemOf(error, 120).height, 119)
})

test('the document of a bug is constant', () => {
  const documents = [
    problemOf(new Error('password')),
    problemOf(undefined),
    problemOf(new SwapError('INTERNAL', 'password', { why: '/home/me', members: { x: 1 } })),
  ].map((document) => JSON.stringify(document))
  assert.equal(new Set(documents).size, 1)
  assert.doesNotMatch(documents[0] ?? '', /password/)
})

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { type ErrorCode, errorCodes } from '../../src/engine/errors.js'
import { statusOf } from '../../src/operations/problem.js'
import { runs } from '../support/books.js'
import { body, demoMarket, post, type Staged, stage } from './stage.js'

/** Requests of a kind. */
const INJECTED = { numRuns: runs(80).numRuns / 2 }
const RAW = { numRuns: runs(40).numRuns }

let service: Staged
let port = 0
beforeAll(async () => {
  service = await stage()
  port = Number(new URL(await service.server.listen({ host: '127.0.0.1', port: 0 })).port)
})

const denoms = [
  ...new Set(
    [...demoMarket.books.values()].flatMap(({ state: { pair } }) => [pair.base, pair.quote]),
  ),
]
const pairs = [...demoMarket.books.keys()]

/** Error codes of well-formed requests: the market cannot provide what they request. */
const possible: ReadonlySet<string> = new Set([
  'NO_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_TOO_SMALL',
  'PRICE_IMPACT_TOO_HIGH',
  'ASSERTION_FAILED',
  'MARKET_HALTED',
  'OVERLOADED',
])

const atomics = fc.bigInt(1n, 10n ** 15n).map(String)
const valid = fc
  .tuple(
    fc.shuffledSubarray(denoms, { minLength: 4, maxLength: 4 }),
    fc.oneof(atomics, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    fc.record(
      {
        slippage_bps: fc.integer({ min: 0, max: 9_999 }),
        max_hops: fc.integer({ min: 1, max: 4 }),
        limit: fc.integer({ min: 1, max: 25 }),
        min_out: atomics,
        max_impact_bps: fc.integer({ min: 0, max: 10_000 }),
        explain: fc.constant(false),
      },
      { requiredKeys: [] },
    ),
    fc.subarray(pairs, { maxLength: 3 }),
  )
  .map(([[from, to, other], amount, terms, exclude]) => ({
    ...body(),
    input: { denom: from!, amount },
    output: { denom: to! },
    ...terms,
    ...(exclude.length > 0 && { exclude: [...exclude, other!] }),
  }))

type Valid = ReturnType<typeof body> & { readonly [name: string]: unknown }

/** One change that makes a valid request invalid, and the error codes that may result. */
const spoilt: readonly (readonly [
  what: string,
  spoil: (good: Valid, salt: number) => unknown,
  codes: readonly ErrorCode[],
])[] = [
  ['no input', ({ input: _, ...rest }) => rest, ['INVALID_REQUEST']],
  ['no output', ({ output: _, ...rest }) => rest, ['INVALID_REQUEST']],
  ['an unknown member', (good, n) => ({ ...good, [`x${n}`]: n }), ['INVALID_REQUEST']],
  ['an amount of zero', (good) => amountOf(good, '0'), ['INVALID_AMOUNT']],
  ['a negative amount', (good, n) => amountOf(good, `-${n}`), ['INVALID_AMOUNT']],
  ['a fraction', (good, n) => amountOf(good, `${n}.5`), ['INVALID_AMOUNT']],
  ['an exponent', (good, n) => amountOf(good, `${n}e3`), ['INVALID_AMOUNT']],
  ['leading noughts', (good, n) => amountOf(good, `00${n}`), ['INVALID_AMOUNT']],
  ['white space', (good, n) => amountOf(good, ` ${n}`), ['INVALID_AMOUNT']],
  ['hexadecimals', (good, n) => amountOf(good, `0x${n}`), ['INVALID_AMOUNT']],
  ['other digits', (good) => amountOf(good, '١٢٣'), ['INVALID_AMOUNT']],
  ['too many bits', (good, n) => amountOf(good, `${2n ** 128n + BigInt(n)}`), ['INVALID_AMOUNT']],
  ['ten thousand digits', (good) => amountOf(good, '9'.repeat(10_000)), ['INVALID_AMOUNT']],
  [
    'an amount in a list',
    (good, n) => amountOf(good, [`${n}`]),
    ['INVALID_AMOUNT', 'INVALID_REQUEST'],
  ],
  [
    'no slippage of this world',
    (good, n) => ({ ...good, slippage_bps: 10_000 + n }),
    ['INVALID_SLIPPAGE'],
  ],
  [
    'a slippage in words',
    (good) => ({ ...good, slippage_bps: '50' }),
    ['INVALID_SLIPPAGE', 'INVALID_REQUEST'],
  ],
  ['too many hops', (good, n) => ({ ...good, max_hops: 7 + n }), ['INVALID_REQUEST']],
  ['half a hop', (good) => ({ ...good, max_hops: 1.5 }), ['INVALID_REQUEST']],
  ['no limit', (good, n) => ({ ...good, limit: 26 + n }), ['INVALID_REQUEST']],
  ['the same token', (good) => ({ ...good, output: { denom: good.input.denom } }), ['SAME_TOKEN']],
  [
    'a token of nowhere',
    (good, n) => ({ ...good, output: { denom: `x/nowhere${n}` } }),
    ['UNKNOWN_TOKEN'],
  ],
  ['a recipient of nowhere', (good) => ({ ...good, recipient: 'thor1xyz' }), ['INVALID_ADDRESS']],
  [
    'two amounts',
    (good, n) => ({ ...good, output: { ...good.output, amount: `${n + 1}` } }),
    ['INVALID_REQUEST', 'INVALID_AMOUNT'],
  ],
]

const amountOf = (good: Valid, amount: unknown) => ({ ...good, input: { ...good.input, amount } })

/** No 5xx but by design, a documented status, and a problem document with the meaning of its code. */
async function answered(request: ReturnType<typeof post>) {
  const { statusCode, payload, headers } = await service.server.inject(request)
  if (statusCode === 200) return { statusCode, code: '' }
  const { code, status } = JSON.parse(payload) as { code: ErrorCode; status: number }
  assert.match(String(headers['content-type']), /^application\/problem\+json/)
  assert.ok(errorCodes.includes(code))
  assert.deepEqual([status, statusOf(code)], [statusCode, statusCode])
  assert.ok(statusCode < 500 || code === 'OVERLOADED', payload.slice(0, 300))
  return { statusCode, code }
}

describe('generated requests', () => {
  test(`of which ${INJECTED.numRuns} are valid are not refused as malformed`, async () => {
    await fc.assert(
      fc.asyncProperty(valid, async (request) => {
        const { statusCode, code } = await answered(post('/swap/route', request))
        assert.ok(statusCode === 200 || possible.has(code), `${statusCode} ${code}`)
      }),
      INJECTED,
    )
  })

  test(`of which ${INJECTED.numRuns * 3} have one fault are all refused with that fault`, async () => {
    const salt = fc.nat(1_000)
    await fc.assert(
      fc.asyncProperty(
        valid,
        fc.constantFrom(...spoilt),
        salt,
        async (good, [what, spoil, codes], n) => {
          const { code } = await answered(post('/swap/route', spoil(good as Valid, n)))
          assert.ok((codes as readonly string[]).includes(code), `${what}: ${code || 'accepted'}`)
        },
      ),
      { numRuns: INJECTED.numRuns * 3 },
    )
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })

  /** Sends bytes and waits for the end, or for the service's timeout of an idle connection. */
  const sent = (bytes: Buffer): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
      let reply = ''
      socket.setEncoding('latin1').on('data', (part: string) => {
        reply += part
      })
      socket.on('error', () => {}).on('close', () => resolve(reply))
    })

  test(`${RAW.numRuns} recorded requests with bytes changed: nothing hangs, nothing is a bug`, async () => {
    const text = JSON.stringify(body())
    const recorded = [
      `POST /swap/route HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
      `POST /swap/route HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
      'GET /swap/tokens HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: W/"x"\r\nConnection: close\r\n\r\n',
      'GET /swap/arbs?minPercent=0.1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ]
    const change = fc.record({ at: fc.nat(400), byte: fc.nat(255), kind: fc.nat(2) })
    const changed = fc
      .tuple(fc.constantFrom(...recorded), fc.array(change, { minLength: 1, maxLength: 4 }))
      .map(([one, changes]) =>
        changes.reduce((bytes, { at, byte, kind }) => {
          const place = at % bytes.length
          const [head, tail] = [
            bytes.subarray(0, place),
            bytes.subarray(place + (kind === 0 ? 0 : 1)),
          ]
          return Buffer.concat([head, ...(kind === 2 ? [] : [Buffer.of(byte)]), tail])
        }, Buffer.from(one)),
      )
    await fc.assert(
      fc.asyncProperty(changed, async (bytes) => {
        for (const [, status = ''] of (await sent(bytes)).matchAll(/^HTTP\/1\.1 (\d{3}) /gm))
          assert.ok(Number(status) < 500, status)
      }),
      RAW,
    )
    assert.equal((await service.server.inject(post('/swap/route', body()))).statusCode, 200)
  })
})

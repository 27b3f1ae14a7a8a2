import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'vitest'
import { lineWriter, reasonsSeen, serviceLog } from '../../../src/service/metrics/log.js'

test('refusals are sampled like answers, with the number of lines left out; bugs are not', () => {
  const lines: { status: number; unwritten?: number }[] = []
  const log = serviceLog('json', (line) => lines.push(JSON.parse(line)))
  const request = (status: number) =>
    log.request({
      id: 'a-1',
      clientId: undefined,
      method: 'GET',
      path: '/swap/tokens',
      status,
      ms: 1,
      code: undefined,
      height: undefined,
    })
  for (let i = 0; i < 1_000; i += 1) for (const status of [200, 429, 500, 503]) request(status)
  const written = (status: number) => lines.filter((line) => line.status === status).length
  assert.equal(written(500), 1_000)
  for (const status of [200, 429, 503]) assert.ok(written(status) >= 40 && written(status) < 1_000)
})

const levels = [
  [200, 'info'],
  [429, 'info'],
  [500, 'error'],
  [502, 'error'],
  [503, 'warn'],
] as const
for (const [status, level] of levels)
  test(`a request answered with ${status} is logged at level ${level}`, () => {
    const lines: string[] = []
    serviceLog('json', (line) => lines.push(line)).request({
      id: 'a-1',
      clientId: undefined,
      method: 'GET',
      path: '/readyz',
      status,
      ms: 1,
      code: undefined,
      height: undefined,
    })
    assert.equal(JSON.parse(lines.join('')).level, level)
  })

test('a text of a node cannot move the cursor of a terminal, nor look like another event', () => {
  const lines: string[] = []
  const log = serviceLog('text', (line) => lines.push(line))
  const reason = 'of the chain \u001b]0;x\u0007\u009b2J\u202e\n10:00:00 ready books=56'
  log.event('warn', 'the market cannot be read', { reason })
  assert.equal(
    lines.join('').slice(9),
    'warn: the market cannot be read reason=of the chain \\u{1b}]0;x\\u{7}\\u{9b}2J\\u{202e}\n         10:00:00 ready books=56\n',
  )
})

test('a text of a node cannot move the cursor of a terminal that shows a log of JSON', () => {
  const lines: string[] = []
  const log = serviceLog('json', (line) => lines.push(line))
  const reason = 'of the chain \u001b]0;x\u0007\u009b2J\u202e\n'
  log.event('warn', 'the market cannot be read', { reason })
  const [line = ''] = lines
  assert.match(line, /^[ -~]+\n$/)
  assert.equal(JSON.parse(line).reason, reason)
})

test('lines are dropped while the reader of the log does not read, so that they take no memory', () => {
  const stream = new PassThrough()
  const write = lineWriter(stream)
  for (let i = 0; i < 30_000; i += 1) write(`${'x'.repeat(99)}\n`)
  assert.ok(stream.writableLength + stream.readableLength < 2 ** 20 + 200_000)
  stream.resume()
  return new Promise<void>((done) => stream.once('drain', done))
})

test('a reason is new once, whatever its numbers, and 20 of them are remembered', () => {
  const reasons = reasonsSeen()
  const letters = [...'abcdefghijklmnopqrstu']
  assert.ok(letters.every((letter) => reasons.isNew(`${letter} 1`)))
  // `a` was forgotten for `u`, and `b` is for `a`.
  assert.deepEqual(
    ['u 2', 'a 2', 'c 3', 'b 2'].map((reason) => reasons.isNew(reason)),
    [false, true, false, true],
  )
})

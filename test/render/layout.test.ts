import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { formatTime, formatUtc, titleLines } from '../../src/render/layout.js'
import { styleOf } from '../../src/render/style.js'

describe('a time for people', () => {
  for (const [time, shown] of [
    ['2026-05-01T12:00:44.000Z', '2026-05-01 12:00:44 UTC'],
    ['2026-05-01T12:00:44Z', '2026-05-01 12:00:44 UTC'],
    ['2026-05-01T12:00:44.123456789Z', '2026-05-01 12:00:44 UTC'],
    ['2026-05-01T12:00:44+02:00', '2026-05-01T12:00:44+02:00'],
    ['\x1b[2J', '\\u{1b}[2J'],
  ] as const)
    test(`of ${JSON.stringify(time)} is ${shown}`, () => assert.equal(formatTime(time), shown))
  test('is without its zone in a column of UTC', () => {
    assert.equal(formatUtc('2026-05-01T12:00:44.000Z'), '2026-05-01 12:00:44')
  })
})

describe('a title without a block', () => {
  const style = (width: number) => styleOf({ width, color: false, ascii: true, tty: true })
  test('has the network alone on the right, and a rule', () => {
    assert.deepEqual(titleLines('3 things', { network: 'demo' }, style(60)), [
      `3 things${' '.repeat(48)}demo`,
      '-'.repeat(60),
    ])
  })
  test('has the network below and no rule if it is stacked', () => {
    assert.deepEqual(titleLines('3 things', { network: 'demo' }, style(40)), ['3 things', 'demo'])
  })
})

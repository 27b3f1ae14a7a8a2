import assert from 'node:assert/strict'
import { test } from 'vitest'
import { clockWatch } from '../../../src/service/metrics/log.js'
import { demoMarket } from '../stage.js'

const DAY_S = 86_400

test('a clock that is a minute or more off the block time is logged once, and once more when it is right again', () => {
  const said: string[] = []
  let ahead = 0
  const event = (level: string, _: string, facts?: object) =>
    void said.push(`${level} ${(facts as { clock_ahead_s: number }).clock_ahead_s}`)
  const look = clockWatch({ event }, () => Date.parse(demoMarket.time) + ahead * 1_000)
  for (ahead of [0, 60, -60, 61, DAY_S, -DAY_S, 0, 3, -61, -60]) look(demoMarket)
  assert.deepEqual(said, ['warn 61', 'info 0', 'warn -61', 'info -60'])
})

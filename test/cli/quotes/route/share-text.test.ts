import assert from 'node:assert/strict'
import { test } from 'vitest'
import { shareText } from '../../../../src/cli/quotes/route/route-view.js'

test('a share is without decimals only where it is a whole number of percent', () => {
  const shares = ['100', '8', '5.5', '7.99843251', '8.00000001', '0.00001'] as const
  assert.deepEqual(
    shares.map((percent) => shareText(`${Math.round(Number(percent) * 1e8)}`, `${1e10}`)),
    ['100 %', '8 %', '5.50 %', '8.00 %', '8.00 %', '<0.01 %'],
  )
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import type { BookAnswer, WalkDocument } from '../../../../src/operations/book/book-documents.js'

import { document } from '../../../support/chain.js'
import { runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'

const file = join(temporaryFolder(), 'market.json')
writeFileSync(file, JSON.stringify(document))
const swap = (...args: readonly string[]) => runSwap([...args, '--snapshot', file])

describe('swap book --amount', () => {
  test('with more than fits shows the book, and how much of the amount fits', async () => {
    const asked = 10n ** 16n
    const call = ['book', 'btc/usdc', '--amount', '100000000usdc']
    const { status, stdout, stderr } = await swap(...call, '--json')
    assert.equal(status, 0, stderr)
    const { asks, walk } = JSON.parse(stdout) as BookAnswer & { readonly walk: WalkDocument }
    assert.ok(asks.levels.length > 0)
    assert.ok(BigInt(walk.unsold) > 0n)
    assert.equal(BigInt(walk.input.amount) + BigInt(walk.unsold), asked)
    const shown = await swap(...call, '-o', 'human', '--width', '80')
    assert.match(shown.stdout, /walks the asks[\s\S]*USDC of the amount does\s+not fit/)
    assert.match((await swap(...call)).stderr, /^note: [\d.,]+ USDC of the amount does not fit$/m)
  })
  test('is a note beside rows, CSV and the mid price', async () => {
    const call = ['book', 'btc/usdc', '--amount', '25000usdc']
    for (const form of [[], ['--csv'], ['-q']])
      assert.match(
        (await swap(...call, ...form)).stderr,
        /^note: 25000 USDC walks the asks to [\d.]+, takes [\d.]+ % of them, impact .*, for 0\.[\d]+ BTC$/m,
      )
    for (const form of [['-qq'], ['--json'], ['-o', 'human']])
      assert.doesNotMatch((await swap(...call, ...form)).stderr, /walks/)
  })
  test('that pays nothing is refused with the least that does', async () => {
    const { status, stderr } = await swap('book', 'btc/usdc', '--amount', '0.00000001usdc')
    assert.equal(status, 3)
    assert.match(stderr, /too little to swap[\s\S]*sell at least [\d.]+ USDC/)
    assert.doesNotMatch(stderr, /--path/)
  })
})

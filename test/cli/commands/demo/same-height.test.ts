import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { freshHome, runIn } from '../../../support/cli.js'
import { firstRows } from '../../../support/long.js'

describe('the demo market of the shipped file and the same block read through the chain’s node', () => {
  const { home } = freshHome()
  const rows = ['snapshot show', 'tokens', 'route 1.5 btc rune', 'sroute 10 btc rune']
  for (const row of firstRows(rows, 2))
    test(`have the same bytes of swap ${row} --json`, async () => {
      const argv = [...row.split(' '), '--json']
      const [shipped, read] = await Promise.all(
        [argv, [...argv, '--height', '120']].map((each) => runIn({ home }, each)),
      )
      assert.equal(shipped?.status, 0)
      assert.equal(read?.stdout, shipped?.stdout)
    })
})

describe('swap tokens', () => {
  const { home } = freshHome()
  test('lists tokens by the dollars that rest near the mid prices, descending', async () => {
    const run = async (...argv: string[]) =>
      JSON.parse((await runIn({ home }, [...argv, '--json'])).stdout)
    const { tokens } = await run('tokens')
    const { pairs } = await run('snapshot', 'show')
    const dollars = (denom: string): number => {
      const { price_usd, decimals } = tokens.find((each: { denom: string }) => each.denom === denom)
      const depths = pairs.flatMap(
        ({ ask_depth, bid_depth }: Record<string, { denom: string; amount: string } | null>) =>
          [ask_depth, bid_depth].filter((depth) => depth?.denom === denom),
      ) as { amount: string }[]
      return (
        depths.reduce((sum, { amount }) => sum + Number(amount), 0) * price_usd * 10 ** -decimals
      )
    }
    const worth: number[] = tokens.map(({ denom }: { denom: string }) => dollars(denom))
    assert.ok(worth[0]! > 1_000)
    for (const [i, each] of worth.entries()) if (i > 0) assert.ok(worth[i - 1]! >= each * 0.999999)
  })
})

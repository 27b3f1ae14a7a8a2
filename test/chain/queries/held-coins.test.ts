import assert from 'node:assert/strict'
import { QueryAllBalancesResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { describe, test } from 'vitest'
import { heldCoins } from '../../../src/chain/queries/held-coins.js'
import { queryBatch } from '../../../src/chain/queries/query-batch.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'

/** Reads the coins of an account from a node that answers every page with so many coins, and names a next one. */
async function read(coins: number, pages: number) {
  let queryCount = 0
  const answer = () => {
    queryCount += 1
    const balances = Array.from({ length: coins }, (_, i) => ({
      denom: `x/${queryCount}-${i}`,
      amount: '1',
    }))
    const nextKey = new Uint8Array(queryCount < pages ? [1] : [])
    return QueryAllBalancesResponse.encode(
      QueryAllBalancesResponse.fromPartial({ balances, pagination: { nextKey } }),
    ).finish()
  }
  const source = {
    queries: async (queries: readonly unknown[]) =>
      queries.map(() => ({ ok: true, value: answer() })),
  } as unknown as Source
  const allCoins = await heldCoins(queryBatch(source, 'demo', 1), 'demo1x', 'the balances')
  return { held: allCoins.length, asked: queryCount }
}

describe('the coins that an account holds', () => {
  test('are those of all pages', async () =>
    assert.deepEqual(await read(100, 3), { held: 300, asked: 3 }))

  test('are not read further where a list has no end, or more coins than any account', async () => {
    for (const coins of [100, 300_000])
      await assert.rejects(read(coins, 500), {
        message: 'the balances are more than 20000 coins',
      })
  })
})

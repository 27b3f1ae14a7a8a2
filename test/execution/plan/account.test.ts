import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { execute } from '../../../src/execution/execute.js'
import { newIntentId } from '../../../src/execution/journal/journal.js'
import { rune, stage } from '../stage.js'
import { address, changing, original, over } from '../tx-nodes.js'

/** Swaps where the node that reports the account says that it is so many blocks ahead. */
async function swapped(blocksAhead: number) {
  const at = await stage()
  const accountStates = async (address: string, height?: number) => {
    const states = await at.chain.accountStates(address, height)
    return states.map((state) => ({ ...state, height: state.height + blocksAhead }))
  }
  const balances = (address: string) => at.chain.balances(address, at.real.height)
  const session = at.session({ chain: { ...at.chain, accountStates, balances } })
  const result = await execute(session, await at.order(), newIntentId).catch((error) => ({ error }))
  return { error: result.error, signed: at.intents() }
}

describe('the height of the node that reports the account', () => {
  test('may be at most 200 blocks after that of the market', async () => {
    assert.equal((await swapped(200)).signed.length, 1)
    assert.equal((await swapped(201)).error?.code, 'UPSTREAM_INVALID_DATA')
  })

  test('is refused where the transaction would be valid for ever', async () => {
    const { error, signed } = await swapped(1_000_000_000)
    assert.equal(error?.code, 'UPSTREAM_INVALID_DATA')
    assert.match(error?.members['upstream'] as string, /^http/)
    assert.match(error?.why ?? '', /is at block 1000000\d+, and the market was just read at \d+/)
    assert.deepEqual(signed, [])
  })
})

describe('a share of a balance', () => {
  test('that the node that it was read from overstates is not sold', async () => {
    const at = await stage({ nodes: 2 })
    const balances: typeof at.chain.balances = async (...query) =>
      (await at.chain.balances(...query)).map((coin) => ({ ...coin, amount: 10n * coin.amount }))
    const session = at.session({ chain: { ...at.chain, balances } })
    const shareOf = (await balances(at.account.address)).find(({ denom }) => denom === rune)
    const task = await at.order({ shareOf })
    await assert.rejects(execute(session, task, newIntentId), {
      code: 'QUOTE_EXPIRED',
      why: /RUNE by http:/,
    })
    assert.deepEqual(at.intents(), [])
  })
})

describe('an account', () => {
  const statesOver = async (changed: (response: { height: string }) => object) => {
    const middleware = changing((method, result) => {
      if (method === 'abci_query') result.response = changed(result.response)
    })
    const { session } = await over([{ chain: original, middleware }])
    return session.chain.accountStates(address)
  }

  test('that does not exist is none', async () => {
    const missing = { code: 22, codespace: 'sdk', log: 'account x not found: key not found' }
    assert.deepEqual(await statesOver(({ height }) => ({ ...missing, height })), [])
  })

  test('of which a node refuses to say anything is a fault of the node', async () => {
    const unknown = { code: 6, codespace: 'sdk', log: 'unknown query path: unknown request' }
    await assert.rejects(
      statesOver(({ height }) => ({ ...unknown, height })),
      { kind: 'bad_answer', message: /unknown query path/ },
    )
  })
})

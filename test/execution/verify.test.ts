import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { IncludedTx, Movement } from '../../src/chain/tx/outcome.js'
import type { Coin } from '../../src/engine/market/token.js'
import type { Chain } from '../../src/execution/ports.js'
import { verify, verifyOrders } from '../../src/execution/verify.js'
import type { CoinDocument } from '../../src/operations/document-schema.js'
import { inBlock } from './script.js'

const payer = 'demo1payer'
const router = 'demo1router'
const coins = (text: string): readonly Coin[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((each) => ({ denom: each.replace(/\d+/, ''), amount: BigInt(Number.parseInt(each, 10)) }))
const text = (all: readonly CoinDocument[] | null | undefined) =>
  all?.map(({ amount, denom }) => `${amount}${denom}`).join(' ')

type Moved = readonly [kind: Movement['kind'], account: string, amount: string, message?: number]

/** A transaction with these movements, and a chain whose balances changed by those of the payer. */
function included(moved: readonly Moved[]): readonly [Chain, IncludedTx] {
  const movements = moved.map(([kind, account, amount, message]) => ({
    kind,
    account,
    coins: coins(amount),
    message,
  }))
  const balances = async (account: string, height: number): Promise<readonly Coin[]> =>
    ['rune', 'btc', 'usd'].map((denom) => ({
      denom,
      amount: movements
        .filter((each) => each.account === account && height >= 125)
        .flatMap((each) => each.coins.map((coin) => ({ ...coin, kind: each.kind })))
        .filter((coin) => coin.denom === denom)
        .reduce(
          (sum, { kind, amount }) => (kind === 'spent' ? sum - amount : sum + amount),
          1_000n,
        ),
    }))
  return [{ balances } as Chain, { ...inBlock('tx_router_2hop'), height: 125, movements }]
}

const swap = (moved: readonly Moved[], sold = '100rune', output = 'btc') => {
  const [chain, tx] = included(moved)
  const messages = [{ funds: coins(sold)[0]!, output }]
  return verify(chain, tx, { address: payer, recipient: payer, contract: router, messages })
}
const fee: Moved = ['spent', payer, '2rune']
const sale: Moved = ['spent', payer, '100rune', 0]

describe('the coins of a swap', () => {
  test('are those of its messages, the fee apart', async () => {
    const fill = await swap([fee, sale, ['received', payer, '7btc', 0]])
    assert.deepEqual([text(fill.spent), text(fill.fee), fill.received], ['100rune', '2rune', ['7']])
    assert.deepEqual(fill.verified, { events: true, balances: true, router: true })
  })

  test('that are returned of the denom sold were not spent', async () => {
    const back: Moved = ['received', payer, '30rune', 0]
    const fill = await swap([sale, back, ['received', payer, '7btc', 0]])
    assert.deepEqual([text(fill.spent), text(fill.returned)], ['70rune', '30rune'])
    assert.equal(fill.verified.events, false)
  })

  test('of a loop were all spent', async () => {
    const fill = await swap([sale, ['received', payer, '103rune', 0]], '100rune', 'rune')
    assert.deepEqual([text(fill.spent), text(fill.returned)], ['100rune', ''])
    assert.deepEqual(fill.received, ['103'])
    assert.equal(fill.verified.events, true)
  })

  test('of two messages are counted for each', async () => {
    const second: readonly Moved[] = [
      ['spent', payer, '50rune', 1],
      ['received', payer, '4btc', 1],
    ]
    const of = (moved: readonly Moved[]) => {
      const [chain, tx] = included(moved)
      const messages = ['100rune', '50rune'].map((sold) => ({
        funds: coins(sold)[0]!,
        output: 'btc',
      }))
      return verify(chain, tx, { address: payer, recipient: payer, contract: router, messages })
    }
    const fill = await of([sale, ['received', payer, '7btc', 0], ...second])
    assert.deepEqual([fill.received, fill.verified.events], [['7', '4'], true])
    const less = await of([sale, ...second])
    assert.deepEqual([less.received, less.verified.events], [['0', '4'], false])
  })

  test('are not as expected where nothing came, or more was spent', async () => {
    assert.equal((await swap([sale])).verified.events, false)
    const more: Moved = ['spent', payer, '101rune', 0]
    const fill = await swap([more, ['received', payer, '7btc', 0]])
    assert.equal(fill.verified.events, false)
  })

  test('are not those of the balances where a node leaves out events', async () => {
    const [chain, tx] = included([sale, ['received', payer, '7btc', 0]])
    const messages = [{ funds: coins('100rune')[0]!, output: 'btc' }]
    const accounts = { address: payer, recipient: payer, contract: router }
    const fill = await verify(chain, { ...tx, movements: [] }, { ...accounts, messages })
    assert.deepEqual(fill.verified, { events: false, balances: false, router: true })
  })

  test('that another account receives are compared with its balances', async () => {
    const [chain, tx] = included([sale, ['received', 'demo1other', '7btc', 0]])
    const messages = [{ funds: coins('100rune')[0]!, output: 'btc' }]
    const accounts = { address: payer, recipient: 'demo1other', contract: router }
    const fill = await verify(chain, tx, { ...accounts, messages })
    assert.equal(fill.verified.balances, true)
    const movements = tx.movements.map((each) =>
      each.account === payer ? each : { ...each, coins: coins('70btc') },
    )
    const lie = await verify(chain, { ...tx, movements }, { ...accounts, messages })
    assert.deepEqual([lie.received, lie.verified.balances], [['70'], false])
    const unpaid = tx.movements.filter((each) => each.account !== payer)
    const silent = await verify(chain, { ...tx, movements: unpaid }, { ...accounts, messages })
    assert.deepEqual([silent.received, silent.verified.balances], [['7'], false])
  })

  test('that stay in the router are left behind', async () => {
    const { left_behind, router_grew } = await swap([
      sale,
      ['received', router, '100rune', 0] as const,
      ['spent', router, '60rune', 0] as const,
      ['received', payer, '7btc', 0] as const,
    ])
    assert.deepEqual([text(left_behind), text(router_grew)], ['40rune', '40rune'])
  })
})

describe('the coins of orders', () => {
  const rows = [
    ['5usd', true],
    ['4usd', false],
    ['6usd', false],
    ['5usd 1btc', false],
  ] as const
  for (const [spent, isExpected] of rows)
    test(`of which ${spent} were spent for 5usd attached: ${isExpected}`, async () => {
      const [chain, tx] = included([
        fee,
        ['spent', payer, spent, 0],
        ['received', payer, '3btc', 0],
      ])
      const fill = await verifyOrders(chain, tx, payer, [coins('5usd')])
      assert.deepEqual(fill.verified, { events: isExpected, balances: true, router: null })
      assert.deepEqual([text(fill.spent), text(fill.fee)], [spent, '2rune'])
      assert.deepEqual(fill.paid?.map(text), ['3btc'])
      const none = { returned: [], received: [], left_behind: [], router_grew: null }
      const gas = { gas_used: `${tx.gasUsed}`, gas_limit: `${tx.gasWanted}` }
      assert.deepEqual({ ...fill, ...none, ...gas }, fill)
    })

  test('of two messages are compared for each, and with the balances', async () => {
    const [chain, tx] = included([
      ['spent', payer, '5usd', 0],
      ['spent', payer, '4usd', 1],
      ['received', payer, '3btc', 1],
    ])
    const verified = async (of: typeof tx, ...funds: readonly string[]) =>
      (await verifyOrders(chain, of, payer, funds.map(coins))).verified
    const right = { events: true, balances: true, router: null }
    assert.deepEqual(await verified(tx, '5usd', '4usd'), right)
    assert.deepEqual(await verified(tx, '5usd', '5usd'), { ...right, events: false })
    const movements = tx.movements.slice(0, 2)
    assert.deepEqual(await verified({ ...tx, movements }, '5usd', '4usd'), {
      ...right,
      balances: false,
    })
  })
})

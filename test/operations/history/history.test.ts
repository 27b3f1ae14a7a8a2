import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { history, isTop, quarantine } from '../../../src/operations/history/history.js'
import type { LegsAnswer } from '../../../src/operations/history/history-documents.js'
import type { OrderChange } from '../../../src/operations/history/history-port.js'
import { orderHistory } from '../../../src/operations/history/order-history.js'
import { legs, portOf, wallet } from '../../support/history-answers.js'

const port = portOf()
const ask = async (request: object) => (await history(port, request)) as LegsAnswer

/** The error that refuses a request. */
async function refusal(request: unknown): Promise<SwapError> {
  try {
    await history(port, request)
  } catch (error) {
    assert.ok(error instanceof SwapError)
    return error
  }
  throw new Error('it was answered')
}

describe('the history operation', () => {
  test('lists the latest swaps first, with the default page and limit', async () => {
    const answer = await ask({})
    assert.deepEqual(Object.keys(answer), [
      'page',
      'limit',
      'total',
      'items',
      'indexed_height',
      'indexed_time',
      'missing_blocks',
    ])
    assert.deepEqual([answer.page, answer.limit, answer.total], [1, 20, 3])
    assert.equal(answer.indexed_height, 120)
  })
  test('has the documented members of an item, with amounts as digits', async () => {
    const [item] = (await ask({})).items
    assert.equal(
      JSON.stringify({ ...item, hops: item?.hops.length }),
      '{"tx_hash":"A8F75D0EAEF4D79D43AC06F30A2F454C70B42220D143FB8922B682F631C2A482","msg_index":1,"height":118,"time":"2026-05-01T12:03:56.5Z","type":"swap","sender":"demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx","recipient":"demo14tgg8vaql6cw7hrnhk8s7hwrkc3clss0ykgvng","affiliate":"acme","input":{"denom":"btc-btc","amount":"150000000"},"output":{"denom":"rune","amount":"22687960123456"},"path":["btc-btc","eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","rune"],"hops":2,"fees":{"protocol":{"denom":"rune","amount":"22800000000"},"referral":{"denom":"rune","amount":"2280000000"},"affiliate":{"denom":"rune","amount":"114000000000"}},"volume_usd":"117435.123456789012"}',
    )
  })
  test('has null for unknown values', async () => {
    const [, loop] = (await ask({})).items
    assert.deepEqual([loop?.volume_usd, loop?.affiliate], [null, null])
  })
  test('filters by type, sender, transaction and affiliate', async () => {
    const heights = async (request: object) =>
      (await ask(request)).items.map(({ msg_index, height }) => [height, msg_index])
    assert.deepEqual(await heights({ type: 'arbitrage' }), [[118, 0]])
    assert.deepEqual(await heights({ sender: wallet }), [[118, 1]])
    assert.deepEqual(await heights({ affiliate: 'acme' }), [[118, 1]])
    assert.deepEqual(await heights({ txHash: legs[2]?.txHash }), [[7, 0]])
    assert.deepEqual(await heights({ txHash: `0x${legs[2]?.txHash.toLowerCase()}` }), [[7, 0]])
    assert.deepEqual(await heights({ sender: wallet.toUpperCase() }), [[118, 1]])
  })
  test('returns the page asked for', async () => {
    const answer = await ask({ page: 2, limit: 2 })
    assert.deepEqual([answer.items.length, answer.total], [1, 3])
  })
  test('ranks the accounts that swapped most', async () => {
    const answer = await history(port, { period: '7d', limit: 2 })
    assert.ok(isTop(answer))
    assert.deepEqual(Object.keys(answer), ['period', 'from', 'to', 'items', 'missing_blocks'])
    assert.deepEqual([answer.from, answer.to], ['2026-04-24T12:04:00.000Z', '2026-05-01T12:04:00Z'])
    assert.deepEqual(answer.items[1], {
      rank: 2,
      sender: 'demo14tgg8vaql6cw7hrnhk8s7hwrkc3clss0ykgvng',
      swaps: 2,
      volume_usd: '12.3',
    })
    const second = await history(port, { period: '7d', limit: 2, page: 2 })
    assert.deepEqual(isTop(second) && second.items.map(({ rank }) => rank), [3])
  })
  test('answers an empty index with empty lists', async () => {
    const empty = portOf([])
    assert.deepEqual(await history(empty, {}), {
      page: 1,
      limit: 20,
      total: 0,
      items: [],
      indexed_height: null,
      indexed_time: null,
      missing_blocks: 0,
    })
    assert.deepEqual(await history(empty, { period: '1d' }), {
      period: '1d',
      from: null,
      to: null,
      items: [],
      missing_blocks: 0,
    })
  })
})

describe('a history request is refused', () => {
  const cases: readonly (readonly [what: string, request: object, pointers: readonly string[]])[] =
    [
      ['two lists at once', { sender: wallet, affiliate: 'x' }, ['/sender', '/affiliate']],
      ['a type beside another list', { type: 'swap', period: '1d' }, ['/period', '/type']],
      ['a page below one', { page: 0 }, ['/page']],
      ['a page beyond the limit', { page: 10 ** 9 }, ['/page']],
      ['a limit above a hundred', { limit: 101 }, ['/limit']],
      ['a limit that is not a number', { limit: '1 OR 1=1' }, ['/limit']],
      ['a malformed hash', { txHash: 'abc' }, ['/txHash']],
      ['an unknown period', { period: '2d' }, ['/period']],
      ['an unknown type', { type: 'gift' }, ['/type']],
      ['an unknown member', { tx_hash: 'x' }, ['/tx_hash']],
    ]
  for (const [title, request, pointers] of cases)
    test(`for ${title}`, async () => {
      const { code, members } = await refusal(request)
      assert.equal(code, 'INVALID_REQUEST')
      const errors = members['errors'] as readonly { readonly pointer: string }[]
      assert.deepEqual([...new Set(errors.map(({ pointer }) => pointer))], pointers)
    })
  test('for a mistyped address, or one of another network', async () => {
    for (const sender of [
      wallet.replace('wyt', 'wvt'),
      'thor1tpdhfpu37lzkpachuxc94ea94fnux8rpxmll4w',
      '%',
      'x'.repeat(1_000),
    ]) {
      const { code, members, message } = await refusal({ sender })
      assert.deepEqual([code, members['pointer']], ['INVALID_ADDRESS', '/sender'])
      assert.ok(message.length < 200)
    }
  })
})

describe('the changes of orders', () => {
  test('have the documented members, each amount in its own', async () => {
    const place = { txHash: 'AB', txIndex: 1, msgIndex: 2, eventIndex: 3, height: 9, time: 'then' }
    const change: OrderChange = {
      ...place,
      side: 'ask',
      price: { bps: -15 },
      pair: 'pair',
      owner: wallet,
      action: 'place',
      offerDenom: 'base',
      receiveDenom: 'quote',
      sold: 1n,
      added: 2n,
      returned: 3n,
      received: 4n,
      fee: 5n,
    }
    const orders = async () => ({ total: 1, items: [change], indexed: undefined, without: [] })
    const answer = await orderHistory({ ...port, orders }, {})
    assert.deepEqual(answer.items, [
      {
        tx_hash: 'AB',
        msg_index: 2,
        height: 9,
        time: 'then',
        owner: wallet,
        action: 'place',
        id: 'pair/sell/oracle-15bps',
        side: 'sell',
        price: null,
        oracle_bps: -15,
        pair: 'pair',
        offer_denom: 'base',
        receive_denom: 'quote',
        sold: '1',
        added: '2',
        returned: '3',
        received: '4',
        fee: '5',
      },
    ])
  })
})

test('quarantined events have indexes from 0, or null where there is none', async () => {
  const event = { height: 9, reason: 'unknown', bytes: new Uint8Array([1]) }
  const items = [0, -1].map((index) => ({ ...event, txIndex: index, eventIndex: index }))
  const quarantined = async () => ({ total: 2, items, indexed: undefined })
  const answer = await quarantine({ quarantined }, {})
  assert.deepEqual(
    answer.items.map(({ tx_index, event_index }) => [tx_index, event_index]),
    [
      [0, 0],
      [null, null],
    ],
  )
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readMaker } from '../../../src/chain/market/makers.js'
import { readRouterContract, readToken } from '../../../src/chain/market/pair-config.js'
import { mayHaveRanges, readRanges } from '../../../src/chain/market/read-pair.js'
import { demo } from '../../../src/chain/networks/demo.js'
import type { PairConfig } from '../../../src/chain/queries/pair.js'
import { Unreadable } from '../../../src/chain/queries/query-batch.js'
import { scripted } from './scripted.js'

const pair: PairConfig = {
  base: 'btc',
  quote: 'usdc',
  tick: 6,
  takerFee: 0n as PairConfig['takerFee'],
  makerFee: 0n as PairConfig['makerFee'],
  makers: ['maker'],
  oracles: null,
}

type Quote = {
  readonly quote: {
    readonly min_price: string | null
    readonly offer_denom: string
    readonly data: string | null
  }
}

describe('a maker without a strategy query', () => {
  /** Quotes this many levels on each side; the data of a quote selects the next one. */
  const quoting = (levels: number) => {
    const quotes: Quote['quote'][] = []
    const ask = scripted({
      smart: (_address, message) => {
        if ('strategy' in (message as object)) return undefined
        const { quote } = message as Quote
        quotes.push(quote)
        const at = quote.data === null ? 0 : Number(quote.data)
        if (at === levels) return 'null'
        return JSON.stringify({ price: `0.${9 - (at % 9)}`, size: `${at + 1}`, data: `${at + 1}` })
      },
    })
    return { ask, seen: quotes }
  }

  test('is queried level by level, each with the data of the one before', async () => {
    const { ask, seen } = quoting(3)
    const maker = await readMaker(ask, 'maker', pair, new Set())
    const levels = [
      { price: '0.9', size: '1' },
      { price: '0.8', size: '2' },
      { price: '0.7', size: '3' },
    ]
    assert.deepEqual(maker, {
      address: 'maker',
      levels: { base: levels, quote: levels },
      levels_truncated: { base: false, quote: false },
    })
    const asks = seen.filter(({ offer_denom }) => offer_denom === 'usdc')
    assert.deepEqual(
      asks.map(({ min_price, data }) => [min_price, data]),
      [
        [null, null],
        ['0.9', '1'],
        ['0.8', '2'],
        ['0.7', '3'],
      ],
    )
  })

  test('without an end is cut and marked', async () => {
    const maker = await readMaker(quoting(1000).ask, 'maker', pair, new Set())
    const { levels, levels_truncated } = maker as Record<string, Record<string, unknown[]>>
    assert.equal(levels?.['base']?.length, 40)
    assert.deepEqual(levels_truncated, { base: true, quote: true })
  })

  test('is not queried for its strategy again', async () => {
    const unreadableMakers = new Set<string>()
    const { ask } = quoting(0)
    await readMaker(ask, 'maker', pair, unreadableMakers)
    const { queries } = ask.cost
    await readMaker(ask, 'maker', pair, unreadableMakers)
    assert.equal(ask.cost.queries - queries, queries - 1)
  })

  test('that refuses every quote has no levels', async () => {
    assert.deepEqual(await readMaker(scripted({}), 'maker', pair, new Set()), { address: 'maker' })
  })
})

describe('the affiliates of a router', () => {
  const affiliate = { affiliate_fee_bps: 1, referral_fee_share_bps: 2 }
  const codes = Array.from({ length: 250 }, (_, at) => `code${String(at).padStart(3, '0')}`)
  const routerOf = (page: (after: string | null) => unknown) =>
    scripted({
      smart: (_address, message) => {
        const { affiliates } = message as { affiliates?: { start_after: string | null } }
        return JSON.stringify(affiliates ? page(affiliates.start_after) : { fee_bps: 10 })
      },
    })

  const read = async (page: (after: string | null) => unknown) => {
    try {
      return await readRouterContract(routerOf(page), 'router')
    } catch (error) {
      assert.ok(error instanceof Unreadable)
      return error.message
    }
  }

  test('are read page by page; without its code a router cannot be read', async () => {
    const routers: (string | null)[] = []
    const outcome = await read((after) => {
      routers.push(after)
      const rest = codes.filter((code) => after === null || code > after)
      return { affiliates: rest.slice(0, 100).map((code) => [code, affiliate]) }
    })
    assert.deepEqual(routers, [null, 'code099', 'code199'])
    assert.match(String(outcome), /the router's code was refused/)
  })

  test('without an end are bounded', async () => {
    const same = { affiliates: codes.slice(0, 100).map((code) => [code, affiliate]) }
    assert.match(String(await read(() => same)), /no end/)
  })
})

describe('the ranges of a pair', () => {
  const item = (idx: number) => ({ idx: `${idx}`, base: '1', quote: '0' })

  test('are read page by page, fixed and dynamic ones', async () => {
    const ask = scripted({
      smart: (_address, message) => {
        const { ranges } = message as {
          ranges: { cursor?: string | null; dynamic?: { cursor: string | null } }
        }
        if (ranges.dynamic) return JSON.stringify({ ranges: [item(500), item(1)] })
        const from = Number(ranges.cursor ?? 0)
        const count = Math.min(100, 230 - from)
        return JSON.stringify({
          ranges: Array.from({ length: count }, (_, at) => item(from + at + 1)),
        })
      },
    })
    assert.equal((await readRanges(ask, 'pair')).length, 231)
  })

  test('without an end are bounded', async () => {
    const page = JSON.stringify({ ranges: Array.from({ length: 100 }, (_, at) => item(at)) })
    await assert.rejects(readRanges(scripted({ smart: () => page }), 'pair'), /no end/)
  })

  test('are queried from version 2 on, and where the version is unknown', () => {
    assert.deepEqual(
      ['1.0.0', '1.1.0', 'v1.3.2', '0.9.0', '2.0.3', '2.1.6', '10.0.0', undefined].map(
        mayHaveRanges,
      ),
      [false, false, false, false, true, true, true, true],
    )
  })
})

describe('tokens that are not in the table of tokens', () => {
  test('are named by their denom where the bank has no metadata', async () => {
    const shapes: readonly (readonly [string, string, string, string, string | null])[] = [
      ['arb-usdc-0xaf88', 'secured', 'ARB', 'USDC', '0xaf88'],
      ['zec-zec', 'secured', 'ZEC', 'ZEC', null],
      ['x/newcoin', 'factory', 'THOR', 'NEWCOIN', null],
      ['x/thor1abc/wif', 'factory', 'THOR', 'WIF', null],
      ['thor.wink', 'native', 'THOR', 'WINK', null],
      ['tor', 'native', 'THOR', 'TOR', null],
    ]
    for (const [denom, kind, chain, symbol, contract] of shapes) {
      const token = await readToken(scripted({}), demo, denom)
      assert.deepEqual(
        [token.kind, token.chain, token.symbol, token.contract, token.decimals],
        [kind, chain, symbol, contract, 8],
      )
    }
  })
})

import assert from 'node:assert/strict'
import { QueryDenomMetadataResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import {
  QueryAllContractStateResponse,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { decodeListing } from '../../../src/chain/market/discover.js'
import { decodeQuote, decodeStrategy } from '../../../src/chain/market/makers.js'
import { decodeRanges } from '../../../src/chain/market/read-pair.js'
import { decodeHeader } from '../../../src/chain/queries/header.js'
import { decodeBook, decodeConfig, decodeVersion } from '../../../src/chain/queries/pair.js'
import { decodePool, placeOf } from '../../../src/chain/queries/pool-storage.js'
import { metadata } from '../../../src/chain/queries/questions.js'
import {
  decodeAffiliates,
  decodeRouterFee,
  decodeSimulation,
} from '../../../src/chain/queries/router.js'
import { fromJson, fromWire } from '../../../src/chain/queries/wire.js'
import { MAX_UINT128 } from '../../../src/engine/math/decimal.js'
import {
  type JsonCursor,
  MalformedDocument,
  rootCursor,
} from '../../../src/engine/snapshot/json-cursor.js'
import { runs } from '../../support/books.js'
import { placesOf, replaced } from '../market/places.js'

const decoders: Readonly<Record<string, (node: JsonCursor) => unknown>> = {
  config: decodeConfig,
  book: decodeBook(255),
  strategy: decodeStrategy,
  quote: decodeQuote,
  ranges: decodeRanges(100),
  routerFee: decodeRouterFee,
  affiliates: decodeAffiliates(100),
  simulation: decodeSimulation,
  version: decodeVersion,
  pool: decodePool,
  header: decodeHeader,
  listing: decodeListing,
}

/** The result of a decoder, or `undefined` if it refuses the value. */
function decodedOrRefused<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch (error) {
    if (error instanceof MalformedDocument) return undefined
    throw error
  }
}

const validAnswers = {
  config: { denoms: ['a', 'b'], tick: 6, fee_taker: '0.1', fee_maker: '0', oracles: null },
  book: { base: [{ price: '1', total: '2' }], quote: [{ price: '0.5', total: '3' }] },
  strategy: {
    xyk: [
      { x: 'a', y: 'b', step: '0.001', min_quote: '1', fee: '0' },
      { x: '1', y: '2', k: '2', shares: '1' },
    ],
  },
  quote: { price: '1', size: '2', data: 'e30=' },
  ranges: { ranges: [{ idx: '1', base: '0.5', quote: '0' }] },
  routerFee: { fee_bps: 10 },
  affiliates: { affiliates: [['a', { affiliate_fee_bps: 1, referral_fee_share_bps: 2 }]] },
  simulation: { returned: '1', fee: '0' },
  version: { contract: 'c', version: '1.0.0' },
  pool: { total: '1', sum: ['0', 0], product: ['1', 0], epoch: 0 },
  header: { header: { chain_id: 'x', height: '5', time: '2026-05-01T00:00:00Z' } },
  listing: { infos: [{ address: 'a' }] },
}

/** Invalid numbers, in forms that nodes and attackers send. */
const hostile = fc.oneof(
  fc.constantFrom(
    '-1',
    '0',
    '1e5',
    '1.0000000000000000001',
    '340282366920938463463374607431768211456',
    '9'.repeat(200),
    ' 1',
    '01',
    '+1',
    '0x10',
    'NaN',
    '',
    '١',
  ),
  fc.constantFrom(-1, 0, 1.5, 1e300, 2 ** 53, null, true, false),
  fc.constant({}),
  fc.constant([]),
  fc.jsonValue(),
)

describe('a malformed answer of a node', () => {
  test('is compared with valid ones, which are read', () => {
    for (const [name, decode] of Object.entries(decoders))
      assert.ok(
        decodedOrRefused(() =>
          decode(rootCursor(validAnswers[name as keyof typeof validAnswers])),
        ) !== undefined,
        name,
      )
  })

  test('of arbitrary JSON is refused or read, and throws nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const decode of Object.values(decoders))
          decodedOrRefused(() => decode(rootCursor(value)))
      }),
      runs(300),
    )
  })

  test('with one hostile value is refused or read, and throws nothing else', () => {
    for (const [name, decode] of Object.entries(decoders)) {
      const document = validAnswers[name as keyof typeof validAnswers]
      fc.assert(
        fc.property(fc.constantFrom(...placesOf(document)), hostile, (path, by) => {
          decodedOrRefused(() => decode(rootCursor(replaced(document, path, by))))
        }),
        runs(150),
      )
    }
  })

  test('with any number of units of a denom is read', () => {
    const denomUnits = Array.from({ length: 200_000 }, () => ({ exponent: 6 }))
    const value = QueryDenomMetadataResponse.encode(
      QueryDenomMetadataResponse.fromPartial({ metadata: { denomUnits } }),
    ).finish()
    assert.equal(metadata('x').read(value).decimals, 6)
  })

  test('with a time of no date is refused', () => {
    const header = { ...validAnswers.header.header, time: '2026-13-32T25:61:61Z' }
    assert.throws(() => decodeHeader(rootCursor({ header })), MalformedDocument)
  })

  test('of arbitrary bytes is refused or read as protobuf and JSON', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        decodedOrRefused(() => fromWire(QueryAllContractStateResponse, bytes))
        decodedOrRefused(() => fromWire(QuerySmartContractStateResponse, bytes))
        decodedOrRefused(() => fromJson(bytes))
      }),
      runs(500),
    )
  })

  test('with an arbitrary storage key is refused or read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (rest) => {
        const key = Buffer.concat([Buffer.from('\0\x05pools'), rest])
        const place = decodedOrRefused(() => placeOf('pools', key))
        if (place && 'fixed' in place.price) assert.ok(place.price.fixed > 0n)
      }),
      runs(500),
    )
  })

  test('never breaks an invariant of the levels that are read', () => {
    const level = fc.record({ price: hostile, total: hostile })
    const side = fc.array(level, { maxLength: 4 })
    fc.assert(
      fc.property(fc.record({ base: side, quote: side }), (answer) => {
        const book = decodedOrRefused(() => decodeBook(255)(rootCursor(answer)))
        for (const { rate, total } of [...(book?.asks ?? []), ...(book?.bids ?? [])]) {
          assert.ok(rate > 0n && rate <= MAX_UINT128)
          assert.ok(total >= 0n && total <= MAX_UINT128)
        }
      }),
      runs(1000),
    )
  })

  test('with a book of a million levels is refused before they are read', () => {
    let read = 0
    const level = {
      get price() {
        read += 1
        return '1'
      },
      total: '1',
    }
    const base = Array.from({ length: 1_000_000 }, () => level)
    assert.equal(
      decodedOrRefused(() => decodeBook(255)(rootCursor({ base, quote: [] }))),
      undefined,
    )
    assert.ok(read <= 256, `${read}`)
  })
})

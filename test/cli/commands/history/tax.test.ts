import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { demo } from '../../../../src/chain/networks/demo.js'
import { allLegs } from '../../../../src/cli/commands/history/all-legs.js'
import { taxCsv } from '../../../../src/cli/commands/history/history-csv.js'
import { noteOrders } from '../../../../src/cli/commands/history/orders.js'
import { dateRangeOf, exportOf } from '../../../../src/cli/commands/history/request.js'
import { legsAfter } from '../../../../src/cli/commands/history/watch-history.js'
import type { TaxFormat } from '../../../../src/cli/flags/command-flags.js'
import { SwapError } from '../../../../src/engine/errors.js'
import type { LegsAnswer } from '../../../../src/operations/history/history-documents.js'
import type {
  ExecutedLeg,
  HistoryPort,
  IndexRebuild,
} from '../../../../src/operations/history/history-port.js'
import { legs, portOf, wallet } from '../../../support/history-answers.js'

const other = 'demo14tgg8vaql6cw7hrnhk8s7hwrkc3clss0ykgvng'
const [BTC, TCY, USDC] = legs.map(({ txHash }) => txHash)

const context = {
  tokens: demo.tokens,
  aliases: new Map([['usdc', demo.usd ?? '']]),
  chainId: 'demo-1',
  fees: new Map([[BTC!, { denom: 'rune', amount: '2000000' }]]),
}
async function fileOf(format: TaxFormat): Promise<readonly string[]> {
  const text = taxCsv((await allLegs(portOf(), {})).items, format, context)
  assert.ok(text.endsWith('\r\n'))
  return text.trimEnd().split('\r\n')
}

describe('a tax file', () => {
  test('for Koinly has its universal columns, oldest first, dollars of the time of the swap', async () =>
    assert.deepEqual(await fileOf('koinly'), [
      'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
      `2026-04-30 09:00:00 UTC,12.345,USDC,24,RUNE,,,12.3,USD,,swap USDC > RUNE,${USDC}`,
      `2026-05-01 12:03:56 UTC,7,TCY,7.0007,TCY,,,,,,arbitrage TCY > RUNE > TCY,${TCY}`,
      `2026-05-01 12:03:56 UTC,1.5,BTC,226879.60123456,RUNE,0.02,RUNE,117435.123456789012,USD,,"swap BTC > USDC > RUNE, paid to ${other}",${BTC}`,
    ]))
  test('for CryptoTaxCalculator has the price of one unit that was sold', async () =>
    assert.deepEqual(await fileOf('ctc'), [
      'Timestamp (UTC),Type,Base Currency,Base Amount,Quote Currency (Optional),Quote Amount (Optional),Fee Currency (Optional),Fee Amount (Optional),From (Optional),To (Optional),Blockchain (Optional),ID (Optional),Description (Optional),Reference Price Per Unit (Optional),Reference Price Currency (Optional)',
      `2026-04-30 09:00:00,sell,USDC,12.345,RUNE,24,,,${other},${other},demo-1,${USDC},swap USDC > RUNE,0.996354799513973268,USD`,
      `2026-05-01 12:03:56,sell,TCY,7,TCY,7.0007,,,${other},${other},demo-1,${TCY},arbitrage TCY > RUNE > TCY,,`,
      `2026-05-01 12:03:56,sell,BTC,1.5,RUNE,226879.60123456,RUNE,0.02,${wallet},${other},demo-1,${BTC},"swap BTC > USDC > RUNE, paid to ${other}",78290.082304526008,USD`,
    ]))
  test('for rotki has its generic trades with times in milliseconds', async () =>
    assert.deepEqual(await fileOf('rotki'), [
      'Location,Spend Currency,Receive Currency,Receive Amount,Spend Amount,Fee,Fee Currency,Description,Timestamp',
      `external,USDC,RUNE,24,12.345,,,swap USDC > RUNE ${USDC},1777539600000`,
      `external,TCY,TCY,7.0007,7,,,arbitrage TCY > RUNE > TCY ${TCY},1777637036500`,
      `external,BTC,RUNE,226879.60123456,1.5,0.02,RUNE,"swap BTC > USDC > RUNE, paid to ${other} ${BTC}",1777637036500`,
    ]))
  test('of no program has a column for everything', async () =>
    assert.deepEqual(await fileOf('generic'), [
      'time,type,sent_amount,sent_currency,sent_denom,received_amount,received_currency,received_denom,network_fee_amount,network_fee_currency,value_usd,sender,recipient,chain_id,height,tx_hash,msg_index',
      `2026-04-30T09:00:00Z,swap,12.345,USDC,${demo.usd},24,RUNE,rune,,,12.3,${other},${other},demo-1,7,${USDC},0`,
      `2026-05-01T12:03:56.5Z,arbitrage,7,TCY,tcy,7.0007,TCY,tcy,,,,${other},${other},demo-1,118,${TCY},0`,
      `2026-05-01T12:03:56.5Z,swap,1.5,BTC,btc-btc,226879.60123456,RUNE,rune,0.02,RUNE,117435.123456789012,${wallet},${other},demo-1,118,${BTC},1`,
    ]))
  test('has the network fee of a transaction once, in its first leg', () => {
    const leg = { ...legs[0]!, msgIndex: 0 }
    const later = { ...legs[0]!, msgIndex: 1 }
    return allLegs(portOf([later, leg]), {}).then(({ items }) => {
      const rows = taxCsv(items, 'generic', context).trimEnd().split('\r\n').slice(1)
      assert.deepEqual(
        rows.map((row) => row.split(',').slice(8, 10)),
        [
          ['0.02', 'RUNE'],
          ['', ''],
        ],
      )
    })
  })
  test('has no exchanges by limit orders, and counts those of its dates', async () => {
    const notesOf = async (owner: string, from = -Infinity) => {
      const notes: string[] = []
      const out = { note: (text: string) => notes.push(text) }
      await noteOrders(out, portOf(), owner, { from, to: Infinity })
      return notes
    }
    const call = `swap history --orders --owner ${wallet} --csv`
    assert.deepEqual(await notesOf(wallet), [
      `2 exchanges by limit orders are not in the file: ${call}`,
    ])
    for (const none of [notesOf(other), notesOf(wallet, Date.UTC(2026, 5))])
      assert.deepEqual(await none, [])
  })
  test('tells tokens of one symbol apart in the description, and for no program by their denoms', async () => {
    const base = 'base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
    const path = [demo.usd!, base]
    const leg = { ...legs[2]!, path, output: { denom: base, amount: 1n } }
    const { items } = await allLegs(portOf([leg]), {})
    assert.match(
      taxCsv(items, 'koinly', context),
      /,USDC,0.00000001,USDC,.*,swap USDC > USDC.base,/,
    )
    const row = taxCsv(items, 'generic', context).split('\r\n')[1]!.split(',')
    assert.deepEqual([row[4], row[7]], path)
  })
  test('writes the largest amounts and the smallest without exponent or separator', async () => {
    const huge = {
      ...legs[0]!,
      input: { denom: 'rune', amount: 2n ** 128n - 1n },
      output: { denom: 'btc-btc', amount: 1n },
    }
    const { items } = await allLegs(portOf([huge]), {})
    const [, row = ''] = taxCsv(items, 'generic', context).split('\r\n')
    assert.deepEqual(row.split(',').slice(2, 7), [
      '3402823669209384634633746074317.68211455',
      'RUNE',
      'rune',
      '0.00000001',
      'BTC',
    ])
  })
})

describe('an export', () => {
  const rebuilt = (...rebuilds: readonly IndexRebuild[]): HistoryPort => {
    const left = [...rebuilds]
    return { ...portOf(), rebuild: async () => left.shift()! }
  }
  test('is refused where the index is rebuilt while it is read, or its rebuild has not ended', async () => {
    const refused = (why: RegExp, ...rebuilds: readonly IndexRebuild[]) =>
      assert.rejects(allLegs(rebuilt(...rebuilds), {}), (error) => {
        assert.ok(error instanceof SwapError && error.code === 'NOT_READY')
        assert.match(error.why ?? '', why)
        return true
      })
    await refused(/while its pages were read/, { count: 1, left: 0 }, { count: 2, left: 0 })
    await refused(/still to index 7 blocks/, { count: 1, left: 9 }, { count: 1, left: 7 })
    const { total } = await allLegs(rebuilt({ count: 1, left: 3 }, { count: 1, left: 0 }), {})
    assert.equal(total, legs.length)
  })
})

describe('all pages of the history', () => {
  const many = (count: number): readonly ExecutedLeg[] =>
    Array.from({ length: count }, (_, i) => ({
      ...legs[0]!,
      msgIndex: count - i,
      time: new Date(Date.UTC(2026, 0, 1) + (count - i) * 3_600_000).toISOString(),
    }))
  test('are one list, newest first', async () => {
    const answer = await allLegs(portOf(many(250)), {})
    assert.deepEqual([answer.total, answer.items.length, answer.page], [250, 250, 1])
    assert.deepEqual(
      answer.items.map(({ msg_index }) => msg_index),
      many(250).map(({ msgIndex }) => msgIndex),
    )
  })
  test('of a range have the blocks of both its ends', async () => {
    const range = dateRangeOf({ from: '2026-01-02', to: '2026-01-03T01:00Z' })
    const { items } = await allLegs(portOf(many(250)), {}, range)
    assert.deepEqual(
      [items[0]?.time, items.at(-1)?.time, items.length],
      ['2026-01-03T01:00:00.000Z', '2026-01-02T00:00:00.000Z', 26],
    )
  })
  test.each([0, 1, 100, 150])('up to the last that was known have the %i new ones', async (n) => {
    const port = portOf(many(250))
    const { items } = await allLegs(port, {})
    assert.deepEqual(await legsAfter(port, {}, items[n]), items.slice(0, n))
  })
  test('of a range have every leg of its first block, on whatever page', async () => {
    const time = '2026-01-02T00:00:00.000Z'
    const range = dateRangeOf({ from: '2026-01-02', to: '2026-01-02' })
    const { total } = await allLegs(portOf(many(250).map((leg) => ({ ...leg, time }))), {}, range)
    assert.equal(total, 250)
  })
  /** The legs of an index that has these numbers of `all`, and before each further page some more. */
  const growing = (all: readonly ExecutedLeg[], ...numbers: readonly (readonly number[])[]) => {
    const indexed = new Set<number>()
    let reads = 0
    return {
      ...portOf(),
      page: (...call: Parameters<HistoryPort['page']>) => {
        for (const n of numbers[reads] ?? []) indexed.add(n)
        reads += 1
        return portOf(all.filter((_, n) => indexed.has(n))).page(...call)
      },
    }
  }
  const span = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
  // Two transactions a block, two messages each, two swaps a message; told apart by what they sell.
  const all = many(430).map((leg, n): ExecutedLeg => {
    const place = { height: (430 - n) >> 3, txIndex: ((430 - n) >> 2) & 1 }
    const indexes = { msgIndex: ((430 - n) >> 1) & 1, eventIndex: (430 - n) & 1 }
    return { ...leg, ...place, ...indexes, input: { denom: 'tcy', amount: BigInt(n) } }
  })
  const numbersOf = ({ items }: LegsAnswer) => items.map(({ input }) => Number(input.amount))
  const rows: readonly (readonly [string, readonly number[], readonly number[]])[] = [
    ['before them', span(30, 280), span(0, 30)],
    ['a whole page of them before', span(150, 400), span(0, 150)],
    ['behind them', span(0, 250), span(250, 280)],
    ['among those that are read', [...span(0, 50), ...span(80, 280)], span(50, 80)],
    ['among those to come', [...span(0, 150), ...span(180, 280)], span(150, 180)],
    ['around the end of the first page', [...span(0, 90), ...span(120, 280)], span(90, 120)],
  ]
  for (const [where, first, more] of rows)
    test(`have each leg once although others are indexed meanwhile: ${where}`, async () => {
      const answer = await allLegs(growing(all, first, more), {})
      const found = numbersOf(answer)
      assert.deepEqual(
        found.filter((n) => first.includes(n)),
        first,
      )
      assert.equal(new Set(found).size, answer.total)
    })
  test('have each leg once, newest first, whatever is indexed between two pages', async () => {
    // Ten legs at a time, most of them from the beginning.
    const readOf = fc.array(fc.integer({ min: -4, max: 3 }), { minLength: 43, maxLength: 43 })
    await fc.assert(
      fc.asyncProperty(readOf, async (reads) => {
        const numbers = span(0, 4).map((read) =>
          span(0, 430).filter((n) => Math.max(0, reads[Math.floor(n / 10)]!) === read),
        )
        const found = numbersOf(await allLegs(growing(all, ...numbers), {}))
        assert.deepEqual(
          found,
          [...new Set(found)].sort((a, b) => a - b),
        )
        const missing = numbers[0]!.filter((n) => !found.includes(n))
        assert.deepEqual(missing, [])
      }),
      { numRuns: 50 },
    )
  })
})

describe('a range of dates', () => {
  const iso = (flags: Record<string, string>) => {
    const { from, to } = dateRangeOf(flags)!
    return [from, to].map((ms) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null))
  }
  test('has whole days in UTC, and times to the second', () => {
    assert.equal(dateRangeOf({}), undefined)
    assert.deepEqual(iso({ from: '2026-01-31' }), ['2026-01-31T00:00:00.000Z', null])
    assert.deepEqual(iso({ to: '2026-01-31' }), [null, '2026-01-31T23:59:59.999Z'])
    assert.deepEqual(iso({ from: '2026-01-31T12:00', to: '2026-01-31 14:00:30+01:00' }), [
      '2026-01-31T12:00:00.000Z',
      '2026-01-31T13:00:30.000Z',
    ])
  })
  for (const text of ['2026-02-30', '2026-13-01', '31.1.2026', '120', '2026-01-31T25:00', ''])
    test(`refuses ${text || 'nothing'}`, () =>
      assert.throws(() => dateRangeOf({ from: text }), { code: 'INVALID_REQUEST' }))
  test('refuses an end before its begin', () =>
    assert.throws(() => dateRangeOf({ from: '2026-02-01', to: '2026-01-31' }), /is before/))
  test('does not go with pages, wallets, events or what is to come', () => {
    const flags = { from: '2026-01-01' }
    assert.deepEqual(exportOf({}, {}), undefined)
    assert.equal(exportOf({ format: 'ctc' }, {})?.format, 'ctc')
    for (const request of [{ page: 2 }, { limit: 5 }, { period: '7d' as const }])
      assert.throws(() => exportOf(flags, request), /does not go with/)
    for (const more of [{ quarantine: true }, { watch: true }])
      assert.throws(() => exportOf({ ...flags, ...more }, {}), /does not go with/)
    for (const [form, written] of [
      [{ json: true }, '--json'],
      [{ output: 'ndjson' }, '--output ndjson'],
    ] as const)
      assert.throws(
        () => exportOf({ format: 'ctc', ...form }, {}),
        new RegExp(`--format does not go with ${written}`),
      )
    assert.throws(() => exportOf({ format: 'turbotax' }, {}), {
      why: 'it is one of koinly, ctc, rotki, generic',
    })
  })
})

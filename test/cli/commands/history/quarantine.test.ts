import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../../../src/chain/networks/demo.js'
import { quarantineCsv, renderQuarantine } from '../../../../src/cli/commands/history/render.js'
import { standingLines } from '../../../../src/cli/commands/history/render-context.js'
import { quarantine } from '../../../../src/operations/history/history.js'
import type {
  IndexStatus,
  QuarantinedEvent,
} from '../../../../src/operations/history/history-port.js'
import { plainStyle, type Style } from '../../../../src/render/style.js'
import { terminal } from '../../../render/documents.js'

const events: readonly QuarantinedEvent[] = [
  {
    height: 1_234,
    txIndex: 3,
    eventIndex: 17,
    reason: 'the attribute volume is missing',
    bytes: Buffer.from('{"type":"wasm-liquidy-swap/execute","attributes":[]}'),
  },
  {
    height: 99,
    txIndex: -1,
    eventIndex: 2,
    reason: '=it is outside of\ttransactions',
    bytes: Buffer.from([0, 255, 0x1b, 0x5b]),
  },
]

const answerOf = (all = events, window = {}, height: number | undefined = 2_000) =>
  quarantine(
    {
      quarantined: async ({ page, limit }) => ({
        total: all.length,
        items: all.slice((page - 1) * limit, page * limit),
        indexed:
          height === undefined ? undefined : { height, time: '2026-05-01T12:04:00Z', missing: 0 },
      }),
    },
    window,
  )

const context = (human = false) => ({ network: 'demo', request: {}, tokens: demo.tokens, human })
const shown = async (style: Style, ...asked: Parameters<typeof answerOf>) =>
  renderQuarantine(await answerOf(...asked), context(), style)

describe('the list of quarantined events', () => {
  test('has its place, the reason and its bytes, harmless', async () =>
    assert.equal(
      await shown(terminal(80)),
      `\
2 events kept aside                                           demo · block 2,000
────────────────────────────────────────────────────────────────────────────────
  block 1,234 transaction 3, event 17
  why         the attribute volume is missing
  event       {"type":"wasm-liquidy-swap/execute","attributes":[]}

  block 99    outside of transactions, event 2
  why         =it is outside of\\u{9}transactions
  event       \\u{0}�\\u{1b}[

  No list and no sum has them as swaps. All of their bytes: --json`,
    ))
  test('is a document with all bytes', async () => {
    const { total, items, indexed_height } = await answerOf()
    assert.deepEqual([total, indexed_height], [2, 2_000])
    assert.deepEqual(items[1], {
      height: 99,
      tx_index: null,
      event_index: 2,
      reason: '=it is outside of\ttransactions',
      bytes: 'AP8bWw==',
    })
  })
  test('is rows in a pipe and for a spreadsheet', async () => {
    const rows = (await shown(plainStyle)).split('\n')
    assert.equal(rows[1], '99\t\t2\t=it is outside of\\u{9}transactions\tAP8bWw==')
    const [head, , second] = quarantineCsv(await answerOf()).split('\r\n')
    assert.equal(head, 'height,tx_index,event_index,reason,bytes')
    assert.equal(second, "99,,2,'=it is outside of\\u{9}transactions,AP8bWw==")
  })
  test('has pages, and a line if it is empty', async () => {
    assert.match(await shown(terminal(80), events, { limit: 1 }), /page 1 of 2: --page 2/)
    assert.match(await shown(terminal(80), []), /nothing kept aside[\s\S]*could be read/)
    const empty = await answerOf([], {}, undefined)
    const text = renderQuarantine({ ...empty, indexed_height: null }, context(), terminal(80))
    assert.match(text, /nothing is indexed yet[\s\S]*swap history --sync/)
  })
  test('is truncated to the width of the terminal', async () => {
    const long = { ...events[0]!, bytes: Buffer.from('x'.repeat(5_000)) }
    const text = await shown(terminal(60), [long])
    assert.match(text, /x…\n/)
    for (const line of text.split('\n')) assert.ok(line.length <= 60, line)
  })
})

describe('the gaps of an index', () => {
  const whole: IndexStatus = {
    indexed: { height: 9, time: '' },
    legs: 3,
    quarantined: 0,
    pruned: [],
    withoutOrders: [],
    missing: 0,
    current: true,
  }
  const lines = (more: Partial<IndexStatus>) =>
    standingLines({ ...whole, ...more }, terminal(120)).map((line) => line.trim())
  test('are a sentence each', () => {
    assert.deepEqual(lines({}), [])
    assert.deepEqual(standingLines(undefined, terminal(80)), [])
    assert.deepEqual(
      lines({
        missing: 1_200,
        quarantined: 2,
        current: false,
        pruned: [
          { from: 1, to: 1_000 },
          { from: 1_005, to: 1_005 },
        ],
      }),
      [
        '1,200 earlier blocks are still to be indexed: swap history --sync',
        '1,001 blocks from 1 to 1,005 are missing: no node that answered gives them; an archive node may (--rpc)',
        '2 events could not be read as swaps: swap history --quarantine',
        'It was built by another version, or for another router; rebuild it: swap history --reindex',
      ],
    )
    const missing = (from: number, to: number) => lines({ pruned: [{ from, to }] })[0]!
    assert.match(missing(1, 1_000), /^Blocks 1 to 1,000 are missing: no node/)
    assert.match(missing(1_005, 1_005), /^Block 1,005 is missing: no node/)
    assert.match(
      lines({ missing: 1, quarantined: 1 }).join('\n'),
      /^1 earlier block is still [\s\S]*^1 event could/m,
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  account,
  type Doc,
  demand,
  fromBtc,
  legsIn,
  planned,
  quote,
  resum,
  small,
  swapIn,
  toBtc,
} from './quote-documents.js'
import { btc, rune } from './stage.js'

const lies: readonly (readonly [what: string, change: (doc: Doc) => void])[] = [
  ['a second leg that buys another token', (doc) => legsIn(doc).splice(1, 1, legsIn(toBtc)[0])],
  [
    'a second leg that buys another token, with the sums made to fit',
    (doc) => {
      legsIn(doc).splice(1, 9, legsIn(toBtc)[0])
      resum(doc)
    },
  ],
  [
    'a second leg that sells another token, with the sums made to fit',
    (doc) => {
      legsIn(doc).splice(1, 9, legsIn(fromBtc)[0])
      resum(doc)
    },
  ],
  [
    'legs of two trades and nothing else said about them',
    (doc) => {
      legsIn(doc).splice(1, 9, legsIn(toBtc)[0])
      doc.routes[0] = { legs: legsIn(doc).map(({ tx, funds }) => ({ tx, funds })) }
      delete doc.input
      delete doc.output
    },
  ],
  [
    'another output than its legs buy',
    (doc) => {
      doc.output.denom = btc
    },
  ],
  [
    'another input than its legs sell',
    (doc) => {
      doc.input.denom = btc
    },
  ],
  [
    'a smaller input than its legs sell',
    (doc) => {
      doc.input.amount = '1'
    },
  ],
  [
    'a higher minimum than its legs demand',
    (doc) => {
      doc.routes[0].min_return = `${BigInt(doc.routes[0].min_return) * 2n}`
    },
  ],
  [
    'another expected output than its legs have',
    (doc) => {
      doc.routes[0].expected_output = `${BigInt(doc.routes[0].expected_output) * 2n}`
    },
  ],
  [
    'a leg whose minimum is not that of its message',
    (doc) => {
      swapIn(doc).min_return.amount = '1'
    },
  ],
  [
    'a leg that promises less than its minimum',
    (doc) => {
      legsIn(doc)[0].expected_output = '1'
      resum(doc)
    },
  ],
  [
    'a leg whose promise cannot be read',
    (doc) => {
      legsIn(doc)[0].expected_output = -5
    },
  ],
  [
    'a leg of another output than its message demands',
    (doc) => {
      legsIn(doc)[0].output = { denom: btc, amount: legsIn(doc)[0].expected_output }
    },
  ],
  [
    'a leg whose path begins elsewhere',
    (doc) => {
      legsIn(doc)[0].path[0] = btc
    },
  ],
  [
    'a leg whose path ends elsewhere',
    (doc) => {
      legsIn(doc)[0].path.push(btc)
    },
  ],
  [
    'a stage that names another denom than its pair trades',
    (doc) => {
      swapIn(doc).stages[0].denom = 'tcy'
    },
  ],
  [
    'a last stage that names another denom than the leg buys',
    (doc) => {
      swapIn(doc).stages.at(-1).denom = btc
    },
  ],
  [
    'a minimum in another denom',
    (doc) => {
      swapIn(doc).min_return.denom = btc
    },
  ],
  ['a leg with its last stage left out', (doc) => swapIn(doc).stages.pop()],
  ['a leg with a stage twice', (doc) => swapIn(doc).stages.push(swapIn(doc).stages[0])],
  [
    'another contract as a pair',
    (doc) => {
      swapIn(doc).stages[0].address = account.address
    },
  ],
  [
    'a leg that states another minimum than its message has',
    (doc) => {
      legsIn(doc)[0].min_return = '1'
    },
  ],
  [
    'a leg that sells more than it says',
    (doc) => {
      legsIn(doc)[0].input = { denom: rune, amount: '1' }
    },
  ],
  [
    'a leg that sells another token than it says',
    (doc) => {
      legsIn(doc)[0].input = { denom: btc }
    },
  ],
  [
    'a minimum of a leg that is not that of its message, as a coin',
    (doc) => {
      legsIn(doc)[0].min_return = { ...swapIn(doc).min_return, amount: '1' }
    },
  ],
  [
    'a minimum of a leg in another denom, as a coin',
    (doc) => {
      legsIn(doc)[0].min_return = { ...swapIn(doc).min_return, denom: btc }
    },
  ],
  [
    'the name of another network',
    (doc) => {
      doc.network = 'other'
    },
  ],
  [
    'the chain id of another network',
    (doc) => {
      doc.chain_id = 'other-1'
    },
  ],
  [
    'a time of tomorrow, which would not expire',
    (doc) => {
      doc.time = new Date(Date.parse(doc.time) + 86_400_000).toISOString()
    },
  ],
  [
    'a recipient of its own',
    (doc) => {
      for (const [i] of legsIn(doc).entries()) swapIn(doc, i).recipient = `${account.address}x`
    },
  ],
]

describe('a hostile quote document', () => {
  for (const [what, change] of lies)
    test(`with ${what} is refused`, async () => {
      const doc = structuredClone(quote)
      change(doc)
      await assert.rejects(planned(doc), { code: 'QUOTE_MISMATCH' })
    })

  test('with legs that pay different accounts is refused', async () => {
    const doc = structuredClone(quote)
    swapIn(doc).recipient = account.address
    await assert.rejects(planned(doc), {
      code: 'INVALID_REQUEST',
      why: /^demo1\w+ and the signer$/,
      members: {
        errors: [{ pointer: '/routes/0/legs', detail: `${account.address} and the signer` }],
      },
    })
  })

  test('names the leg that does not belong to the trade', async () => {
    const doc = structuredClone(quote)
    legsIn(doc).splice(1, 9, legsIn(toBtc)[0])
    resum(doc)
    await assert.rejects(planned(doc), { why: /^leg 2 sells rune for btc-btc; leg 1 sells rune/ })
  })
})

test('a quote is refused where the books no longer pay its minimum', async () => {
  const doc = structuredClone(small)
  const [leg] = legsIn(doc)
  const now = BigInt(leg.expected_output)
  for (const more of [0n, 1n]) {
    leg.expected_output = `${now + more}`
    demand(doc, 0, `${now + more}`)
    resum(doc)
    if (more === 0n) await planned(doc)
    else await assert.rejects(planned(doc), { code: 'SLIPPAGE_EXCEEDED' })
  }
})

describe('a guard in a quote document', () => {
  test('is a tolerance of 0 as well', async () => {
    assert.equal((await planned({ ...quote, slippage_bps: 0 })).tolerance.bps, 0)
  })

  for (const change of [
    { slippage_bps: '10' },
    { slippage_bps: 10_000 },
    { slippage_bps: -1 },
    { slippage_bps: 0.5 },
    { slippage_bps: null },
    { time: undefined },
    { time: 5 },
    { time: '' },
    { time: 'yesterday' },
  ])
    test(`is refused, not ignored, where it cannot be read: ${JSON.stringify(change)}`, async () => {
      await assert.rejects(planned({ ...quote, ...change }), { code: 'INVALID_REQUEST' })
    })
})

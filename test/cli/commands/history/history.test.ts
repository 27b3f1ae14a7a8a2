import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../../../src/chain/networks/demo.js'
import { renderProgress, renderRun } from '../../../../src/cli/commands/history/fill.js'
import { historyCsv } from '../../../../src/cli/commands/history/history-csv.js'
import { orderChangesCsv, renderOrderChanges } from '../../../../src/cli/commands/history/orders.js'
import { renderLegs, renderTop } from '../../../../src/cli/commands/history/render.js'
import { history, isTop } from '../../../../src/operations/history/history.js'
import type { HistoryAnswer } from '../../../../src/operations/history/history-documents.js'
import { orderHistory } from '../../../../src/operations/history/order-history.js'
import { plainStyle, type Style } from '../../../../src/render/style.js'
import { terminal } from '../../../render/documents.js'
import { portOf, wallet } from '../../../support/history-answers.js'

const aliases = new Map([['usdc', demo.usd ?? '']])

async function shown(request: object, style: Style, port = portOf(), human = false) {
  const answer: HistoryAnswer = await history(port, request)
  const context = { network: 'demo', request, tokens: demo.tokens, aliases, human }
  return isTop(answer) ? renderTop(answer, context, style) : renderLegs(answer, context, style)
}

describe('the swaps that were executed', () => {
  test('of 80 columns', async () =>
    assert.equal(
      await shown({}, terminal(80)),
      `\
3 swaps                                                         demo · block 120
────────────────────────────────────────────────────────────────────────────────
  UTC             WALLET              IN              OUT           $  TX
  05-01 12:03:56  demo…33lx      1.5 BTC  226,879.60 RUNE  117,435.12  A8F7…A482
  05-01 12:03:56  demo…gvng        7 TCY       7.0007 TCY           -  3245…FF24
  04-30 09:00:00  demo…gvng  12.345 USDC          24 RUNE       12.30  9EEA…8487`,
    ))
  test('of 130 columns in ASCII', async () =>
    assert.equal(
      await shown({ limit: 2 }, terminal(130, { ascii: true })),
      `\
3 swaps                                                                                                           demo - block 120
----------------------------------------------------------------------------------------------------------------------------------
  UTC                  WALLET                WHAT            IN              OUT           $  VIA   TX
  2026-05-01 12:03:56  demo1wyt4...ancs33lx  swap       1.5 BTC  226,879.60 RUNE  117,435.12  USDC  A8F7...A482
  2026-05-01 12:03:56  demo14tgg...s0ykgvng  arbitrage    7 TCY       7.0007 TCY           -  RUNE  3245...FF24

  page 1 of 2: --page 2`,
    ))
  test('of 40 columns', async () =>
    assert.equal(
      await shown({ sender: wallet }, terminal(40)),
      `\
1 swap of demo1wyt49…2ancs33lx
demo · block 120
05-01       12:03:56   demo1wyt…ncs33lx
            1.5 BTC   BTC → USDC → RUNE
            226,879.60 RUNE
            $117,435.12`,
    ))
  test('in a pipe are rows', async () =>
    assert.equal(
      await shown({ affiliate: 'acme' }, plainStyle),
      `\
2026-05-01T12:03:56.5Z\tA8F75D0EAEF4D79D43AC06F30A2F454C70B42220D143FB8922B682F631C2A482\t1\tswap\tdemo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx\tdemo14tgg8vaql6cw7hrnhk8s7hwrkc3clss0ykgvng\t150000000\tbtc-btc\t22687960123456\trune\t117435.123456789012\tacme\tbtc-btc > eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 > rune`,
    ))
  test('of an empty index say how to fill it', async () =>
    assert.equal(
      await shown({}, terminal(80), portOf([])),
      `\
nothing is indexed yet                                                      demo
────────────────────────────────────────────────────────────────────────────────
  Fill the index once: swap history --sync   Keep it filled: swap serve`,
    ))
  test('of a transaction that is not there', async () =>
    assert.equal(
      await shown({ txHash: 'A'.repeat(64) }, terminal(80)),
      `\
no legs of transaction AAAAAAA…AAAAAAA                          demo · block 120
────────────────────────────────────────────────────────────────────────────────
  No swap of it went through the router, or its block is not among those
  indexed, up to 120.`,
    ))
  test('of a page beyond the last', async () =>
    assert.equal(
      await shown({ page: 9, limit: 2 }, terminal(80)),
      `\
3 swaps                                                         demo · block 120
────────────────────────────────────────────────────────────────────────────────
  There are 2 pages of 2.`,
    ))
})

async function orderChanges(request: object, style: Style, port = portOf()) {
  const answer = await orderHistory(port, request)
  const view = { network: 'demo', request, tokens: demo.tokens, aliases }
  return { table: renderOrderChanges(answer, view, style), csv: orderChangesCsv(answer, view) }
}

describe('changes of orders', () => {
  test('of 80 columns, with the blocks whose orders are missing', async () =>
    assert.equal(
      (await orderChanges({}, terminal(80))).table,
      `\
3 changes of orders                                             demo · block 120
────────────────────────────────────────────────────────────────────────────────
  UTC             WHAT    ORDER                            RESTS          GOT
  05-01 12:03:56  claim   rune/usdc/buy/0.499                     1.9985 RUNE
  05-01 12:03:56  place   rune/usdc/buy/0.499          +4.5 USDC  0.9985 RUNE
  04-30 09:00:00  cancel  rune/usdc/sell/oracle-25bps    -7 RUNE

  Blocks 2 to 5 are without orders, which an earlier version did not index; read
  them again: swap history --reindex`,
    ))
  test('too wide for their terminal are two lines each', async () =>
    assert.deepEqual((await orderChanges({}, terminal(70))).table.split('\n').slice(2, 5), [
      '  05-01       12:03:56   claim   rune/usdc/buy/0.499',
      '              1.9985 RUNE',
      '  05-01       12:03:56   place   rune/usdc/buy/0.499',
    ]))
  test('of 130 columns of an account', async () =>
    assert.equal(
      (await orderChanges({ owner: wallet }, terminal(130))).table,
      `\
2 changes of orders of demo1wyt49…2ancs33lx                                                                       demo · block 120
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  UTC                  WHAT   ORDER                    RESTS      SOLD          GOT          FEE  TX
  2026-05-01 12:03:56  claim  rune/usdc/buy/0.499                       1.9985 RUNE  0.0015 RUNE  A8F75…2A482
  2026-05-01 12:03:56  place  rune/usdc/buy/0.499  +4.5 USDC  0.5 USDC  0.9985 RUNE  0.0015 RUNE  A8F75…2A482

  Blocks 2 to 5 are without orders, which an earlier version did not index; read them again: swap history --reindex`,
    ))
  test('of 40 columns of a transaction', async () =>
    assert.equal(
      (await orderChanges({ txHash: 'A'.repeat(64) }, terminal(40))).table,
      `\
no changes of orders in transaction
AAAAAAA…AAAAAAA
demo · block 120
Blocks 2 to 5 are without orders, which
an earlier version did not index; read
them again: swap history --reindex`,
    ))
  test('as CSV have every atomic', async () =>
    assert.equal(
      (await orderChanges({ limit: 1 }, plainStyle)).csv,
      'time,height,tx_hash,msg_index,owner,action,id,pair,side,price,oracle_bps,offer_denom,receive_denom,sold_atomic,sold_human,added_atomic,added_human,returned_atomic,returned_human,received_atomic,received_human,fee_atomic,fee_human,price_human\r\n2026-05-01T12:03:56.5Z,118,A8F75D0EAEF4D79D43AC06F30A2F454C70B42220D143FB8922B682F631C2A482,0,demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx,claim,demo1kyjky2yprmamj0gfkevyc6tunxev0054gpxjap8k9vkyutkkf5lqel5mst/buy/0.499,rune/usdc,buy,0.499,,eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,rune,0,0,0,0,0,0,199850000,1.9985,150000,0.0015,0.499\r\n',
    ))
})

describe('who swapped most', () => {
  test('of 80 columns, with bars', async () =>
    assert.equal(
      await shown({ period: '7d' }, terminal(80)),
      `\
who swapped most in 7 days, 2026-04-24 12:04:00 to 2026-05-01 12:04:00      demo
────────────────────────────────────────────────────────────────────────────────
  #  WALLET                SWAPS           $
  1  demo1wyt49…2ancs33lx  1,200  117,435.12  ████████████████████
  2  demo14tgg8…ss0ykgvng      2       12.30  ▏
  3  demo1kyjky…5lqel5mst      1           -`,
    ))
  test('in a pipe are rows', async () =>
    assert.equal(
      await shown({ period: '7d' }, plainStyle),
      `\
1\tdemo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx\t1200\t117435.12
2\tdemo14tgg8vaql6cw7hrnhk8s7hwrkc3clss0ykgvng\t2\t12.3
3\tdemo1kyjky2yprmamj0gfkevyc6tunxev0054gpxjap8k9vkyutkkf5lqel5mst\t1\t`,
    ))
  test('of an empty index', async () =>
    assert.equal(
      await shown({ period: '1d' }, terminal(80), portOf([])),
      `\
who swapped most in one day                                                 demo
────────────────────────────────────────────────────────────────────────────────
  Nothing is indexed yet. Fill the index once: swap history --sync   Keep it
  filled: swap serve`,
    ))
})

describe('for a spreadsheet', () => {
  const csvOf = async (request: object) =>
    historyCsv(await history(portOf(), request), {
      network: 'demo',
      request,
      tokens: demo.tokens,
      aliases,
    })
  test('a leg has everything that a tax program asks for', async () =>
    assert.equal(
      await csvOf({ limit: 1 }),
      `\
time,height,tx_hash,msg_index,type,sender,recipient,affiliate,in_symbol,in_denom,in_atomic,in_human,out_symbol,out_denom,out_atomic,out_human,protocol_fee_atomic,protocol_fee_human,referral_fee_atomic,referral_fee_human,affiliate_fee_atomic,affiliate_fee_human,volume_usd,path\r
2026-05-01T12:03:56.5Z,118,A8F75D0EAEF4D79D43AC06F30A2F454C70B42220D143FB8922B682F631C2A482,1,swap,demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx,demo14tgg8vaql6cw7hrnhk8s7hwrkc3clss0ykgvng,acme,BTC,btc-btc,150000000,1.5,RUNE,rune,22687960123456,226879.60123456,22800000000,228,2280000000,22.8,114000000000,1140,117435.123456789012,btc-btc > eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 > rune\r
`,
    ))
  test('the wallets', async () =>
    assert.equal(
      await csvOf({ period: '1d', limit: 1 }),
      `\
period,from,to,rank,sender,swaps,volume_usd\r
1d,2026-04-30T12:04:00.000Z,2026-05-01T12:04:00Z,1,demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx,1200,117435.12\r
`,
    ))
})

describe('while the index is filled', () => {
  const progress = { done: 1_200, left: 340, rate: 85.4, leftMs: 3_980, swaps: 1, quarantined: 0 }
  test('one line tells how far it is', () => {
    assert.equal(
      renderProgress(progress, terminal(80)),
      'indexing · 1,200 blocks done · 340 left · 85/s · 4.0 s to go · 1 swap',
    )
    assert.equal(renderProgress(progress, terminal(41)), 'indexing · 1,200 blocks done · 340 left')
  })
  test('the result is described in sentences', () =>
    assert.deepEqual(
      renderRun({
        ...progress,
        quarantined: 2,
        complete: false,
        ms: 725_000,
        pruned: [{ from: 1, to: 20 }],
        silent: ['http://one', 'http://two'],
        forgotten: 1,
        unshared: 7,
        beyond: 0,
      }),
      [
        'indexed 1,200 blocks with 1 swap in 12 min, 85 blocks a second',
        'Blocks 1 to 20 are missing: no node that answered gives them; an archive node may (--rpc)',
        'http://one, http://two gave no answer and may have them; when it does: swap history --sync',
        'one node alone names 7 newer blocks: a block is indexed once two nodes have it',
        '1 block of the index differed from the chain and had to be indexed again',
        '2 events could not be read as swaps and are kept aside: swap history --quarantine',
        'stopped with 340 blocks left; go on: swap history --sync',
      ],
    ))
})

import { codeContracts } from '../../src/demo-chain/contracts/codes.js'
import type { FinVersion } from '../../src/demo-chain/contracts/fin/config.js'
import type { OrderPrice } from '../../src/demo-chain/contracts/fin/price.js'
import { routerGenesis } from '../../src/demo-chain/contracts/router/router-state.js'
import {
  asBinary,
  fieldsOf,
  parseVariant,
  read,
  writeJson,
} from '../../src/demo-chain/contracts/serde.js'
import type { Contract } from '../../src/demo-chain/modules/contract.js'
import {
  type Decimal,
  formatDecimal,
  inverse,
  parseDecimal,
  ratio,
} from '../../src/engine/math/decimal.js'
import { type Placed, type World, worldOf } from './contract-world.js'
import { AMPLE } from './contracts.js'
import { finStorage } from './fin-storage.js'
import { readJson } from './vectors.js'

export type RecordedEvent = readonly [
  type: string,
  attributes: readonly (readonly [key: string, value: string])[],
]
export type RecordedTx = {
  readonly messages: readonly {
    readonly sender: string
    readonly contract: string
    readonly message: string
    readonly funds: readonly { readonly denom: string; readonly amount: string }[]
  }[]
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly events: readonly RecordedEvent[]
}

/** Transactions committed by a real node, with FIN 1.0 and, where the name has `v11`, 1.1. */
export const recordedTxs = (): Readonly<Record<string, RecordedTx>> => readJson('contract_txs.json')

const attributeOf = ([, attributes]: RecordedEvent, key: string): string =>
  attributes.find(([name]) => name === key)?.[1] ?? ''

/** The contracts' own events of one message, without what the chain adds at the end of each. */
export const eventsOf = (tx: RecordedTx, message: number): readonly RecordedEvent[] =>
  tx.events
    .filter((event) => attributeOf(event, 'msg_index') === `${message}` && event[0] !== 'message')
    .map(([type, attributes]) => [type, attributes.filter(([key]) => key !== 'msg_index')])

const denomOf = (coin: string): string => coin.replace(/^\d+/, '')

type Trade = {
  readonly side: 'base' | 'quote'
  readonly price: string
  readonly offer: bigint
  readonly bid: bigint
}
/** One swap on one pair, from its events. */
type Run = {
  readonly pair: string
  readonly paid: { readonly denom: string; readonly amount: bigint }
  readonly received: string
  readonly maker: string | undefined
  readonly trades: readonly Trade[]
}

const TRADE = 'wasm-rujira-fin/trade'

function runsOf(events: readonly RecordedEvent[]): readonly Run[] {
  const runs: Run[] = []
  for (let at = 0; at < events.length; at++) {
    if (events[at]?.[0] !== TRADE) continue
    const start = at
    while (events[at]?.[0] === TRADE) at += 1
    const trades = events.slice(start, at)
    const pair = attributeOf(trades[0]!, '_contract_address')
    const paid = events.slice(0, start).findLast(([type]) => type === 'transfer')!
    const amount = attributeOf(paid, 'amount')
    const after = events.slice(at).filter(([type]) => type === 'transfer' || type === 'execute')
    const quoted = trades.some((event) => !/^fixed/.test(attributeOf(event, 'price')))
    // FIN 1.0 sends no message to a maker that owes nothing: then its address is unknown.
    const sent = quoted && after[1]?.[0] === 'execute'
    const maker = sent ? attributeOf(after[1]!, '_contract_address') : quoted ? 'maker' : undefined
    const payout = after[sent ? 2 : 0]
    runs.push({
      pair,
      paid: { denom: denomOf(amount), amount: BigInt(/^\d+/.exec(amount)![0]) },
      received: payout === undefined ? 'unknown' : denomOf(attributeOf(payout, 'amount')),
      maker,
      trades: trades.map((event) => ({
        side: attributeOf(event, 'side') as Trade['side'],
        price: attributeOf(event, 'price'),
        offer: BigInt(attributeOf(event, 'offer')),
        bid: BigInt(attributeOf(event, 'bid')),
      })),
    })
    at -= 1
  }
  return runs
}

/** Whether an offer emptied the book, so that the last level was drained too. */
const isDrained = ({ paid, trades }: Run): boolean =>
  trades.reduce((sum, { offer }) => sum + offer, 0n) < paid.amount

type Level = { readonly price: Decimal; readonly size: bigint }

/**
 * The contracts in a state from which a recorded transaction follows: drained levels hold what they paid,
 * the last level holds more.
 */
export function worldBefore(tx: RecordedTx, version: FinVersion): World {
  const runs = runsOf(tx.events)
  const placed = new Map<string, Placed>()
  for (const address of new Set(runs.map(({ pair }) => pair))) {
    const here = runs.filter(({ pair }) => pair === address)
    const [{ paid, received, trades }] = here as [Run, ...Run[]]
    const [base, quote] =
      trades[0]?.side === 'base' ? [received, paid.denom] : [paid.denom, received]
    const maker = here.find((run) => run.maker)?.maker
    const both = [base, quote].sort().map((denom) => ({ denom, amount: AMPLE }))
    placed.set(address, {
      contract: codeContracts[`fin-${version}`],
      storage: finStorage(
        {
          denoms: [base, quote],
          tick: 6,
          feeTaker: parseDecimal('0.0015')!,
          feeMaker: parseDecimal('0.00075')!,
          feeAddress: 'thor19lsctk0e9kke9plu4gm4jm4eupjdd0q87zjs4r',
          makers: maker === undefined ? [] : [maker],
          oracles: null,
          version,
        },
        poolsOf(here),
      ),
      balances: both,
    })
    if (maker !== undefined)
      placed.set(maker, {
        contract: recordedMaker(
          here.filter((run) => run.maker),
          quote,
          version,
        ),
        balances: both,
      })
  }
  for (const { contract } of tx.messages) if (!placed.has(contract)) placed.set(contract, ROUTER)
  return worldOf(placed)
}

const ROUTER: Placed = {
  contract: codeContracts['router-stack'],
  storage: routerGenesis(
    {
      fee_collector: 'thor1q0wuf60eqv3qj9ym4kpy6sthg7m34zrrs8w3g4',
      fee_bps: 10,
      max_affiliate_fee_bps: 500,
    },
    [
      {
        affiliate_code: 'ruji',
        referral_fee_share_bps: 2500,
        affiliate_fee_bps: 30,
        referral_payment_address: 'thor1w5d0kgzwpakv28zzlq7lfv7e0hndd64msmehnj',
        affiliate_payment_address: 'thor1m58f36yydjwd2z0ukmwt984wr9gr689hyzlj7r',
      },
    ],
  ),
}

function poolsOf(runs: readonly Run[]) {
  const pools = new Map<
    string,
    { side: Trade['side']; price: OrderPrice; total: bigint; last: boolean }
  >()
  for (const run of runs)
    for (const [at, { side, price, bid }] of run.trades.entries()) {
      if (!price.startsWith('fixed:')) continue
      const before = pools.get(side + price)?.total ?? 0n
      pools.set(side + price, {
        side,
        price: { fixed: parseDecimal(price.slice('fixed:'.length))! },
        total: before + bid,
        last: at === run.trades.length - 1 && !isDrained(run),
      })
    }
  return [...pools.values()].map(({ side, price, total, last }) => ({
    side,
    price,
    total: last ? total * 2n + 1000n : total,
  }))
}

/** A maker that quotes the recorded payments, swap by swap, and pays any requested amount. */
function recordedMaker(runs: readonly Run[], quote: string, version: FinVersion): Contract {
  const levelsOf = (run: Run | undefined, side: Trade['side']): readonly Level[] =>
    (run?.trades ?? []).flatMap((trade, at, all) => {
      if (trade.side !== side || trade.price.startsWith('fixed')) return []
      const printed = parseDecimal(trade.price.slice(trade.price.lastIndexOf(':') + 1))!
      const open = at === all.length - 1 && !isDrained(run!)
      const price = side === 'quote' ? printed : open ? inverse(printed) : exactPrice(trade)
      return [{ price, size: open ? trade.bid * 2n + 1000n : trade.bid }]
    })
  return {
    query({ storage }, message) {
      const fields = fieldsOf('Query', parseVariant('Query', message, ['quote']).body)
      const side = fields.text('offer_denom') === quote ? 'base' : 'quote'
      const before = fields.optional('data', read.binary)
      const at = before === undefined ? 0 : Number(Buffer.from(before).toString())
      const level = levelsOf(runs[storage.get<number>('run') ?? 0], side)[at]
      if (level === undefined) return 'null'
      const data = asBinary(at + 1)
      return writeJson({ price: formatDecimal(level.price), size: level.size, data })
    },
    execute({ storage, funds, sender }, message) {
      const fields = fieldsOf('Execute', parseVariant('Execute', message, ['swap']).body)
      const asked = fields.coin('min_return')
      storage.set('run', (storage.get<number>('run') ?? 0) + 1)
      const text = (coin: { readonly denom: string; readonly amount: bigint }) =>
        `${coin.amount}${coin.denom}`
      return {
        messages: [{ kind: 'send', to: sender, coins: [asked] }],
        events:
          version === '1.0'
            ? []
            : [
                {
                  type: 'rujira-bow/swap',
                  attributes: [
                    ['offer', text(funds[0]!)],
                    ['ask', text(asked)],
                    ['fee', ''],
                    ['surplus', ''],
                  ],
                },
              ],
      }
    },
  }
}

/** The price of a drained level, whose printed inverse has lost digits. */
const exactPrice = ({ offer, bid }: Trade): Decimal => ratio(bid, offer)

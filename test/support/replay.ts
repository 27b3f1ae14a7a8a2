import { type Book, executeBook, quoteBook, simulateBook } from '../../src/engine/market/book.js'
import type { Market } from '../../src/engine/market/market.js'
import { isRefusal, type Refusal } from '../../src/engine/market/refusal.js'
import { executePath, type RouterState, simulatePath } from '../../src/engine/market/router.js'
import type { Coin } from '../../src/engine/market/token.js'
import { formatDecimal } from '../../src/engine/math/decimal.js'
import { classOf, type VectorCase, type VectorCoin } from './cases.js'

/** Our answer to a recorded case in the form of the recording, and whether it is marked as exact. */
export type Answer = { readonly answer: unknown; readonly exact: boolean }

const coinOf = (coin: VectorCoin): Coin => ({ denom: coin.denom, amount: BigInt(coin.amount) })

const failed = (refused: Refusal) => ({ error: classOf[refused.refused] })

/** The recording without members that are not reproduced (texts, gas). */
export function expected(item: VectorCase): unknown {
  if (item.kind === 'sequence')
    return Array.isArray(item.results) ? item.results.map(withoutText) : withoutText(item.results)
  return withoutText(item.result)
}

const withoutText = (result: object): object =>
  'error' in result ? { error: result.error } : result

export function replay(market: Market, item: VectorCase): Answer {
  if (item.kind === 'simulate') return replaySimulate(bookAt(market, item.pair), item)
  if (item.kind === 'swap') return replaySwap(bookAt(market, item.pair), item)
  if (item.kind === 'route') return replayRoute(market, item)
  if (item.kind === 'execute') return replayExecute(market, item)
  return replaySequence(market, item)
}

function bookAt(market: Market, address: string): Book {
  const book = market.books.get(address)
  if (book === undefined) {
    const why = market.excluded.find((pair) => pair.address === address)?.reason
    throw new Error(`${address} is not in the market: ${why}`)
  }
  return book
}

type Case<K extends VectorCase['kind']> = Extract<VectorCase, { kind: K }>

function replaySimulate(book: Book, item: Case<'simulate'>): Answer {
  const fill = simulateBook(book, coinOf(item.offer))
  if (isRefusal(fill)) return { answer: failed(fill), exact: true }
  return { answer: { returned: `${fill.bought}`, fee: `${fill.fee}` }, exact: fill.exact }
}

function replaySwap(book: Book, item: Case<'swap'>): Answer {
  const offer = coinOf(item.offer)
  const done = executeBook(book, offer)
  const quoted = quoteBook(book, offer)
  if (isRefusal(done) || isRefusal(quoted)) {
    if (!isRefusal(done) || !isRefusal(quoted) || done.refused !== quoted.refused)
      throw new Error('the quote and the level walk disagree about a refusal')
    return { answer: failed(done), exact: true }
  }
  for (const key of ['sold', 'unsold', 'bought', 'fee', 'groups', 'exact'] as const)
    if (done[key] !== quoted[key])
      throw new Error(
        `the quote and the level walk disagree in ${key}: ${quoted[key]} ${done[key]}`,
      )
  const { base, quote } = book.state.pair
  const fees = { [base]: done.profit.base, [quote]: done.profit.quote }
  const received = done.side === 'ask' ? base : quote
  fees[received] = (fees[received] ?? 0n) + done.fee
  const trades = done.trades.map((trade) => ({
    rate: formatDecimal(trade.rate),
    offer: `${trade.sold}`,
    bid: `${trade.bought}`,
  }))
  return {
    answer: {
      received: `${done.bought}`,
      refunded: `${done.unsold}`,
      fee_address: Object.fromEntries(Object.entries(fees).map(([d, n]) => [d, `${n}`])),
      trades_count: trades.length,
      ...(trades.length <= 12 && { trades }),
    },
    exact: done.exact,
  }
}

function replayRoute(market: Market, item: Case<'route'>): Answer {
  const books = item.path.map((address) => bookAt(market, address))
  const out = simulatePath(market.router, books, coinOf(item.coin))
  if (isRefusal(out)) return { answer: failed(out), exact: true }
  return { answer: { returned: `${out.returned}`, fee: `${out.fee}` }, exact: out.exact }
}

function replayExecute(market: Market, item: Case<'execute'>): Answer {
  const affiliate = market.router.affiliates.get(item.affiliate_code ?? '')
  const out = executePath(market, item.path, coinOf(item.coin), {
    minReturn: coinOf(item.min_return),
    affiliate,
  })
  if (isRefusal(out)) return { answer: failed(out), exact: true }
  const left = [...out.after.router.balances].map(([denom, n]) => [denom, `${n}`] as const)
  return {
    answer: {
      recipient: `${out.recipient}`,
      fee_collector: `${out.protocol - out.referral}`,
      affiliate: `${out.affiliate}`,
      referral: `${out.referral}`,
      router_left: Object.fromEntries(left),
    },
    exact: out.exact,
  }
}

function replaySequence(market: Market, item: Case<'sequence'>): Answer {
  let world: RouterState = market
  let exact = true
  const results: unknown[] = []
  for (const leg of item.legs) {
    const out = executePath(world, leg.path, coinOf(leg.coin), {
      minReturn: coinOf(leg.min_return),
    })
    if (isRefusal(out)) {
      if (item.mode === 'one_tx') return { answer: [failed(out)], exact }
      results.push(failed(out))
      continue
    }
    results.push({ recipient: `${out.recipient}` })
    exact &&= out.exact
    world = out.after
  }
  return { answer: results, exact }
}

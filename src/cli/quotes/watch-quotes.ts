import BigNumber from 'bignumber.js'
import { parseRatio } from '../../config/readers.js'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom, Token } from '../../engine/market/token.js'
import { formatToken, typedToken } from '../../operations/amount.js'
import { type OperationContext, openOnce } from '../../operations/context.js'
import { shellWord } from '../../platform/shell-word.js'
import { formatBps } from '../../render/amount.js'
import { type Naming, namesOf } from '../../render/names.js'
import { parseAmount, parseAtomic, parseDollar } from '../arguments/amount.js'
import type { Context, FlagValues } from '../command.js'
import { inFlag } from '../invalid-request.js'
import { amountText, marketNaming } from '../print-answer.js'
import { type Condition, exactOf, plainNumber, readCondition } from '../watch/condition.js'
import { changeBps, hasMoved } from '../watch/events.js'
import { watch } from '../watch/watch.js'
import { paidOrReceived, printQuote, type QuoteAnswer, type QuoteKind } from './quote.js'
import { readAmount, readerOf, splitGlued } from './route-request.js'

/** An answer with its market and the names of that. */
type WatchedQuote<Quote extends QuoteAnswer> = {
  readonly quote: Quote
  readonly market: Market
  readonly naming: Naming
}

/** `swap route --watch` and `swap sroute --watch`. */
export async function watchQuote<Request, Quote extends QuoteAnswer>(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  kind: QuoteKind<Request, Quote>,
): Promise<void> {
  const numberOf = ({ quote }: WatchedQuote<Quote>) => BigInt(paidOrReceived(quote).amount)
  let read: ConditionReader = async () => undefined
  let request: Request | undefined
  let condition: Condition | undefined
  let newest: WatchedQuote<Quote> | undefined
  const { reason } = await watch<WatchedQuote<Quote>>(context, flags, {
    async ask(app) {
      const { market } = await app.openMarket()
      // Arguments are parsed in the first market only: `$500` keeps its first amount.
      request ??= await kind.request({ ...context, app }, args, flags)
      const quote = await kind.answer(app, request)
      condition ??= await read(quote, app)
      newest = { quote, market, naming: marketNaming(market, context.config) }
      return newest
    },
    moved: (now, reported, bps) => hasMoved(numberOf(now), numberOf(reported), bps),
    bodies(now, reported) {
      const delta = changeBps(numberOf(now), reported && numberOf(reported))
      return [{ type: 'quote', delta_bps: delta, quote: now.quote }]
    },
    condition(until) {
      read = conditionReader(context, until, kind.command)
      return ({ quote, market }) =>
        condition?.holds(measured(quote, condition.measure, market)) === true
    },
    number: numberOf,
    loadFrame: async () => (await import('./quote-screen.js')).quoteFrame,
    value: ({ quote, market }) => amountText(context, paidOrReceived(quote), market.tokens),
    line({ quote, naming }) {
      const names = namesOf(naming, context.out.style)
      const impact = formatBps(quote.routes[0]!.price_impact_bps)
      const text = quote.output.amount === undefined ? names.coin : names.payment
      return `block ${quote.height}  ${text(paidOrReceived(quote))}  impact ${impact}`
    },
  })
  if (reason !== 'taken' || newest === undefined) return
  const { quote, market } = newest
  const text = await kind.text()
  const app = openOnce(async () => market)
  await printQuote({ ...context, app }, quote, paidOrReceived(quote), {
    csv: () => '',
    human: (view) => text(quote, view, context.out.style),
  })
}

/** The condition of `--until` for the tokens of a quote; `undefined` where there is none. */
type ConditionReader = (quote: QuoteAnswer, app: OperationContext) => Promise<Condition | undefined>

/**
 * The reader of `--until`, which is refused here for everything but the decimals and the mid price
 * of a token: amounts are in units, with `--atomic` in atomics.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT
 */
function conditionReader(
  context: Context,
  until: string,
  command: 'route' | 'sroute',
): ConditionReader {
  const { atomic } = context.form
  const read = (amountOf: (side: Side, text: string, token: string | undefined) => BigNumber) => {
    const amount = (side: Side) => (right: string) => {
      const [text = '', token] = splitGlued(right.replace(/\s+/, ''), atomic)
      return inFlag('--until', () => amountOf(side, text, token))
    }
    return readCondition(until, {
      output: amount('output'),
      input: amount('input'),
      price: plainNumber,
      impact: ratio,
      ...(command === 'sroute' && { gain: ratio }),
    })
  }
  read((_, text) => checkedAmount(text, atomic))
  return async (quote, app) => {
    const reader = await readerOf({ ...context, app })
    return read((side, text, name) => {
      const token = reader.market.tokens.get(quote[side].denom)!
      if (name !== undefined && reader.token(name, '/until').denom !== token.denom)
        throw otherToken(reader.market, until, side, token.denom)
      return unitsOf(readAmount(reader, text, token, '/until'), token)
    })
  }
}

type Side = 'input' | 'output'

/** The error of a condition whose amount is of another token than the quote's. */
const otherToken = (market: Market, until: string, side: Side, denom: Denom): SwapError =>
  invalidRequest(`the ${side} of --until is not in the token of the quote`, '/until', {
    why: `the swap ${side === 'input' ? 'sells' : 'pays'} ${formatToken(market, denom)}`,
    hint: `write --until ${shellWord(until.replace(/^(\D*[\d._]+).*/, '$1') + typedToken(market, denom))}`,
  })

/** Checks an amount of a token whose decimals are not known yet. */
function checkedAmount(text: string, atomic: boolean): BigNumber {
  if (parseDollar(text) !== undefined) return new BigNumber(0)
  if (atomic) return new BigNumber(`${parseAtomic(text, '/until')}`)
  const decimals = /\.(\d*)$/.exec(text)?.[1]?.length ?? 0
  const token = { denom: '', symbol: 'the token', decimals }
  return unitsOf(parseAmount(text, token, '/until'), token)
}

const unitsOf = (atomics: bigint | string, { decimals }: Pick<Token, 'decimals'>): BigNumber =>
  new BigNumber(`${atomics}`).shiftedBy(-decimals)

const ratio = (right: string, left: string): BigNumber =>
  new BigNumber(
    parseRatio(right, {
      label: '--until',
      code: 'INVALID_REQUEST',
      pointer: '/until',
      max: 1_000_000,
      written: (value) => `--until '${left}${value}'`,
    }),
  )

function measured(quote: QuoteAnswer, name: string, { tokens }: Market): BigNumber | undefined {
  const { input, output } = quote
  const best = quote.routes[0]!
  if (name === 'output') return unitsOf(best.expected_output, tokens.get(output.denom)!)
  if (name === 'input') return unitsOf(input.amount, tokens.get(input.denom)!)
  if (name === 'price') return exactOf(best.price)
  if (name === 'impact') return exactOf(best.price_impact_bps)
  return exactOf('gain_over_single_bps' in best ? best.gain_over_single_bps : null)
}

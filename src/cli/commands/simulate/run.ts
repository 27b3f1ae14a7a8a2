import { GAS_ADJUSTMENT } from '../../../engine/market/gas.js'
import { groupThousands } from '../../../engine/math/counted.js'
import { requireAddress } from '../../../operations/names.js'
import { type Quote, readQuote } from '../../../operations/quote-document.js'
import { route } from '../../../operations/route/route.js'
import {
  errorOfSimulation,
  type SimulateTerms,
  simulate,
} from '../../../operations/simulate/simulate.js'
import type {
  SimulateAnswer,
  SimulatedLeg,
  TransactionDocument,
} from '../../../operations/simulate/simulate-documents.js'
import {
  amountColumns,
  type CsvColumn,
  csv,
  foreignColumns,
  memberColumns,
  tokenColumns,
} from '../../../render/csv.js'
import {
  field,
  fields,
  formOf,
  paragraph,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, type Naming, namesOf, type View } from '../../../render/names.js'
import { glyphsOf, plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { withAddresses } from '../../accounts/resolve-address.js'
import type { FlagValues, Run } from '../../command.js'
import { heightOf } from '../../flags/quote-flags.js'
import { membersOf } from '../../flags/request-flags.js'
import { refuseMore } from '../../invalid-request.js'
import { amountText, coinText, marketNaming, pipeLines, printAnswer } from '../../print-answer.js'
import { withQuoteId } from '../../quotes/pipe-fields.js'
import { quotedAsTyped } from '../../quotes/quote.js'
import { isDocument, quoteDocument, refuseQuoteFlags } from '../../quotes/quote-store.js'
import { comparisonColumns, limitLines, verdictOf } from '../../quotes/render-verify.js'
import { type ReadRequest, routeRequestOf } from '../../quotes/route-request.js'

type QuoteToSimulate = { readonly quote: Quote; readonly id: string | undefined }

/** Simulates a quote with the router, and prints the result beside the computed one. */
export const runSimulate: Run = async (context, args, given) => {
  const { app, out, form, config } = context
  const flags = await withAddresses(context, given, 'from')
  const { quote, id } = await quoteOf(context, args, flags)
  const terms = termsOf(flags)
  await requireAddress(terms.from, config.network.prefix, '/from')
  const answer = await simulate(app, quote, terms)
  const { market } = await app.openMarket()
  const fault = errorOfSimulation(answer, market)
  // The failure's document contains the whole answer, so that one document is printed.
  if (fault !== undefined && (form.kind === 'json' || form.quiet > 0)) throw fault
  await printAnswer(context, answer, {
    quiet() {
      const { denom } = answer.output
      const texts = answer.legs.map(({ returned: amount }) =>
        amountText(context, amount === null ? null : { denom, amount }, market.tokens),
      )
      return texts.join('\n')
    },
    csv: () => simulationCsv(answer, marketNaming(market, config)),
    async human() {
      const endpoints = (await app.chain?.())?.endpoints ?? []
      const view = { ...marketNaming(market, config), quoteId: id, node: endpoints[0] }
      return renderSimulation(answer, view, out.style)
    },
  })
  if (fault !== undefined) throw fault
}

const quoteOf: ReadRequest<QuoteToSimulate> = async (context, args, flags) => {
  const [word = '', ...more] = args
  // The arguments of a new quote are three words, or two if amount and token are joined.
  if (!isDocument(word) && more.length > 0) {
    const request = await routeRequestOf(context, args, flags, 'simulate')
    const answer = await quotedAsTyped(context, args, { ...request, limit: 1 }, (asked) =>
      route(context.app, asked),
    )
    return { quote: readQuote(answer), id: undefined }
  }
  refuseMore('simulate', more)
  refuseQuoteFlags(flags, ['from'])
  const { document, id } = await quoteDocument(word, context.surroundings, 'swap route --json')
  return { quote: readQuote(document), id }
}

function termsOf(flags: FlagValues): SimulateTerms {
  const { from } = flags
  const { tolerance_bps: toleranceBps } = membersOf('simulate', ['tolerance_bps'], flags)
  return {
    ...(typeof from === 'string' && { from }),
    ...(toleranceBps !== undefined && { toleranceBps }),
    atOpenMarket: heightOf(flags) !== undefined,
  }
}

type SimulationContext = Naming & {
  readonly quoteId?: string | undefined
  /** The node's URL with secrets masked. */
  readonly node?: string | undefined
}

type SimulationView = View<SimulateAnswer>

/** The router's simulation beside the computed numbers: for people on a terminal, as key and value in a pipe. */
export function renderSimulation(
  answer: SimulateAnswer,
  context: SimulationContext,
  style: Style,
): string {
  if (!style.tty) return renderSimulationPlain(answer, context)
  const names = namesOf(context, style)
  const view = { answer, context, names, style }
  const nodes = context.node === undefined ? [] : field(style, 'Node', [names.text(context.node)])
  return titledSections(titleOf(view, context.quoteId), answer, style, [
    [
      ...legLines(view),
      ...limitLines(answer.legs, style),
      ...(answer.at_quote ? [] : paragraph(OTHER_BLOCK, style)),
    ],
    [...transactionLines(view), ...(formOf(style) === 'wide' ? nodes : [])],
  ])
}

function titleOf({ answer, names, style }: SimulationView, id: string | undefined): string {
  const { arrow, dot } = glyphsOf(style)
  const { legs, output } = answer
  const { denom } = legs[0]!.coin
  const amount = `${legs.reduce((sum, { coin }) => sum + BigInt(coin.amount), 0n)}`
  const swap = `${names.payment({ denom, amount })} ${arrow} ${names.symbol(output.denom)}`
  return id === undefined ? `${swap} ${dot} simulated` : `${names.text(id)} ${dot} ${swap}`
}

function legLines({ answer, names, style }: SimulationView): readonly string[] {
  const { denom } = answer.output
  const legs = answer.legs.map((leg, i) => ({
    ...leg,
    name: `L${i + 1}`,
    over: overOf(leg, names),
    denom,
    verdict: verdictOf(leg.within, leg, leg.tolerance_bps, style),
  }))
  const total = legs.length > 1 ? totalOf(answer.legs) : undefined
  const rows = [
    ...legs,
    ...(total ? [{ ...total, name: 'all', over: '', denom, verdict: '' }] : []),
  ]
  return table(rows, style, [
    ['LEG', ({ name }) => name],
    ['OVER', ({ over }) => over, { drop: 2, isWide: true }],
    ...comparisonColumns(names),
  ])
}

const overOf = ({ stages }: SimulatedLeg, names: Names): string => {
  const [first, ...more] = stages.map(({ address }) => names.pair(address))
  return more.length === 0 ? `${first}` : `${first} +${more.length}`
}

/** The sum over legs, if all of them have both numbers. */
function totalOf(legs: readonly SimulatedLeg[]) {
  const sum = (member: 'simulated_output' | 'returned') =>
    legs.reduce((total, { [member]: amount }) => total + BigInt(amount ?? 0), 0n)
  const isKnown = legs.every((leg) => leg.simulated_output !== null && leg.returned !== null)
  const [ours, theirs] = [sum('simulated_output'), sum('returned')]
  if (!isKnown || ours === 0n) return undefined
  const difference = theirs - ours
  return {
    simulated_output: `${ours}`,
    returned: `${theirs}`,
    difference: `${difference}`,
    difference_bps: Number((difference * 1_000_000n) / ours) / 100,
    refused: null,
  }
}

const OTHER_BLOCK = 'The node does not have the block of the quote; both numbers are of this one.'

function transactionLines({ answer, names, style }: SimulationView): readonly string[] {
  const { transaction } = answer
  if (transaction === undefined) return []
  return fields(style, [
    ['Transaction', outcomePieces(transaction, names), ' '],
    ['Balance', balancePieces(transaction, names)],
    ['Min return', leastPieces(transaction, names)],
  ])
}

function outcomePieces(
  { succeeds, gas_used, gas_limit, fee, error, short }: TransactionDocument,
  names: Names,
): readonly (string | false)[] {
  const { style } = names
  if (gas_used === null || gas_limit === null)
    return [style.bad('would fail:'), names.text(error ?? 'the node does not say why')]
  const verdict = succeeds
    ? style.good('would succeed')
    : style.bad(short.length > 0 ? 'cannot be paid for' : 'would fail')
  const { dot } = glyphsOf(style)
  const isCapped = BigInt(gas_limit) * 100n < BigInt(gas_used) * GAS_ADJUSTMENT
  return [
    verdict,
    withoutBreaks(`${dot} gas ${groupThousands(gas_used)}`),
    withoutBreaks(`${dot} limit ${groupThousands(gas_limit)}${isCapped ? '' : ' (x1.4)'}`),
    fee !== null && withoutBreaks(`${dot} fee ${names.coin(fee)}`),
  ]
}

function balancePieces({ balances, short }: TransactionDocument, names: Names): readonly string[] {
  const held = balances.map((coin) => withoutBreaks(names.coin(coin))).join(', ')
  const [lack] = short
  if (lack === undefined) return [held, 'enough']
  const required = withoutBreaks(names.coin({ denom: lack.denom, amount: lack.required }))
  return [held, names.style.bad(`not enough: ${required} are needed`)]
}

function leastPieces(
  { min_return, received, min_return_met }: TransactionDocument,
  names: Names,
): readonly string[] {
  const least = withoutBreaks(names.coin(min_return))
  if (min_return_met === null) return [least, 'not reached']
  if (!min_return_met) return [least, names.style.bad('not met')]
  if (received === null) return [least, 'met']
  const spare = BigInt(received.amount) - BigInt(min_return.amount)
  return [
    least,
    `met with ${withoutBreaks(names.coin({ denom: min_return.denom, amount: `${spare}` }))} to spare`,
  ]
}

function simulationCsv({ legs, output: { denom } }: SimulateAnswer, naming: Naming): string {
  const names = namesOf(naming, plainStyle)
  const units = (amount: string | null) => amount && names.units({ denom, amount })
  return csv(legs, [
    ...tokenColumns<SimulatedLeg>('in', names, ({ coin }) => coin.denom),
    ...amountColumns<SimulatedLeg>('in', names, ({ coin }) => coin),
    ...tokenColumns<SimulatedLeg>('out', names, () => denom),
    ...(['simulated_output', 'returned', 'fee', 'difference'] as const).flatMap(
      (member): readonly CsvColumn<SimulatedLeg>[] => [
        ...memberColumns(member),
        [`${member}_human`, (leg) => units(leg[member])],
      ],
    ),
    ...memberColumns('difference_bps'),
    ...foreignColumns('refused'),
    ...memberColumns('tolerance_bps', 'within'),
  ])
}

/** One field a line under the names of the document; amounts are atomics. Legs count from 1. */
function renderSimulationPlain(answer: SimulateAnswer, context: SimulationContext): string {
  const { excluded: _, legs, transaction, ...members } = withQuoteId(answer, context)
  return pipeLines(
    {
      ...members,
      leg: legs.map(({ coin, stages, ...leg }) => ({
        coin: coinText(coin),
        over: stages.map(({ address }) => address).join(' > '),
        ...leg,
      })),
      transaction: transaction && transactionMembers(transaction),
    },
    { names: namesOf(context, plainStyle), output: answer.output.denom },
  )
}

const transactionMembers = ({ fee, balances, short, ...members }: TransactionDocument) => ({
  ...members,
  fee: fee && coinText(fee),
  balance: balances.map(coinText),
  short,
  min_return: members.min_return.amount,
  received: members.received?.amount ?? null,
})

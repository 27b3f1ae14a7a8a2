import type { SimulateAnswer, SimulatedLeg } from '../../../operations/simulate/simulate.js'
import type { TransactionDocument } from '../../../operations/simulate/simulate-transaction.js'
import { formatUnits, groupThousands } from '../../../render/amount.js'
import {
  field,
  formOf,
  joinSections,
  paragraph,
  titleLines,
  unbroken,
} from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { type Entry, entryLines } from '../../pipe-lines.js'
import { comparisonCells, verdictOf } from '../../quotes/render-comparison.js'

/** Context of the renderer beside the answer. */
export type SimulationContext = Naming & {
  readonly quoteId?: string | undefined
  /** The endpoint, masked. */
  readonly node?: string | undefined
}

type View = { readonly answer: SimulateAnswer; readonly names: Names; readonly style: Style }

/** The router's numbers beside ours: for people on a terminal, as key and value in a pipe. */
export function renderSimulation(
  answer: SimulateAnswer,
  context: SimulationContext,
  style: Style,
): string {
  if (!style.tty) return renderSimulationPlain(answer, context)
  const names = namesOf(context, style)
  const view = { answer, names, style }
  const nodes = context.node === undefined ? [] : field('Node', [names.text(context.node)], style)
  return [
    ...titleLines(titleOf(view, context.quoteId), answer, style),
    joinSections(
      [
        [...legLines(view), ...anewLines(view)],
        [...transactionLines(view), ...(formOf(style) === 'wide' ? nodes : [])],
      ],
      style,
    ),
  ].join('\n')
}

function titleOf({ answer, names, style }: View, id: string | undefined): string {
  const { legs, output } = answer
  const { denom } = legs[0]!.coin
  const amount = `${legs.reduce((sum, { coin }) => sum + BigInt(coin.amount), 0n)}`
  const swap = `${names.coin({ denom, amount })} ${style.ascii ? '->' : '→'} ${names.symbol(output.denom)}`
  const dot = style.ascii ? '-' : '·'
  return id === undefined ? `${swap} ${dot} simulated` : `${names.text(id)} ${dot} ${swap}`
}

const columns = [
  { head: 'LEG' },
  { head: 'OVER', drop: 2 },
  { head: 'OUR MODEL', align: 'right' },
  { head: 'CONTRACT SAYS', align: 'right' },
  { head: 'DIFF', align: 'right' },
  { head: 'VERDICT' },
] as const

function legLines({ answer, names, style }: View): readonly string[] {
  const { denom } = answer.output
  const rows = answer.legs.map((leg, i) => [
    `L${i + 1}`,
    overOf(leg, names),
    ...comparisonCells(leg, denom, names),
    verdictOf(leg.within, leg, leg.tolerance_bps, style),
  ])
  const all = totalOf(answer.legs)
  const total =
    answer.legs.length > 1 && all !== undefined
      ? [['all', '', ...comparisonCells(all, denom, names), '']]
      : []
  const isWide = formOf(style) === 'wide'
  const keep = <T>(row: readonly T[]) => (isWide ? row : row.filter((_, i) => i !== 1))
  return table(keep(columns), [...rows, ...total].map(keep), style)
}

const overOf = ({ stages }: SimulatedLeg, names: Names): string => {
  const [first, ...more] = stages.map(({ address }) => names.pair(address))
  return more.length === 0 ? `${first}` : `${first} +${more.length}`
}

/** The sum over legs that all have both numbers. */
function totalOf(legs: readonly SimulatedLeg[]) {
  const sum = (of: (leg: SimulatedLeg) => string | null): bigint | undefined =>
    legs.reduce<bigint | undefined>((total, leg) => {
      const text = of(leg)
      return total === undefined || text === null ? undefined : total + BigInt(text)
    }, 0n)
  const [ours, theirs] = [sum((leg) => leg.simulated_output), sum((leg) => leg.returned)]
  if (ours === undefined || theirs === undefined || ours === 0n) return undefined
  const difference = theirs - ours
  return {
    simulated_output: `${ours}`,
    returned: `${theirs}`,
    difference: `${difference}`,
    difference_bps: Number((difference * 1_000_000n) / ours) / 100,
    refused: null,
  }
}

function anewLines({ answer, style }: View): readonly string[] {
  return answer.at_quote
    ? []
    : paragraph(
        'The node does not have the block of the quote; both numbers are of this one.',
        style,
      )
}

function transactionLines({ answer, names, style }: View): readonly string[] {
  const { transaction } = answer
  if (transaction === undefined) return []
  return [
    ...field('Transaction', outcomePieces(transaction, names, style), style, ' '),
    ...field('Balance', balancePieces(transaction, names, style), style),
    ...field('Min return', leastPieces(transaction, names, style), style),
  ]
}

function outcomePieces(
  { succeeds, gas_used, gas_limit, fee, error, short }: TransactionDocument,
  names: Names,
  style: Style,
): readonly string[] {
  const count = (digits: string | null) =>
    style.tty ? groupThousands(digits ?? '') : (digits ?? '')
  if (gas_used === null)
    return [style.bad('would fail:'), names.text(error ?? 'the node does not say why')]
  const said = succeeds
    ? style.good('would succeed')
    : style.bad(short.length > 0 ? 'cannot be paid for' : 'would fail')
  const dot = style.ascii ? '-' : '·'
  return [
    said,
    unbroken(`${dot} gas ${count(gas_used)}`),
    unbroken(`${dot} limit ${count(gas_limit)} (x1.4)`),
    ...(fee === null ? [] : [unbroken(`${dot} fee ${names.coin(fee)}`)]),
  ]
}

function balancePieces(
  { balances, short }: TransactionDocument,
  names: Names,
  style: Style,
): readonly string[] {
  const held = balances.map((coin) => unbroken(names.coin(coin))).join(', ')
  const [lack] = short
  if (lack === undefined) return [held, 'enough']
  const required = unbroken(names.coin({ denom: lack.denom, amount: lack.required }))
  return [held, style.bad(`not enough: ${required} are needed`)]
}

function leastPieces(
  { min_return, received, min_return_met }: TransactionDocument,
  names: Names,
  style: Style,
): readonly string[] {
  const least = unbroken(names.coin(min_return))
  if (min_return_met === null) return [least, 'not reached']
  if (!min_return_met) return [least, style.bad('not met')]
  if (received === null) return [least, 'met']
  const spare = BigInt(received.amount) - BigInt(min_return.amount)
  return [
    least,
    `met with ${unbroken(names.coin({ denom: min_return.denom, amount: `${spare}` }))} to spare`,
  ]
}

/** One field a line under the names of the document; amounts are atomics. Legs count from 1. */
function renderSimulationPlain(answer: SimulateAnswer, context: SimulationContext): string {
  const names = namesOf(context, plainStyle)
  const { transaction } = answer
  return entryLines([
    ['network', answer.network],
    ['chain_id', answer.chain_id],
    ['height', answer.height],
    ['time', answer.time],
    ['quote_id', context.quoteId ?? null],
    ['at_quote', answer.at_quote],
    ['output.symbol', names.symbol(answer.output.denom)],
    ['output.denom', names.text(answer.output.denom)],
    ['within', answer.within],
    ...answer.legs.flatMap((leg, i) => legEntries(`leg.${i + 1}`, leg, answer, names)),
    ...(transaction === undefined ? [] : transactionEntries(transaction, names)),
  ])
}

function legEntries(
  key: string,
  leg: SimulatedLeg,
  { output }: SimulateAnswer,
  names: Names,
): readonly Entry[] {
  const human = (amount: string | null) =>
    amount === null ? null : formatUnits(BigInt(amount), names.decimals(output.denom))
  return [
    [`${key}.coin`, `${leg.coin.amount} ${names.text(leg.coin.denom)}`],
    [`${key}.over`, leg.stages.map(({ address }) => names.text(address)).join(' > ')],
    [`${key}.simulated_output`, leg.simulated_output],
    [`${key}.simulated_output_human`, human(leg.simulated_output)],
    [`${key}.returned`, leg.returned],
    [`${key}.returned_human`, human(leg.returned)],
    [`${key}.fee`, leg.fee],
    [`${key}.difference`, leg.difference],
    [`${key}.difference_bps`, leg.difference_bps],
    [`${key}.tolerance_bps`, leg.tolerance_bps],
    [`${key}.within`, leg.within],
    [`${key}.refused`, leg.refused === null ? null : names.text(leg.refused)],
  ]
}

const transactionEntries = (
  { from, balances, min_return, received, error, ...rest }: TransactionDocument,
  names: Names,
): readonly Entry[] => [
  ['transaction.from', names.text(from)],
  ['transaction.succeeds', rest.succeeds],
  ['transaction.gas_used', rest.gas_used],
  ['transaction.gas_limit', rest.gas_limit],
  [
    'transaction.fee',
    rest.fee === null ? null : `${rest.fee.amount} ${names.text(rest.fee.denom)}`,
  ],
  ...balances.map(
    ({ denom, amount }) => ['transaction.balance', `${amount} ${names.text(denom)}`] as const,
  ),
  ['transaction.min_return', min_return.amount],
  ['transaction.min_return_met', rest.min_return_met],
  ['transaction.received', received === null ? null : received.amount],
  ['transaction.error', error === null ? null : names.text(error)],
]

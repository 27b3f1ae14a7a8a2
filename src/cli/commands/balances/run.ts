import { isOwnDemo } from '../../../config/configured.js'
import { counted } from '../../../engine/math/counted.js'
import { formatUnits } from '../../../engine/math/units.js'
import { balances } from '../../../operations/account/balances.js'
import type {
  BalanceDocument,
  BalancesAnswer,
} from '../../../operations/account/balances-documents.js'
import { formatDollarsAndCents, orDash } from '../../../render/amount.js'
import {
  type CsvColumn,
  csv,
  foreignColumns,
  memberColumns,
  tabRows,
  untrustedCell,
} from '../../../render/csv.js'
import { field, paragraph, titledSections } from '../../../render/layout.js'
import { type Naming, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { type Column, type Columns, table } from '../../../render/table.js'
import { addressOrDefault } from '../../accounts/default-signer.js'
import type { Run } from '../../command.js'
import { clashing } from '../../invalid-request.js'
import { namingIn, printAnswer } from '../../print-answer.js'
import { noteUnread, unreadLines } from '../order/render.js'

export const runBalances: Run = async (context, [given], { from }) => {
  const { app, out } = context
  if (given !== undefined && from !== undefined)
    throw clashing('--from', 'the argument', 'both name the account', '/from')
  const address = await addressOrDefault(context, given ?? from, {
    pointer: '/address',
    what: 'the address',
    call: 'swap balances <address or name>',
  })
  const answer = await balances(app, address)
  noteUnread(context, answer.orders_unread)
  if (answer.balances.length === 0 && isOwnDemo(context.config))
    out.note(`it holds nothing; take play money: swap demo faucet ${address}`)
  return printAnswer(context, answer, {
    quiet: () => answer.total_usd ?? '',
    csv: () => balancesCsv(answer),
    human: async () => renderBalances(answer, await namingIn(context), out.style),
  })
}

/** What an account holds: a table for people, tab-separated rows in a pipe. */
export function renderBalances(answer: BalancesAnswer, context: Naming, style: Style): string {
  if (!style.tty)
    return tabRows(answer.balances, [...memberColumns('symbol', 'denom'), ...heldColumns])
  const names = namesOf(context, style)
  const money = (usd: string | null) => orDash(usd, (known) => formatDollarsAndCents(known, style))
  const inOrders = (member: 'resting' | 'claimable'): Column<BalanceDocument> | false =>
    answer.balances.some((each) => each[member] !== '0') && [
      member.toUpperCase(),
      ({ denom, [member]: amount }) => names.amount({ denom, amount }),
      { align: 'right' },
    ]
  const nameOf = ({ denom }: BalanceDocument) =>
    `${names.symbol(denom)}${denom === answer.fee_denom ? ' (fees)' : ''}`
  const columns: Columns<BalanceDocument> = [
    ['TOKEN', nameOf],
    ['AMOUNT', names.amount, { align: 'right' }],
    inOrders('resting'),
    inOrders('claimable'),
    ['VALUE', ({ value_usd }) => money(value_usd), { align: 'right', drop: 1 }],
    ['DENOM', ({ denom }) => names.text(denom), { shrink: 14, drop: 2 }],
  ]
  const lines =
    answer.balances.length === 0
      ? paragraph('This account holds nothing.', style)
      : table(answer.balances, style, columns)
  const unpriced = answer.balances.filter(({ value_usd }) => value_usd === null).length
  const note = unreadLines(answer.orders_unread, style)
  return titledSections(names.short(answer.address, 28), answer, style, [
    lines,
    note,
    field(style, 'Total', [money(answer.total_usd), unpriced > 0 && withoutUnpriced(unpriced)]),
  ])
}

/** What a total leaves out. @example 'without 2 coins that have no price' */
const withoutUnpriced = (count: number): string =>
  `without ${counted(count, 'coin that has', 'coins that have')} no price`

const unitsOf =
  (member: 'amount' | 'resting' | 'claimable') =>
  ({ decimals, ...balance }: BalanceDocument): string | null =>
    decimals === null ? null : formatUnits(BigInt(balance[member]), decimals)

/** Atomics and units of what is held and of what the orders hold; what is not known is empty. */
const heldColumns: readonly CsvColumn<BalanceDocument>[] = [
  ...memberColumns('amount'),
  ['amount_human', unitsOf('amount')],
  ...memberColumns('value_usd', 'resting'),
  ['resting_human', unitsOf('resting')],
  ...memberColumns('claimable'),
  ['claimable_human', unitsOf('claimable')],
]

const balancesCsv = ({ network, height, address, balances: held }: BalancesAnswer): string =>
  csv(held, [
    ['network', () => untrustedCell(network)],
    ['height', () => height],
    ['address', () => address],
    ...foreignColumns('denom', 'symbol'),
    ...heldColumns,
  ])

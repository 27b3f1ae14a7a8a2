import BigNumber from 'bignumber.js'
import { EVIDENCE_WORDS } from '../../../execution/failures.js'
import type { Report, TxDocument } from '../../../execution/lifecycle/report.js'
import type { CoinDocument } from '../../../operations/route-document.js'
import { formatPrice, formatSignedBps, groupThousands } from '../../../render/amount.js'
import { field, formOf, joinSections, titleLines } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { glyphsOf, linked, plainStyle, type Style } from '../../../render/style.js'
import { pipeLines } from '../../pipe-lines.js'

/** What the report needs beside its document. */
export type ReportContext = Naming & {
  /** The page of a transaction without its hash, where the network has one. */
  readonly explorer?: string | undefined
}

/** The result of an execution: text on a terminal, key and value in a pipe. */
export function renderReport(report: Report, context: ReportContext, style: Style): string {
  if (!style.tty) return renderReportPlain(report, context)
  const names = namesOf(context, style)
  const height = report.txs.findLast((tx) => tx.height !== null)?.height ?? 0
  return [
    ...titleLines(titleOf(report, names, style), { network: report.network, height }, style),
    joinSections([outcomeLines(report, names, style), txLines(report, context, style)], style),
  ].join('\n')
}

const WORDS: Readonly<Record<Report['status'], string>> = {
  confirmed: 'confirmed',
  accepted: 'accepted, not waited for',
  refused: 'refused by the nodes',
  failed: 'failed on the chain',
  expired: 'never included',
  replaced: 'replaced by another transaction',
  abandoned: 'never sent',
  unknown: 'not known yet',
  partial: 'executed in part',
  signed: 'signed, not sent',
  dry_run: 'not signed: a dry run',
}

function titleOf(report: Report, names: Names, style: Style): string {
  const { dot, arrow } = glyphsOf(style)
  const sold = names.coin(report.amount_in)
  const bought =
    report.amount_out === null
      ? names.symbol(report.min_return.denom)
      : names.coin(report.amount_out)
  const again = report.replayed ? ` ${dot} as before` : ''
  return `${sold} ${arrow} ${bought} ${dot} ${WORDS[report.status]}${again}`
}

function outcomeLines(report: Report, names: Names, style: Style): readonly string[] {
  const { amount_out: out, min_return: least, vs_quote_bps: bps, vs_quote: by } = report
  if (out === null) return []
  const spare = { ...least, amount: `${BigInt(out.amount) - leastOf(report)}` }
  const fees = report.txs.flatMap(({ fee }) => fee)
  return [
    ...field('Received', [names.coin(out), `${names.coin(spare)} above the minimum`], style),
    // Bytes that were signed elsewhere say what they demand, and nothing of a quote.
    ...(report.mode === 'bytes' || report.quoted === null
      ? []
      : field(
          'Against',
          [
            `the quote of ${names.coin(report.quoted)}:`,
            by === null
              ? 'not all executed'
              : `${names.signedCoin({ ...out, amount: by })}, ${formatSignedBps(bps)}`,
          ],
          style,
          ' ',
        )),
    ...priceLines(report, names, style),
    ...field('Spent', [coins(report.spent, names), `fee ${coins(fees, names)}`], style),
    ...(report.returned.length === 0
      ? []
      : field('Returned', [coins(report.returned, names)], style)),
    ...field('Checked', [checkedOf(report)], style),
    ...(report.left_behind.length === 0
      ? []
      : field(
          'Left behind',
          [
            style.bad(coins(report.left_behind, names)),
            'in the router, where any later swap can take it',
          ],
          style,
        )),
    ...routerLines(report, names, style),
  ]
}

/** The change of the router's balances beside the events, which may come from other swaps. */
function routerLines(
  { verified, router_grew: grew, left_behind: left }: Report,
  names: Names,
  style: Style,
): readonly string[] {
  if (verified?.router !== false && (grew ?? []).length <= left.length) return []
  return field(
    'Router',
    [`holds ${coins(grew ?? [], names)} more than before the block, by its balances`],
    style,
  )
}

/** What was demanded of the legs that were executed. */
const leastOf = ({ legs, min_return: all, status }: Report): bigint =>
  status !== 'partial'
    ? BigInt(all.amount)
    : legs.reduce((sum, leg) => sum + (leg.received === null ? 0n : BigInt(leg.min_return)), 0n)

/** The price that was paid: output per unit spent; none for a loop. */
function priceLines({ amount_out: out, amount_in, spent }: Report, names: Names, style: Style) {
  const paid = spent.find(({ denom }) => denom === amount_in.denom)
  if (out === null || paid === undefined || paid.denom === out.denom) return []
  const price = new BigNumber(names.units(out)).div(names.units(paid))
  const shown = formatPrice(price.toFixed(), { group: style.tty })
  const per = `${names.symbol(out.denom)} per ${names.symbol(paid.denom)}`
  return price.isFinite() ? field('Price', [`${shown} ${per}`], style) : []
}

const coins = (list: readonly CoinDocument[], names: Names): string =>
  list.map((coin) => names.coin(coin)).join(', ') || 'nothing'

function checkedOf({ verified, evidence, left_behind }: Report): string {
  if (verified === null) return 'nothing'
  const events = verified.events ? 'events add up' : 'events do NOT add up'
  const balances =
    verified.balances === null
      ? 'balances could not be read'
      : verified.balances
        ? 'the balances changed by the same'
        : 'the balances changed by something else too'
  const rest = left_behind.length === 0 ? '; nothing stayed in the router' : ''
  const by = evidence === null ? '' : `${EVIDENCE_WORDS[evidence]}; `
  return `${by}${events}; ${balances}${rest}`
}

const txLines = ({ txs }: Report, { explorer }: ReportContext, style: Style): readonly string[] =>
  txs.flatMap(({ hash, ...tx }, i) => {
    const page = explorer && `${explorer}${hash}`
    return field(i === 0 ? 'Tx' : '', [linked(hash, page, style), ...factsOf(tx, style)], style)
  })

function factsOf(tx: Omit<TxDocument, 'hash'>, style: Style): readonly string[] {
  const count = (n: number | string) => (style.tty ? groupThousands(`${n}`) : `${n}`)
  const wide = formOf(style) !== 'stacked'
  return [
    tx.height === null
      ? `${tx.state}, valid until block ${count(tx.timeout_height)}`
      : `block ${count(tx.height)}`,
    ...(tx.code === null || tx.code === 0
      ? []
      : [style.bad(`code ${tx.code} ${tx.codespace ?? ''}`)]),
    ...(tx.gas_used === null || !wide
      ? []
      : [`gas ${count(tx.gas_used)} of ${count(tx.gas_limit ?? '')}`]),
  ]
}

/** One field a line under the names of the document; amounts are atomics, and counts from 1. */
function renderReportPlain(report: Report, context: ReportContext): string {
  const { legs: _, txs, verified, router_grew, spent, returned, left_behind, ...members } = report
  return pipeLines(
    {
      ...members,
      amount_out: members.amount_out ?? { denom: null, amount: null },
      spent: spent.map(coinText),
      returned: returned.map(coinText),
      left_behind: left_behind.map(coinText),
      router_grew: router_grew?.map(coinText) ?? [],
      verified: verified ?? { events: null, balances: null, router: null },
      tx: txs.map(({ fee, ...tx }) => ({ ...tx, fee: fee.map(coinText) })),
    },
    { names: namesOf(context, plainStyle) },
  )
}

const coinText = ({ amount, denom }: CoinDocument): string => `${amount} ${denom}`

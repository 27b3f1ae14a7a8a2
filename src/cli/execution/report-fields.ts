import { groupThousands } from '../../engine/math/counted.js'
import { EVIDENCE_WORDS } from '../../execution/failures.js'
import type { ReportHead, TxDocument } from '../../execution/lifecycle/report-schema.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import { amountColumns, type CsvColumn, tokenColumns } from '../../render/csv.js'
import { field, formOf, titleLines } from '../../render/layout.js'
import type { Names, Naming } from '../../render/names.js'
import { glyphsOf, hyperlink, type Style } from '../../render/style.js'
import { coinText } from '../print-answer.js'

export type ReportContext = Naming & {
  /** Prefix of a transaction's explorer page, if the network has one. */
  readonly explorer?: string | undefined
}

const STATUS_WORDS: Readonly<Record<ReportHead['status'], string>> = {
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

/** The executed trade and its status, with the block of the last transaction that is in one. */
export function reportTitle(what: string, report: ReportHead, style: Style): readonly string[] {
  const { network, txs, status, replayed } = report
  const { dot } = glyphsOf(style)
  const height = txs.findLast((tx) => tx.height !== null)?.height ?? undefined
  const again = replayed ? ` ${dot} as before` : ''
  return titleLines(`${what} ${dot} ${STATUS_WORDS[status]}${again}`, { network, height }, style)
}

/** The last members of every report in a pipe. */
export const evidenceMembers = ({ txs, verified }: Pick<ReportHead, 'txs' | 'verified'>) => ({
  verified: verified ?? { events: null, balances: null, router: null },
  tx: txs.map(({ fee, ...tx }) => ({ ...tx, fee: fee.map(coinText) })),
})

/** Coins in words; `nothing` if there are none. */
export const coins = (list: readonly CoinDocument[], names: Names, text = names.coin): string =>
  list.map((coin) => text(coin)).join(', ') || 'nothing'

/** Coins that were paid, rounded up. */
export const payments = (list: readonly CoinDocument[], names: Names): string =>
  coins(list, names, names.payment)

/** Each transaction, with its explorer page if the network has one. */
export const txLines = (
  { txs }: ReportHead,
  { explorer }: ReportContext,
  style: Style,
): readonly string[] =>
  txs.flatMap(({ hash, ...tx }, i) => {
    const page = explorer && `${explorer}${hash}`
    return field(style, i === 0 ? 'Tx' : '', [hyperlink(hash, page, style), ...factsOf(tx, style)])
  })

function factsOf(tx: Omit<TxDocument, 'hash'>, style: Style): readonly (string | false)[] {
  const count = (n: number | string) => groupThousands(`${n}`)
  const { height, code, gas_used } = tx
  return [
    height === null
      ? `${tx.state}, valid until block ${count(tx.timeout_height)}`
      : `block ${count(height)}`,
    code !== null && code !== 0 && style.bad(`code ${code} ${tx.codespace ?? ''}`),
    gas_used !== null &&
      formOf(style) !== 'stacked' &&
      `gas ${count(gas_used)} of ${count(tx.gas_limit ?? '')}`,
  ]
}

/** What the coin movements were compared with. */
export function checkedText(
  { events, balances }: NonNullable<ReportHead['verified']>,
  evidence: ReportHead['evidence'],
): string {
  const by = evidence === null ? '' : `${EVIDENCE_WORDS[evidence]}; `
  return `${by}${events ? 'events add up' : 'events do NOT add up'}; ${balancesText(balances)}`
}

function balancesText(agree: boolean | null): string {
  if (agree === null) return 'balances could not be read'
  return agree ? 'the balances changed by the same' : 'the balances changed by something else too'
}

/** What a leg sells, and in atomics what it was to pay and paid. */
export type LegRow = {
  readonly input: CoinDocument | null
  readonly output: string
} & { readonly [Name in (typeof PAID)[number]]: string | null }

const PAID = ['quoted', 'min_return', 'received'] as const

export const legColumns = (names: Names): readonly CsvColumn<LegRow>[] => [
  ...tokenColumns<LegRow>('in', names, ({ input }) => input?.denom ?? ''),
  ...amountColumns<LegRow>('in', names, ({ input }) => input),
  ...tokenColumns<LegRow>('out', names, ({ output }) => output),
  ...PAID.flatMap((name) =>
    amountColumns<LegRow>(name, names, ({ output: denom, [name]: amount }) =>
      amount === null ? null : { denom, amount },
    ),
  ),
]

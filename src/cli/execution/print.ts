import { SwapError } from '../../engine/errors.js'
import type { ExecutionResult, Report } from '../../execution/lifecycle/result.js'
import { requestedMinimum } from '../../execution/plan/tolerance.js'
import { formatCoin } from '../../operations/amount.js'
import type { Context, FlagValues } from '../command.js'
import { OutputFailed } from '../exit.js'
import { namingIn, printAnswer } from '../print-answer.js'
import {
  orderReportCsv,
  renderOrderReport,
  renderSwapReport,
  swapReportCsv,
} from './render-report.js'
import { isEvents, type Tracking } from './session.js'
import { termsOf } from './terms.js'

/**
 * Prints the result of an execution. In text form a failure is thrown after the report; scripts get a single
 * document.
 *
 * @throws SwapError OUTCOME_UNKNOWN if the report of an execution could not be written
 */
export async function printResult(
  { context, flags }: Pick<Tracking, 'context' | 'flags'>,
  { report, error: own, unwritten }: ExecutionResult,
): Promise<void> {
  const { form, out } = context
  const error = own ?? (await belowAsked(context, flags, report))
  if (unwritten !== undefined)
    out.note(`${unwritten.message}, so the journal does not hold all of this: swap tx resume later`)
  if (report.replayed) out.note(`${report.id} did this before; nothing was sent now`)
  const isWords = form.kind !== 'json' && form.quiet === 0
  const hasReport = isWords && report.txs.length > 0 && error?.code !== 'OUTCOME_UNKNOWN'
  const print = async (): Promise<void> => {
    if (error !== undefined) return hasReport ? printReport(context, report) : undefined
    if (isEvents(context, flags)) return printDocument(context, flags, report)
    return printReport(context, report)
  }
  await print().catch((failure: unknown) => {
    if (!(failure instanceof OutputFailed)) throw failure
    throw error ?? unprintedReport(report, failure)
  })
  if (error !== undefined) throw error
  if (out.closed.aborted)
    throw unprintedReport(report, new OutputFailed('the reader closed the pipe'))
}

/** Prints a document as JSON; with `--ndjson` it is the last line, after those of the steps. */
export const printDocument = (context: Context, flags: FlagValues, document: object) =>
  context.out.result(
    JSON.stringify(isEvents(context, flags) ? { type: 'end', ...document } : document),
  )

/** The error of a repeated result that paid less than the call asks for now; it was executed with other minimums. */
async function belowAsked(
  context: Context,
  flags: FlagValues,
  report: Report,
): Promise<SwapError | undefined> {
  const hasMinimum = flags['minOut'] !== undefined || flags['minProfit'] !== undefined
  if (!hasMinimum || !report.replayed) return undefined
  if (!('legs' in report) || report.amount_out === null) return undefined
  const { amount_in: sold, amount_out: paid } = report
  const funds = { denom: sold.denom, amount: BigInt(sold.amount) }
  const terms = await termsOf(context, flags, { funds, output: paid.denom })
  const asked = requestedMinimum({ legs: [{ funds }] }, terms)
  if (BigInt(paid.amount) >= asked) return undefined
  const { market } = await context.app.openMarket()
  const text = (amount: bigint) => formatCoin(market, paid.denom, amount)
  const tx_hash = report.txs.at(-1)?.hash ?? null
  const message = `${report.id} was executed before, and paid less than the new minimum`
  return new SwapError('BELOW_MINIMUM', message, {
    why: `it paid ${text(BigInt(paid.amount))}, and the minimum is ${text(asked)} now`,
    hint: 'nothing was sent now; to swap again use another key: --once <key>',
    members: {
      id: report.id,
      state: report.status,
      tx_hash,
      funds: 'moved',
      min_return: `${asked}`,
      received: paid.amount,
      amount_out: { ...paid },
    },
  })
}

/** The error of a report that could not be written; its exit status keeps scripts from trading twice. */
function unprintedReport({ id, status, txs }: Report, failure: OutputFailed): SwapError {
  const tx = txs.at(-1)
  if (tx === undefined) return failure
  const { hash, timeout_height } = tx
  const what = status === 'confirmed' ? 'executed' : `signed (${status})`
  const message = `the transaction was ${what}, and its report could not be written`
  return new SwapError('OUTCOME_UNKNOWN', message, {
    why: failure.why!,
    hint: `do NOT run it again; see what it did: swap tx show ${hash}`,
    members: { id, state: status, tx_hash: hash, timeout_height },
  })
}

/** Prints a report; `-q` prints the hash of its last transaction. */
export async function printReport(context: Context, report: Report): Promise<void> {
  const { app } = context
  return printAnswer(context, report, {
    quiet: () => report.txs.at(-1)?.hash ?? report.id ?? '',
    async csv() {
      if (!('legs' in report)) return orderReportCsv(report)
      return swapReportCsv(report, (await app.openMarket()).market.tokens)
    },
    human: () => reportText(context, report),
  })
}

/** The report as text on a terminal, as keys and values in a pipe. */
export async function reportText(context: Context, report: Report): Promise<string> {
  const { out, config } = context
  const names = { ...(await namingIn(context)), explorer: config.network.explorer }
  return 'legs' in report
    ? renderSwapReport(report, names, out.style)
    : renderOrderReport(report, names, out.style)
}

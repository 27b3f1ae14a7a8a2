import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { groupThousands } from '../../../engine/math/counted.js'
import { EVIDENCE_WORDS } from '../../../execution/failures.js'
import { hashMatcher, type Intent, isFinal } from '../../../execution/journal/intent.js'
import type { TxStatus } from '../../../execution/lifecycle/report-schema.js'
import {
  nothingSigned,
  type PolledIntent,
  refreshIfFree,
} from '../../../execution/lifecycle/settle.js'
import type { Chain } from '../../../execution/ports.js'
import { isTxHash, plainHash } from '../../../operations/tx-hash.js'
import { printable } from '../../../platform/printable.js'
import { fields, titleLines } from '../../../render/layout.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import type { Context, Run } from '../../command.js'
import type { ExecutionParts } from '../../execution/dependencies.js'
import { sessionOf, type Tracking, whileTracking } from '../../execution/session.js'
import { pipeLines, printAnswer } from '../../print-answer.js'
import { renderIntent } from '../journal/render.js'
import { intentDocument, namingOf } from '../journal/run.js'

/** The status of a transaction, with the journal's entry if it was signed here. */
type TxView = { readonly status: TxStatus; readonly intent?: Intent }

/** Looks a transaction up once. An open one of the journal is polled, and settled if final. */
export const runShow: Run = async (context, [word = ''], flags) => {
  await printTx(context, await whileTracking(context, flags, (call) => lookUp(call, word)))
}

async function lookUp(call: Tracking, word: string): Promise<TxView> {
  const { parts } = call
  const known = parts.journal.find(word)
  if (known === undefined) {
    const hash = hashOf(word)
    const status = await statusOnChain(await parts.chain(), hash)
    if (status === undefined) throw unknownHash(hash)
    return { status }
  }
  const { intent, why } = await pollIntent(call, known)
  return { status: statusInJournal(intent, word, why), intent }
}

/** An entry with the transaction's current status, and why it is still open. */
async function pollIntent(call: Tracking, intent: Intent): Promise<PolledIntent> {
  const { context } = call
  if (intent.chain_id !== context.config.network.chainId) return { intent, why: undefined }
  try {
    return await refreshIfFree(await sessionOf(call), intent)
  } catch (error) {
    // The journal is readable without its network.
    if (!(error instanceof SwapError)) throw error
    context.out.note(`no node was queried about it: ${error.message}`)
    return { intent, why: error.message }
  }
}

/** Prints the status of a transaction, and the journal's entry. */
export function printTx(context: Context, { status, intent }: TxView): Promise<void> {
  const { style } = context.out
  return printAnswer(
    context,
    { ...status, ...(intent && intentDocument(intent)) },
    {
      quiet: () => status.state,
      human() {
        if (!style.tty) return pipeLines(status)
        if (intent === undefined) return renderStatus(status, style)
        return renderIntent(intent, namingOf(context), style)
      },
    },
  )
}

/** A transaction that was not signed here, for people. */
export function renderStatus(status: TxStatus, style: Style): string {
  const { tx_hash, network, state, height, code, log, gas_used, evidence, why } = status
  const { dot } = glyphsOf(style)
  const group = (digits: string | number) => groupThousands(`${digits}`)
  return [
    ...titleLines(`transaction ${dot} ${state}`, { network }, style),
    ...fields(style, [
      ['Tx', [tx_hash]],
      height !== null && ['Block', [group(height)]],
      gas_used !== null && ['Gas', [group(gas_used)]],
      Boolean(code) && ['Failed', [`code ${code}`, printable(log ?? '')]],
      evidence !== null && ['Checked', [EVIDENCE_WORDS[evidence]]],
      why !== null && ['Why', [printable(why)]],
    ]),
  ].join('\n')
}

function statusInJournal(intent: Intent, word: string, why: string | undefined) {
  const isNamed = hashMatcher(word)
  const found = intent.txs.find(({ hash }) => isNamed?.(hash)) ?? intent.txs.at(-1)
  if (found === undefined) throw nothingSigned(intent)
  const { state, ...tx } = found
  const isIn = state === 'included'
  return statusOf({
    tx_hash: tx.hash,
    network: intent.network,
    id: intent.id,
    state: isFinal({ state }) ? state : 'open',
    height: tx.height,
    code: tx.code,
    codespace: tx.codespace,
    log: isIn ? tx.log : null,
    gas_used: tx.fill?.gas_used ?? null,
    timeout_height: tx.timeout_height,
    evidence: tx.evidence ?? null,
    why: why ?? (isIn ? null : tx.log),
  })
}

/** The status of a transaction that was not signed here; `undefined` if no node knows it. */
export async function statusOnChain(chain: Chain, hash: string) {
  const found = await chain.find(hash)
  if (found === undefined) return undefined
  const seen = await chain.inspect(hash, found.height)
  const common = { tx_hash: hash, network: chain.network }
  if (seen.kind !== 'included') return statusOf({ ...common, state: 'open', why: seen.why })
  const { height, code, codespace, log, gasUsed } = seen.included
  return statusOf({
    ...common,
    state: 'included',
    height,
    code,
    codespace,
    log,
    gas_used: `${gasUsed}`,
    evidence: seen.evidence,
  })
}

/** Unknown members are null. */
const statusOf = (
  known: Pick<TxStatus, 'tx_hash' | 'network' | 'state'> & Partial<TxStatus>,
): TxStatus => ({
  id: null,
  height: null,
  code: null,
  codespace: null,
  log: null,
  gas_used: null,
  timeout_height: null,
  evidence: null,
  why: null,
  ...known,
})

/**
 * Validates the hash of a transaction that the journal does not have.
 *
 * @throws SwapError TX_NOT_FOUND for an id of the journal, INVALID_REQUEST
 */
export function hashOf(word: string): string {
  if (isTxHash(word)) return plainHash(word)
  if (/^x_[0-9a-f]{8}$/.test(word)) throw notInJournal(word)
  throw invalidRequest(`"${word.slice(0, 80)}" is not the hash of a transaction`, '', {
    why: 'a hash has 64 hexadecimal digits, an id x_ and eight; a shortened hash must be of one transaction sent from here',
    hint: 'list what was sent from here: swap journal',
  })
}

/** TX_NOT_FOUND for an unknown id of the journal. */
export const notInJournal = (word: string): SwapError => {
  const tx_hash = word.slice(0, 80)
  return new SwapError('TX_NOT_FOUND', `the journal does not know ${tx_hash}`, {
    why: 'it was not signed on this machine',
    hint: 'list what it knows: swap journal',
    members: { tx_hash },
  })
}

/**
 * The intent of an id or a hash; `undefined` if the journal does not know it. Nodes of another network would show a
 * transaction as expired that may still be executed on its own.
 *
 * @throws SwapError TX_NOT_FOUND if it is of another network than the selected one
 */
export function intentOnNetwork(
  { config: { network } }: Pick<Context, 'config'>,
  { journal }: Pick<ExecutionParts, 'journal'>,
  word: string,
): Intent | undefined {
  const intent = journal.find(word)
  if (intent === undefined || intent.chain_id === network.chainId) return intent
  const tx_hash = word.slice(0, 80)
  throw new SwapError('TX_NOT_FOUND', `${tx_hash} is of another network`, {
    why: `it is of ${intent.network}, and this is ${network.name}`,
    hint: `say -n ${intent.network}`,
    members: { tx_hash },
  })
}

/** TX_NOT_FOUND for a hash that no node knows. */
export const unknownHash = (hash: string): SwapError =>
  new SwapError('TX_NOT_FOUND', 'no node knows this transaction', {
    why: `${hash} is in no index; that alone does not say that it cannot come`,
    hint: 'ask again in a moment, or another node: --rpc',
    members: { tx_hash: hash },
  })

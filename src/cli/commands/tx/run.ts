import { SwapError } from '../../../engine/errors.js'
import { resume } from '../../../execution/execute.js'
import { type Intent, isFinal } from '../../../execution/journal/intent.js'
import { refreshIfFree } from '../../../execution/lifecycle/settle.js'
import type { Session } from '../../../execution/session.js'
import { stringify } from '../../../operations/json.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { Interrupted } from '../../exit.js'
import type { ExecutionParts } from '../execute/dependencies.js'
import { printResult } from '../execute/print.js'
import { interruptible, sessionOf } from '../execute/session.js'
import { broadcastBytes } from './broadcast.js'
import { signFile } from './sign-file.js'

type Verb = (
  context: Context,
  parts: ExecutionParts,
  word: string,
  call: { readonly flags: FlagValues; readonly interrupt: AbortSignal },
) => Promise<void>

const verbs = { sign: signFile, broadcast: broadcastBytes, wait: waitFor, status: printStatus }

/** Single transactions: signed apart, sent, looked up, waited for. */
export const runTx =
  (verb: keyof typeof verbs): Run =>
  (context, [word = ''], flags) =>
    interruptible(
      context,
      async (interrupt) =>
        verbs[verb](context, await context.execution(), word, { flags, interrupt }),
      () => verb === 'broadcast' || verb === 'wait',
    )

/** Waits until the outcome of a transaction is certain. One not signed here is only looked up. */
async function waitFor(
  context: Context,
  parts: ExecutionParts,
  word: string,
  { flags, interrupt }: Parameters<Verb>[3],
): Promise<void> {
  const session = await sessionOf(context, parts, flags, { interrupt, confirm: neverConfirms })
  const intent = parts.journal.find(word)
  if (intent !== undefined) return printResult(context, await resume(session, intent), flags)
  const hash = hashOf(word)
  for (let tries = 0; tries < 60 && !interrupt.aborted; tries += 1) {
    const found = await session.chain.find(hash)
    if (found !== undefined) return printStatus(context, parts, hash, { flags, interrupt })
    await session.clock.sleep(session.pollIntervalMs, interrupt)
  }
  if (interrupt.aborted) throw new Interrupted()
  throw unknownHash(hash)
}

/** The status of a transaction. One of the journal is polled and settled, where it is still open. */
async function printStatus(
  context: Context,
  parts: ExecutionParts,
  word: string,
  { flags, interrupt }: Parameters<Verb>[3],
): Promise<void> {
  const session = await sessionOf(context, parts, flags, { interrupt, confirm: neverConfirms })
  const known = parts.journal.find(word)
  const status =
    known === undefined
      ? await statusOnChain(session, hashOf(word))
      : await statusInJournal(session, known, word)
  const { out, form } = context
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(status.state)
  if (form.kind === 'json') return out.result(stringify(status))
  return out.result(
    Object.entries(status)
      .map(([key, value]) => `${key}\t${value ?? ''}`)
      .join('\n'),
  )
}

async function statusInJournal(session: Session, known: Intent, word: string) {
  const { intent, why } = await refreshIfFree(session, known)
  const { state, ...tx } =
    intent.txs.find(({ hash }) => hash === word.toUpperCase()) ?? intent.txs.at(-1)!
  const isIn = state === 'included'
  return {
    tx_hash: tx.hash,
    network: session.chain.network,
    id: intent.id,
    state: isFinal({ state }) ? state : 'open',
    ...{ height: tx.height, code: tx.code, codespace: tx.codespace, log: isIn ? tx.log : null },
    gas_used: tx.fill?.gas_used ?? null,
    timeout_height: tx.timeout_height,
    evidence: tx.evidence ?? null,
    why: why ?? (isIn ? null : tx.log),
  }
}

/** The status of a transaction that was not signed here. @throws SwapError TX_NOT_FOUND */
async function statusOnChain({ chain }: Session, hash: string) {
  const found = await chain.find(hash)
  if (found === undefined) throw unknownHash(hash)
  const seen = await chain.inspect(hash, found.height)
  const common = { tx_hash: hash, network: chain.network, id: null }
  if (seen.kind !== 'included')
    return {
      ...{ ...common, state: 'open', height: null, code: null, codespace: null, log: null },
      ...{ gas_used: null, timeout_height: null, evidence: null, why: seen.why },
    }
  const { height, code, codespace, log, gasUsed } = seen.included
  return {
    ...{ ...common, state: 'included', height, code, codespace, log, gas_used: `${gasUsed}` },
    ...{ timeout_height: null, evidence: seen.evidence, why: null },
  }
}

function hashOf(word: string): string {
  if (/^[0-9a-f]{64}$/i.test(word)) return word.toUpperCase()
  throw new SwapError('INVALID_REQUEST', `"${word.slice(0, 80)}" is no hash of a transaction`, {
    why: 'it is 64 hex digits, or an id of the journal: x_ and 8 hex digits',
    hint: 'list what was sent from here: swap journal',
    members: { errors: [{ pointer: '', detail: 'not a hash' }] },
  })
}

const unknownHash = (hash: string): SwapError =>
  new SwapError('TX_NOT_FOUND', 'no node knows this transaction', {
    why: `${hash} is in no index; that alone does not say that it cannot come`,
    hint: 'ask again in a moment, or another node: --rpc',
    members: { tx_hash: hash },
  })

const neverConfirms = (): never => {
  throw new Error('looking signs nothing')
}

import { SwapError } from '../../../engine/errors.js'
import { resume } from '../../../execution/execute.js'
import { isFinal } from '../../../execution/journal/intent.js'
import { look, tried } from '../../../execution/lifecycle/look.js'
import type { Session } from '../../../execution/session.js'
import { stringify } from '../../../operations/json.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { Interrupted } from '../../exit.js'
import type { ExecutionParts } from '../execute/dependencies.js'
import { tellConclusion } from '../execute/print.js'
import { interruptible, sessionOf } from '../execute/session.js'
import { broadcastBytes } from './broadcast.js'
import { signFile } from './sign-file.js'

type Verb = (
  context: Context,
  parts: ExecutionParts,
  word: string,
  call: { readonly flags: FlagValues; readonly interrupt: AbortSignal },
) => Promise<void>

const verbs = { sign: signFile, broadcast: broadcastBytes, wait: waitFor, status: tellStatus }

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

/** Waits until the fate of a transaction is certain. One that was not signed here is only looked for. */
async function waitFor(
  context: Context,
  parts: ExecutionParts,
  word: string,
  { flags, interrupt }: Parameters<Verb>[3],
): Promise<void> {
  const session = await sessionOf(context, parts, flags, { interrupt, confirm: neverAsked })
  const intent = parts.journal.find(word)
  if (intent !== undefined) return tellConclusion(context, await resume(session, intent), flags)
  const hash = hashOf(word)
  for (let tries = 0; tries < 60 && !interrupt.aborted; tries += 1) {
    const found = await session.chain.find(hash)
    if (found !== undefined) return tellStatus(context, parts, hash, { flags, interrupt })
    await session.clock.sleep(session.everyMs, interrupt)
  }
  if (interrupt.aborted) throw new Interrupted()
  throw unknownHash(hash)
}

/** One look at a transaction; what the journal knows of it beside what the chain says. */
async function tellStatus(
  context: Context,
  parts: ExecutionParts,
  word: string,
  { flags, interrupt }: Parameters<Verb>[3],
): Promise<void> {
  const session = await sessionOf(context, parts, flags, { interrupt, confirm: neverAsked })
  const intent = parts.journal.find(word)
  const tx = intent?.txs.findLast(({ hash }) => hash === word.toUpperCase()) ?? intent?.txs.at(-1)
  const hash = tx?.hash ?? hashOf(word)
  const status = await statusOf(
    session,
    hash,
    tx === undefined || intent === undefined ? undefined : { tx, address: intent.address },
  )
  const { out, form } = context
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(status.state)
  const document = {
    tx_hash: hash,
    network: session.chain.network,
    id: intent?.id ?? null,
    ...status,
  }
  if (form.kind === 'json') return out.result(stringify(document))
  return out.result(
    Object.entries(document)
      .map(([key, value]) => `${key}\t${value ?? ''}`)
      .join('\n'),
  )
}

type Known = { readonly tx: Parameters<typeof look>[1]; readonly address: string }

/** What has ended is told from the journal: nodes forget. What it used is asked of them all the same. */
async function endedOf({ chain }: Session, { tx }: Known) {
  const { state, height, code, codespace, log, timeout_height, hash } = tx
  const found = state === 'included' ? await tried(() => chain.find(hash)) : undefined
  const isIn = state === 'included'
  return {
    ...{ state, height, code, codespace, log: isIn ? log : null },
    gas_used: found === undefined ? null : `${found.gasUsed}`,
    timeout_height,
    why: isIn ? null : log,
  }
}

async function statusOf(session: Session, hash: string, known: Known | undefined) {
  if (known !== undefined && isFinal(known.tx)) return endedOf(session, known)
  const { chain } = session
  const found = known === undefined ? await chain.find(hash) : undefined
  const fate =
    found !== undefined
      ? { kind: 'included' as const, included: found }
      : known && (await look(chain, known.tx, known.address))
  if (fate === undefined) throw unknownHash(hash)
  const timeout = known?.tx.timeout_height ?? null
  if (fate.kind === 'included') {
    const { height, code, codespace, log, gasUsed } = fate.included
    return {
      state: 'included',
      height,
      code,
      codespace,
      log,
      gas_used: `${gasUsed}`,
      timeout_height: timeout,
      why: null,
    }
  }
  const none = { code: null, codespace: null, log: null, gas_used: null, timeout_height: timeout }
  if (fate.kind === 'open') return { state: 'open', height: null, ...none, why: fate.why }
  return {
    state: fate.kind,
    height: null,
    ...none,
    why:
      fate.kind === 'replaced'
        ? `${fate.hash} took its place`
        : `its timeout height has passed, and ${fate.why}`,
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

const neverAsked = (): never => {
  throw new Error('looking signs nothing')
}

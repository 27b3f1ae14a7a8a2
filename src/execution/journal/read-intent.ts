import type { Static } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { txHashOf } from '../../chain/tx/unsigned-tx.js'
import { SwapError } from '../../engine/errors.js'
import { fromBase64, toBase64 } from '../../platform/encoding.js'
import type { Intent, UnreadEntry } from './intent.js'
import { EARLIER, StoredIntent, type StoredTx } from './intent-schema.js'

/**
 * Reads an intent file. An unreadable one, or one whose signed bytes are not those of the recorded hash,
 * is an error: its transaction may still be executed.
 *
 * @throws SwapError OUTCOME_UNKNOWN that names the file
 */
export function readIntent(text: string | undefined, file: string): Intent {
  const value = text === undefined ? undefined : parsed(text)
  if (Check(StoredIntent, value) && value.txs.every(hasOwnBytes)) return current(value)
  throw new SwapError('OUTCOME_UNKNOWN', `an entry of the journal cannot be read: ${file}`, {
    why: value === undefined ? 'it is not JSON, or not to be opened' : faultOf(value),
    hint: 'look at it, and at the account on the chain; move the file away once you know what happened',
    members: { tx_hash: null, timeout_height: null, path: file },
  })
}

/** Whether the bytes, which may be sent again, are those whose hash was recorded. */
function hasOwnBytes({ bytes, hash }: Static<typeof StoredTx>): boolean {
  const decoded = fromBase64(bytes)
  return toBase64(decoded) === bytes && txHashOf(decoded) === hash
}

function faultOf(value: unknown): string {
  if (Check(StoredIntent, value)) {
    const at = value.txs.findIndex((tx) => !hasOwnBytes(tx))
    return `the bytes of /txs/${at} are not the transaction ${value.txs[at]?.hash}`
  }
  const [first] = Errors(StoredIntent, value)[1]
  return first === undefined ? 'it is no entry' : `${first.instancePath} ${first.message}`.trim()
}

/** The entry that cannot be read although its transactions are final; `undefined` of any other error. */
export function unreadableFinished(error: unknown): UnreadEntry | undefined {
  if (!(error instanceof SwapError) || error.code !== 'OUTCOME_UNKNOWN') return undefined
  const path = error.members['path']
  return typeof path === 'string' && path.endsWith('.done.json')
    ? { path, reason: error.why ?? '' }
    : undefined
}

/** Converts an intent of an earlier version; the stored report is dropped, as it is derived now. */
function current(value: Static<typeof StoredIntent>): Intent {
  const { report: _, ...intent } = value
  const txs = value.txs.map(({ maybe_sent: isSent = false, ...tx }) => {
    const state = EARLIER[tx.state] ?? tx.state
    return { ...tx, state: state === 'signed' && isSent ? 'sent' : state }
  })
  return { ...intent, txs } as Intent
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

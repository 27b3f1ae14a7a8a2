import type { Static } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { decodeTx } from '../../chain/tx/decode-tx.js'
import { type SignedTx, txHashOf } from '../../chain/tx/unsigned-tx.js'
import { SwapError } from '../../engine/errors.js'
import { attempt } from '../../platform/attempt.js'
import { canonicalBase64, toBase64 } from '../../platform/encoding.js'
import type { Intent, UnreadEntry } from './intent.js'
import { EARLIER, StoredIntent } from './intent-schema.js'

/**
 * Parses an intent file. An invalid file, or one that contradicts its signed bytes, is an error: its transaction may
 * still be executed.
 *
 * @throws SwapError OUTCOME_UNKNOWN that names the file
 */
export function readIntent(text: string | undefined, file: string): Intent {
  const value: unknown = attempt(() => JSON.parse(text ?? ''))
  const why = value === undefined ? 'it is not JSON, or not to be opened' : faultOf(value)
  if (why === undefined) return withCurrentStates(value as IntentDocument)
  throw new SwapError('OUTCOME_UNKNOWN', `an entry of the journal cannot be read: ${file}`, {
    why,
    hint: 'look at it, and at the account on the chain; move the file away once you know what happened',
    members: { tx_hash: null, timeout_height: null, path: file },
  })
}

type IntentDocument = Static<typeof StoredIntent>

/** Why a value is not a valid intent; `undefined` if it is. */
function faultOf(value: unknown): string | undefined {
  if (Check(StoredIntent, value))
    return value.txs
      .map((tx, at) => faultOfTx(value, tx, `/txs/${at}`))
      .find((fault) => fault !== undefined)
  const [first] = Errors(StoredIntent, value)[1]
  return first === undefined
    ? 'it is not an entry'
    : `${first.instancePath} ${first.message}`.trim()
}

/** Compares the members that determine inclusion, and the coins sold, with the signed bytes. */
function faultOfTx(
  intent: IntentDocument,
  { bytes, hash, ...tx }: IntentDocument['txs'][number],
  at: string,
): string | undefined {
  const decoded = canonicalBase64(bytes)
  if (decoded === undefined || txHashOf(decoded) !== hash)
    return `the bytes of ${at} are not the transaction ${hash}`
  const signed = attempt(() => decodeTx(decoded))
  if (signed === undefined) return `the bytes of ${at} cannot be decoded`
  const members = [
    ['/address', intent.address, signed.sender],
    [`${at}/public_key`, tx.public_key, toBase64(signed.publicKey)],
    [`${at}/sequence`, tx.sequence, `${signed.sequence}`],
    [`${at}/timeout_height`, tx.timeout_height, Number(signed.timeoutHeight)],
    ...soldOf(intent, tx.legs, signed).map(
      ([recorded, own], i) => [`${at}/legs/${i}`, recorded, own] as const,
    ),
  ] as const
  const wrong = members.find(([, recorded, own]) => recorded !== own)
  if (wrong) return `${wrong[0]} is ${wrong[1]}, and ${wrong[2]} in the signed bytes`
  return tx.timeout_height !== 0 && tx.signed_height >= tx.timeout_height
    ? `${at}/signed_height is ${tx.signed_height}, not below the timeout height ${tx.timeout_height}`
    : undefined
}

/** The coins that each leg or order of a transaction sells, by the intent and by the signed bytes. */
function soldOf(
  { legs, orders }: IntentDocument,
  indexes: readonly number[],
  { calls }: SignedTx,
): readonly (readonly [recorded: string, own: string])[] {
  const funds = orders?.map((order) => order.funds) ?? legs.map((leg) => [leg.funds])
  const text = (coins: readonly { readonly denom: string; readonly amount: unknown }[] = []) =>
    coins.map(({ amount, denom }) => `${amount}${denom}`).join(' ') || 'no coin'
  const most = Math.max(indexes.length, calls.length)
  return Array.from({ length: most }, (_, i) => [
    indexes[i] === undefined ? 'no leg' : text(funds[indexes[i]]),
    calls[i] === undefined ? 'no leg' : text(calls[i].funds),
  ])
}

/** The unreadable entry of an error if its transactions are final; `undefined` for any other error. */
export function unreadableFinished(error: unknown): UnreadEntry | undefined {
  if (!(error instanceof SwapError) || error.code !== 'OUTCOME_UNKNOWN') return undefined
  const path = error.members['path']
  return typeof path === 'string' && path.endsWith('.done.json')
    ? { path, reason: error.why ?? '' }
    : undefined
}

/** Converts an intent of an earlier version; drops the stored report, which is derived now. */
function withCurrentStates(value: IntentDocument): Intent {
  const { report: _, ...intent } = value
  const txs = value.txs.map(({ maybe_sent: isSent = false, ...tx }) => {
    const state = EARLIER[tx.state] ?? tx.state
    return { ...tx, state: state === 'signed' && isSent ? 'sent' : state }
  })
  return { ...intent, txs } as Intent
}

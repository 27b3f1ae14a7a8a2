import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { sortedJson } from '../../platform/encoding.js'
import { wireCoin } from '../queries/wire.js'
import { exactNumber, invalidTx } from './draft.js'
import type { Draft } from './unsigned-tx.js'

/** The name of `MsgExecuteContract` in Amino JSON. */
const AMINO_TYPE = 'wasm/MsgExecuteContract'

/**
 * The sign bytes of SIGN_MODE_LEGACY_AMINO_JSON, which hardware wallets use: JSON with sorted members and Go's escapes,
 * with the contract's message as an object in it. A signature is over their SHA-256.
 *
 * @throws SwapError INVALID_REQUEST for a message that Go and JavaScript encode differently
 */
export function aminoSignBytes(draft: Draft): Uint8Array {
  const { sender, fee, gasLimit } = draft
  const msgs = draft.calls.map(({ contract, message, funds }) => {
    const msg: unknown = JSON.parse(message)
    requirePortable(msg)
    return { type: AMINO_TYPE, value: { sender, contract, msg, funds: funds.map(wireCoin) } }
  })
  const bytes = serializeSignDoc(
    makeSignDoc(
      msgs,
      { amount: fee.map(wireCoin), gas: `${exactNumber('gas limit', gasLimit)}` },
      draft.chainId,
      draft.memo,
      exactNumber('account number', draft.accountNumber),
      exactNumber('sequence', draft.sequence),
      draft.timeoutHeight,
    ),
  )
  // Go escapes these as well, cosmjs does not.
  const text = new TextDecoder().decode(bytes).replaceAll('\u2028', '\\u2028')
  return new TextEncoder().encode(text.replaceAll('\u2029', '\\u2029'))
}

/** A message in Amino JSON: members sorted at every level. */
export const sortedMessage = (message: string): string => sortedJson(JSON.parse(message))

/** Refuses values that the chain, which encodes the message again, would write differently. */
function requirePortable(value: unknown): void {
  if (typeof value === 'number' && (!Number.isSafeInteger(value) || Object.is(value, -0)))
    throw invalidTx(`its message has the number ${value}, which Amino JSON may round`)
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value))
    throw invalidTx('its message has half of a surrogate pair')
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    // JavaScript puts digits first, and compares UTF-16 where Go compares UTF-8.
    const isOrdered =
      !Array.isArray(value) && (/^\d+$|[\ud800-\udfff]/.test(name) || name === '__proto__')
    if (isOrdered) throw invalidTx(`its message has a member ${name}, which cannot be sorted`)
    requirePortable(name)
    requirePortable(member)
  }
}

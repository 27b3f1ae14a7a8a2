import { toBase64 } from '@cosmjs/encoding'
import { signedBytesOf } from '../chain/tx/draft.js'
import { type Draft, txHashOf } from '../chain/tx/unsigned-tx.js'
import { SwapError } from '../engine/errors.js'
import { throwIfInterrupted } from './interrupted.js'
import type { Entry, Intent, TxRecord } from './journal/intent.js'
import { unlessNodesFail } from './lifecycle/poll.js'
import { unsent } from './lifecycle/track.js'
import { claimSigning } from './plan/limits.js'
import type { PreparedTx } from './plan/prepared.js'
import type { Chain } from './ports.js'
import { requestSignature } from './request-signature.js'
import { type LockedSession, requireLock } from './session.js'
import { requireKey, type Task } from './task.js'

/** Fewest blocks before the timeout height at which a transaction is still signed. */
const MIN_BLOCKS_LEFT = 2

/**
 * Unlocks the key, unless the confirmation came too late, checks the market again, signs, and writes the transaction to
 * the journal before it is sent.
 *
 * @param legIndexes the legs or orders of the intent that the transaction executes
 * @returns the intent with its new transaction, which is the last one
 * @throws SwapError KEYFILE_NOT_FOUND, SLIPPAGE_EXCEEDED, ORDER_REFUSED, QUOTE_EXPIRED before signing; SIGNER_FAILED;
 * LIMIT_EXCEEDED, OUTCOME_UNKNOWN, NOT_READY after it, before anything is sent; BUSY before or after it; Interrupted
 * before it is recorded
 */
export async function sign(
  session: LockedSession,
  { account, terms }: Pick<Task, 'account' | 'terms'>,
  prepared: Pick<PreparedTx, 'market' | 'built' | 'recheck' | 'txMicroUsd'>,
  intent: Intent,
  legIndexes: readonly number[],
): Promise<Entry> {
  const { chain, clock, journal, progress } = session
  const { market, built } = prepared
  if (!terms.unattended) await requireUnexpired(chain, built)
  const signer = await requireKey(account)()
  try {
    if (!signer.isExternal) progress({ stage: 'unlocked', name: signer.name })
    await recheckMarket(session, prepared)
    throwIfInterrupted(session)
    requireLock(session, intent)
    if (signer.isExternal) progress({ stage: 'signer_asked', name: signer.name })
    const signed = await requestSignature(chain.prefix, signer, built, session.interrupt)
    const bytes = signedBytesOf(signed)
    const place = { signedHeight: built.accountState.height, legs: legIndexes }
    const tx = txRecord(signed, { bytes, ...place })
    const recorded: Intent = { ...intent, txs: [...intent.txs, tx] }
    // The daily limit counts every claimed signature that the journal does not have.
    journal.requireRoom(recorded)
    await claimSigning(
      session,
      { chainId: chain.chainId, address: account.address },
      { hash: tx.hash, id: intent.id, chain_time: market.time, local_time: clock.time() },
      {
        worth: await prepared.txMicroUsd(built.decoded.fee),
        ...(terms.unattended && { limits: terms.limits }),
      },
    )
    const entry: Entry = { intent: recorded, at: intent.txs.length }
    try {
      journal.put(recorded)
    } catch (error) {
      throw unsent(session, entry, error)
    }
    const { hash, sequence, timeout_height: until } = tx
    progress({ stage: 'signed', hash, sequence, until })
    return entry
  } finally {
    signer.forget()
  }
}

/**
 * Checks the market after the confirmation and the password, which may have taken minutes. The shown transaction is
 * refused or signed, never changed.
 */
async function recheckMarket(
  { chain }: LockedSession,
  { market: before, built, recheck }: Pick<PreparedTx, 'market' | 'built' | 'recheck'>,
): Promise<void> {
  const market = await chain.market().catch((error: unknown) => {
    if (!(error instanceof SwapError)) throw error
    throw error.with({ hint: `nothing was signed; ${error.hint ?? 'run the command again'}` })
  })
  requireBlocksLeft(built, market.height)
  if (market.height !== before.height) await recheck(market)
}

/**
 * Refuses a confirmation that came too late, before the password is asked for. If no node answers, the check of the
 * market decides.
 */
async function requireUnexpired(chain: Chain, built: PreparedTx['built']): Promise<void> {
  const states = await unlessNodesFail(() => chain.accountStates(built.decoded.sender))
  if (states?.length) requireBlocksLeft(built, Math.min(...states.map(({ height }) => height)))
}

function requireBlocksLeft({ decoded }: PreparedTx['built'], height: number): void {
  const timeoutHeight = Number(decoded.timeoutHeight)
  if (timeoutHeight - height >= MIN_BLOCKS_LEFT) return
  throw new SwapError('QUOTE_EXPIRED', 'it took too long, so nothing was signed', {
    why: `the transaction is valid until block ${timeoutHeight}, and the newest is ${height}`,
    hint: 'run the command again, or give it more time: --deadline 60',
    members: { timeout_height: timeoutHeight, height },
  })
}

/** The bytes of a transaction, the height at which its sequence was read, and the legs that it executes. */
type SignedBytes = {
  readonly bytes: Uint8Array
  readonly signedHeight: number
  readonly legs: readonly number[]
}

/** The record of a transaction before it is sent. */
export const txRecord = (signed: Draft, { bytes, signedHeight, legs }: SignedBytes): TxRecord => ({
  state: 'signed',
  hash: txHashOf(bytes),
  bytes: toBase64(bytes),
  public_key: toBase64(signed.publicKey),
  account_number: `${signed.accountNumber}`,
  sequence: `${signed.sequence}`,
  timeout_height: Number(signed.timeoutHeight),
  signed_height: signedHeight,
  legs,
  height: null,
  code: null,
  codespace: null,
  log: null,
  ...(signed.isAmino && { sign_mode: 'amino' }),
})

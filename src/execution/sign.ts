import { toBase64 } from '@cosmjs/encoding'
import { SwapError } from '../engine/errors.js'
import type { Entry, Intent, TxRecord } from './journal/intent.js'
import type { Built } from './plan/build.js'
import { claimSigning, microUsdOf } from './plan/limits.js'
import type { Prepared } from './plan/prepared.js'
import { type Session, throwIfInterrupted } from './session.js'
import type { Task } from './task.js'

/** Least number of blocks before the timeout height at which a transaction is still signed. */
const MIN_BLOCKS_LEFT = 2

/**
 * Unlocks the key, checks the market again, signs, and writes the transaction to the journal before it
 * is published.
 *
 * @param places the legs or orders of the intent that the transaction executes
 * @returns the intent with its new transaction, which is the last one
 * @throws SwapError SLIPPAGE_EXCEEDED, ORDER_REFUSED, QUOTE_EXPIRED, LIMIT_EXCEEDED, BUSY: then nothing
 *   was signed
 */
export async function sign(
  session: Session,
  { account, terms }: Pick<Task, 'account' | 'terms'>,
  prepared: Pick<Prepared, 'market' | 'built' | 'recheck'>,
  intent: Intent,
  legIndexes: readonly number[],
): Promise<Entry> {
  const { chain, clock, journal, progress } = session
  const { market, built } = prepared
  if (account.unlock === undefined)
    throw new SwapError('KEYFILE_NOT_FOUND', `there is no key for ${account.address}`, {
      why: 'an address was given, and only a key can sign',
      hint: 'name a key: --from <name>; list them: swap keys list',
      members: { path: null },
    })
  const signer = await account.unlock()
  try {
    progress({ stage: 'unlocked', name: account.name ?? account.address })
    await recheckMarket(session, prepared)
    throwIfInterrupted(session)
    const signature = await signer.sign(built.signDoc)
    if (!chain.codec.verifies(built.decoded.publicKey, built.signDoc, signature))
      throw new SwapError('INTERNAL', 'the signature does not fit the key')
    const { bytes, hash } = chain.codec.seal({ ...built.decoded, signature })
    await claimSigning(
      session,
      { chainId: chain.chainId, address: account.address },
      { hash, id: intent.id, chain_time: market.time, local_time: clock.time() },
      {
        worth: microUsdOf(
          market,
          built.decoded.calls.flatMap(({ funds }) => funds),
        ),
        ...(terms.unattended && { limits: terms.limits }),
      },
    )
    const tx = recordOf(built, legIndexes, { bytes, hash })
    const signed: Intent = { ...intent, txs: [...intent.txs, tx] }
    journal.put(signed)
    const { sequence, timeout_height: until } = tx
    progress({ stage: 'signed', hash, sequence, until })
    return { intent: signed, at: signed.txs.length - 1 }
  } finally {
    signer.forget()
  }
}

/**
 * Checks the market after the confirmation and the password, which may have taken minutes. What was
 * shown is refused or signed, never changed.
 */
async function recheckMarket(
  { chain }: Session,
  { market: before, built, recheck }: Pick<Prepared, 'market' | 'built' | 'recheck'>,
): Promise<void> {
  const market = await chain.market()
  const { timeoutHeight } = built.decoded
  const left = Number(timeoutHeight) - market.height
  if (left < MIN_BLOCKS_LEFT)
    throw new SwapError('QUOTE_EXPIRED', 'it took too long, so nothing was signed', {
      why: `the transaction is valid until block ${timeoutHeight}, and the newest is ${market.height}`,
      hint: 'run the command again, or give it more time: --deadline 60',
      members: { timeout_height: Number(timeoutHeight), height: market.height },
    })
  if (market.height !== before.height) await recheck(market)
}

function recordOf(
  { decoded, accountState }: Built,
  legIndexes: readonly number[],
  { bytes, hash }: { readonly bytes: Uint8Array; readonly hash: string },
): TxRecord {
  return {
    state: 'signed',
    hash,
    bytes: toBase64(bytes),
    public_key: toBase64(decoded.publicKey),
    account_number: `${decoded.accountNumber}`,
    sequence: `${decoded.sequence}`,
    timeout_height: Number(decoded.timeoutHeight),
    signed_height: accountState.height,
    legs: legIndexes,
    height: null,
    code: null,
    codespace: null,
    log: null,
    ...(decoded.isAmino && { sign_mode: 'amino' }),
  }
}

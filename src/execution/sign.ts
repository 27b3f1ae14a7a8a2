import { toBase64 } from '@cosmjs/encoding'
import { SwapError } from '../engine/errors.js'
import { graphOf } from '../engine/routing/graph.js'
import type { Entry, Intent, TxRecord } from './journal/intent.js'
import type { Order } from './order.js'
import type { Built } from './plan/build.js'
import { claimSigning, microUsdOf } from './plan/limits.js'
import type { Plan } from './plan/plan.js'
import type { Prepared } from './plan/prepare.js'
import { requireLeast, requote } from './plan/requote.js'
import { type Session, throwIfInterrupted } from './session.js'

/** Least number of blocks before the timeout height at which a transaction is still signed. */
const MIN_BLOCKS_LEFT = 2

/**
 * Unlocks the key, checks the market again, signs, and writes the transaction to the journal before it
 * is published.
 *
 * @param places the legs of the intent that the transaction executes
 * @returns the intent with its new transaction, which is the last one
 * @throws SwapError SLIPPAGE_EXCEEDED, QUOTE_EXPIRED, LIMIT_EXCEEDED, BUSY: then nothing was signed
 */
export async function sign(
  session: Session,
  { account, terms }: Order,
  { plan, built }: Pick<Prepared, 'plan' | 'built'>,
  intent: Intent,
  legIndexes: readonly number[],
): Promise<Entry> {
  const { chain, clock, journal, progress } = session
  if (account.unlock === undefined)
    throw new SwapError('KEYFILE_NOT_FOUND', `there is no key for ${account.address}`, {
      why: 'an address was given, and only a key can sign',
      hint: 'name a key: --from <name>; list them: swap keys list',
      members: { path: null },
    })
  const signer = await account.unlock()
  try {
    progress({ stage: 'unlocked', name: account.name ?? account.address })
    await recheckMarket(session, plan, built)
    throwIfInterrupted(session)
    const signature = await signer.sign(built.signDoc)
    if (!chain.codec.verifies(built.decoded.publicKey, built.signDoc, signature))
      throw new SwapError('INTERNAL', 'the signature does not fit the key')
    const { bytes, hash } = chain.codec.seal(built.signDoc, signature)
    await claimSigning(
      session,
      { chainId: chain.chainId, address: account.address },
      { hash, id: intent.id, chain_time: plan.market.time, local_time: clock.time() },
      {
        worth: microUsdOf(
          plan.market,
          built.legs.map((i) => plan.legs[i]!.funds),
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
 * Requotes on the market after the confirmation and the password, which may have taken minutes. What
 * was shown is refused or signed, never changed.
 */
async function recheckMarket(
  { chain }: Session,
  plan: Plan,
  { decoded, legs }: Built,
): Promise<void> {
  const market = await chain.market()
  const left = Number(decoded.timeoutHeight) - market.height
  if (left < MIN_BLOCKS_LEFT)
    throw new SwapError('QUOTE_EXPIRED', 'it took too long, so nothing was signed', {
      why: `the transaction is valid until block ${decoded.timeoutHeight}, and the newest is ${market.height}`,
      hint: 'run the command again, or give it more time: --deadline 60',
      members: { timeout_height: Number(decoded.timeoutHeight), height: market.height },
    })
  if (market.height === plan.market.height) return
  const planned = legs.map((i) => plan.legs[i]!)
  const requested = planned.map((leg) => ({ ...leg, quoted: undefined }))
  const affiliate =
    plan.affiliate === undefined ? undefined : market.router.affiliates.get(plan.affiliate)
  const graph = graphOf(market)
  const routes = requote({ market, graph }, requested, {
    slippageBps: plan.tolerance.bps,
    affiliate,
  })
  requireLeast(market, planned, routes)
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
  }
}

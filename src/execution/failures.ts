import type { Evidence } from '../chain/tx/outcome.js'
import { amountsIn, isOutOfGas, type Reason, type Refusal, reasonIn } from '../chain/tx/refusal.js'
import { type ErrorCode, type Json, SwapError } from '../engine/errors.js'
import { formatCoin } from '../operations/amount.js'
import type { Plan } from './plan/plan.js'
import { priceMoved, QUOTE_AGAIN } from './plan/requote.js'

/** The kind of a transaction's messages. */
export type Action = 'swap' | 'loop' | 'order'

/** The error of a simulation of swaps that failed. Nothing was signed. */
export function swapSimulationFailed(why: string, { market, legs }: Plan): SwapError {
  const amounts = amountsIn(why)
  const { output, pairs } = legs[0]!
  if (amounts === undefined) return simulationFailed(why, 'swap', legs.length, pairs[0] ?? '')
  const { expected: limit, received: actual } = amounts
  const reason = `the router would pay ${formatCoin(market, output, actual)}; at least ${formatCoin(market, output, limit)} are asked for`
  return priceMoved(reason, { limit, actual, denom: output }, market)
}

/**
 * The error of a simulation that failed.
 *
 * @param count number of messages
 * @param pair the first pair that they call
 */
export function simulationFailed(
  why: string,
  action: Action,
  count: number,
  pair: string,
): SwapError {
  if (reasonIn(why) === 'halted')
    return new SwapError('MARKET_HALTED', 'the chain has halted this market', {
      why,
      hint: 'wait until it resumes',
      members: { pair },
    })
  if (isOutOfGas(why)) return tooMuchGas(why, action, count)
  return new SwapError('TX_FAILED', 'the transaction would fail, so nothing was sent', {
    why,
    hint:
      action === 'order'
        ? 'run the command again; what the node said is above'
        : 'quote again; what the node said is above',
    members: { tx_hash: null, codespace: null, chain_code: null },
  })
}

/** A transaction needs more gas than the network allows. */
export class GasLimitExceeded extends SwapError {}

/** @param count number of messages of the transaction */
export const tooMuchGas = (why: string, action: Action, count: number): GasLimitExceeded =>
  new GasLimitExceeded('TX_FAILED', 'the transaction needs more gas than the network allows', {
    why,
    hint: `nothing was sent; ${lessGas(action, count)}`,
    members: { tx_hash: null, codespace: null, chain_code: null },
  })

/** How to make a transaction that needs less gas. */
function lessGas(action: Action, count: number): string {
  if (action === 'order') return 'name fewer orders'
  return count > 1
    ? 'send the legs one by one (--mode legs), or quote with fewer: --max-legs'
    : 'swap a smaller amount, or over fewer hops: --max-hops'
}

/** Descriptions of evidence, for reports and errors. */
export const EVIDENCE_WORDS: Readonly<Record<Evidence, string>> = {
  one_node: 'reported by one node',
  block: 'proved by the block data of one node',
  agreed: 'confirmed by two nodes',
}

/** A transaction that the chain has refused, before a block or in one. */
type RefusedTx = Refusal & {
  readonly hash: string
  /** The block that holds it; `undefined` if it is proven to be in none. */
  readonly height: number | undefined
  readonly evidence: Evidence | undefined
}

/** Code, message and hint of a reason. */
type Meaning = { readonly code: ErrorCode; readonly message: string; readonly hint: string }

/** `--gas` replaces the factor, so the two do not go together. */
const MORE_GAS = 'ask for more: --gas-adjustment 2, or a greater --gas'

/** Errors of refusals before inclusion in a block. */
const BEFORE: Readonly<Record<Reason, Meaning>> = {
  price: meaning('SLIPPAGE_EXCEEDED', 'the node refuses the price', 'quote again'),
  funds: meaning(
    'INSUFFICIENT_FUNDS',
    'the account does not hold enough',
    'fund the account, or swap less',
  ),
  fee: meaning(
    'TX_FAILED',
    'the node asks for a higher fee',
    'say how much: --fees, or name another node',
  ),
  gas: meaning('TX_FAILED', 'the gas limit is too low', MORE_GAS),
  memo: meaning(
    'TX_FAILED',
    'the memo is longer than the chain allows',
    'make it again with a shorter memo',
  ),
  sequence: meaning(
    'TX_FAILED',
    'the node expects another sequence of this account',
    'another transaction of it may have come first: wait for a block, then run the command again',
  ),
  timeout: meaning(
    'TX_FAILED',
    'its timeout height passed before it was sent',
    'run the command again',
  ),
  halted: meaning('MARKET_HALTED', 'the chain is halted', 'wait until it resumes'),
  signature: meaning(
    'TX_FAILED',
    'the node does not accept the signature',
    'see whether the key and the network belong together: swap doctor',
  ),
  known: meaning(
    'TX_FAILED',
    'the node has seen it before',
    'check its status: swap tx show <hash>',
  ),
  busy: meaning(
    'TX_FAILED',
    'the node has no room for it',
    'try again later, or name another node: --rpc',
  ),
  other: meaning('TX_FAILED', 'the node refuses the transaction', 'see what it said, above'),
}

/** Errors of failures in a block: the fee is spent, the sequence used, no other coin moved. */
const INSIDE: Partial<Readonly<Record<Reason, Meaning>>> = {
  price: meaning(
    'SLIPPAGE_EXCEEDED',
    'the price moved past your limit: the chain refused it, and only the fee is spent',
    QUOTE_AGAIN,
  ),
  halted: meaning(
    'MARKET_HALTED',
    'the chain has halted this market: only the fee is spent',
    'wait until it resumes',
  ),
  gas: meaning('TX_FAILED', 'it ran out of gas: only the fee is spent', MORE_GAS),
}

const FAILED = meaning(
  'TX_FAILED',
  'it failed on the chain: only the fee is spent',
  'see what the chain said, above',
)

function meaning(code: ErrorCode, message: string, hint: string): Meaning {
  return { code, message, hint }
}

/** The error of a refusal by a node. */
export const meaningOf = (reason: Reason): Meaning => BEFORE[reason]

/** The error of a transaction that the chain has refused. */
export function refusedBy(
  refused: RefusedTx,
  members: { readonly [name: string]: Json },
): SwapError {
  const { reason, codespace, code, log, hash, height, evidence } = refused
  const explained = height === undefined ? BEFORE[reason] : (INSIDE[reason] ?? FAILED)
  return new SwapError(explained.code, explained.message, {
    why: `${log || 'no reason is given'} (${codespace || 'undefined'} ${code})${evidence === undefined ? '' : `; ${EVIDENCE_WORDS[evidence]}`}`,
    hint: explained.hint,
    members: {
      ...members,
      tx_hash: hash,
      codespace,
      chain_code: code,
      ...(height !== undefined && { height }),
      funds: height === undefined ? 'untouched' : 'fee_only',
    },
  })
}

import { fromBase64 } from '@cosmjs/encoding'
import type { Evidence, Inspection, Scan, TxIdentity } from '../../chain/tx/outcome.js'
import { errorCode } from '../../engine/errors.js'
import type { TxRecord } from '../journal/intent.js'
import type { AccountState, Chain } from '../ports.js'

/** The status of a signed transaction at one poll. */
export type TxStatus =
  | Extract<Inspection, { kind: 'included' }>
  /** It can never be included; `why` names the proof. */
  | { readonly kind: 'expired'; readonly why: string; readonly evidence: Evidence }
  /** Another transaction has used its sequence. */
  | {
      readonly kind: 'replaced'
      readonly hash: string
      readonly height: number
      readonly evidence: Evidence
    }
  /** Two nodes contradict one another about the outcome; `why` names both. */
  | { readonly kind: 'disputed'; readonly why: string }
  | OpenTx

/** It may still be included, or the evidence is insufficient. */
type OpenTx = {
  readonly kind: 'open'
  readonly why: string
  /** The newest height of any node; 0 if none was read. */
  readonly height: number
  /** Whether its timeout height has passed on every node that answered. */
  readonly isLate: boolean
  /** Whether a node shows it in a block, which is not enough yet. */
  readonly isShown?: boolean
  /** Whether it is in the newest block, and only the header of the next one is missing. */
  readonly isProvisional?: boolean
}

export type FinalStatus = Exclude<TxStatus, { kind: 'open' | 'disputed' }>

/** Blocks after the timeout height that are read for the transaction that used the sequence. */
const BLOCKS_AFTER_TIMEOUT = 100

/**
 * Polls the status of a transaction once. An outcome needs evidence: with several nodes configured, two of them have to
 * agree, or the data of its block have to prove it; of a single node, the header of the next block. `expired` requires
 * that the timeout height has passed on every node that answers, at two polls of the account, that none of them saw the
 * sequence used until then, and that no readable block holds the transaction.
 *
 * @throws SwapError UPSTREAM_ERROR and related codes if no node answers
 */
export async function poll(chain: Chain, tx: TxRecord, address: string): Promise<TxStatus> {
  const status = await statusOf(chain, tx, address)
  if (status.kind !== 'included' || !status.isProvisional) return status
  const { height } = status.included
  const why = `it is in block ${height}, and the header of the next one has to confirm its result`
  return { kind: 'open', why, height, isLate: false, isShown: true, isProvisional: true }
}

async function statusOf(chain: Chain, tx: TxRecord, address: string): Promise<TxStatus> {
  const found = await chain.find(tx.hash)
  // An index may name a wrong block: then the account and the blocks decide.
  if (found?.usedSequence && !(hasTimeout(tx) && found.height > tx.timeout_height)) {
    const status = await inspect(chain, tx, found.height)
    if (status !== undefined) return status
  }
  const seen = combine(await chain.accountStates(address), tx)
  const { height } = seen
  const isPastTimeout = hasTimeout(tx) && seen.least > tx.timeout_height
  const pending = (why: string): OpenTx => ({ kind: 'open', why, height, isLate: isPastTimeout })
  if (!seen.isUsed && !isPastTimeout) return pending(waitingFor(tx, seen))
  const last = hasTimeout(tx) ? Math.min(height, tx.timeout_height) : height
  const wanted: TxIdentity = {
    hash: tx.hash,
    address,
    publicKey: fromBase64(tx.public_key),
    sequence: BigInt(tx.sequence),
  }
  const scan = await chain.scan(wanted, tx.signed_height + 1, last)
  if (scan.kind === 'found') {
    const status = await inspect(chain, tx, scan.included.height)
    return status ?? pending('its block was read again, and shows no use of its sequence')
  }
  if (scan.kind === 'replaced')
    return seen.isUsed
      ? ((await replacedBy(chain, tx, address, scan)) ??
          pending('what used its sequence is not certain yet'))
      : pending('a block shows the sequence used, and the account does not')
  // A block that is temporarily unreadable may hold the transaction; a pruned one proves nothing.
  if (scan.kind === 'incomplete' && scan.passes) return pending(scan.why)
  if (!seen.isUsed) return pollUnused(chain, tx, address)
  const why = scan.kind === 'incomplete' ? scan.why : 'no block shows by what'
  if (!isPastTimeout) return pending(`the sequence of the account has moved on, and ${why}`)
  const proof = await proofOfExpiry(chain, tx, address, scan.kind === 'absent')
  if (proof !== undefined) return proof
  const later = await chain.scan(wanted, last + 1, Math.min(height, last + BLOCKS_AFTER_TIMEOUT))
  const status = later.kind === 'replaced' ? await replacedBy(chain, tx, address, later) : undefined
  if (status !== undefined) return status
  return seen.dispute === undefined
    ? pending(`the sequence of the account has moved on, and ${why}`)
    : { kind: 'disputed', why: seen.dispute }
}

/**
 * @param hash of the transaction, or of another one that is to have used its sequence
 * @returns `undefined` if the block does not hold that one, or it has used no sequence in it
 */
async function inspect(
  chain: Chain,
  tx: TxRecord,
  height: number,
  hash = tx.hash,
): Promise<TxStatus | undefined> {
  const seen = await chain.inspect(hash, height)
  if (seen.kind === 'disputed') return seen
  if (seen.kind === 'absent') return undefined
  if (seen.kind === 'unsupported') {
    const isLate = hasTimeout(tx) && seen.height > tx.timeout_height
    return { kind: 'open', why: seen.why, height: seen.height, isLate, isShown: true }
  }
  return seen.included.usedSequence ? seen : undefined
}

/**
 * The status of a transaction whose sequence another one has used. If only events say so, which no header commits to,
 * the data of their block prove nothing, and two of several nodes have to agree.
 */
async function replacedBy(
  chain: Chain,
  tx: TxRecord,
  address: string,
  { hash, height, isUnnamed }: Extract<Scan, { kind: 'replaced' }>,
): Promise<TxStatus | undefined> {
  const status = await inspect(chain, tx, height, hash)
  if (status?.kind !== 'included') return status
  const { included, evidence } = status
  const isProven = !isUnnamed || evidence === 'agreed' || chain.isOwn
  const isNamed = !isUnnamed || included.sequences.includes(`${address}/${tx.sequence}`)
  if (!isNamed || (!isProven && chain.endpoints.length > 1)) return undefined
  return { kind: 'replaced', hash, height, evidence: isProven ? evidence : 'one_node' }
}

/** The second poll of an account whose sequence is unused. */
async function pollUnused(chain: Chain, tx: TxRecord, address: string): Promise<TxStatus> {
  const again = combine(await chain.accountStates(address), tx)
  const isProven = again.least > tx.timeout_height && !again.isUsed
  const open = (why: string): OpenTx => ({ kind: 'open', why, height: again.height, isLate: true })
  if (!isProven) return open('the nodes do not agree about the account')
  if (!isEnough(chain, again.nodes)) return open(tooFew(chain, again.nodes))
  return expiredStatus(chain, again.nodes, `block ${again.least} shows its sequence unused`)
}

/**
 * The proof that a transaction past its timeout is not the one that used its sequence.
 *
 * @param isRead whether every block that could hold it was read and none does
 */
async function proofOfExpiry(
  chain: Chain,
  tx: TxRecord,
  address: string,
  isRead: boolean,
): Promise<TxStatus | undefined> {
  const at = async (height: number) => {
    // Nodes prune the state of old heights.
    const accountStates = await unlessNodesFail(() => chain.accountStates(address, height))
    return accountStates?.length ? combine(accountStates, tx) : undefined
  }
  const then = await at(tx.timeout_height)
  if (then !== undefined && !then.isUsed && isEnough(chain, then.nodes))
    return expiredStatus(chain, then.nodes, `block ${tx.timeout_height} shows its sequence unused`)
  if (then?.dispute !== undefined) return { kind: 'disputed', why: then.dispute }
  const before = isRead ? await at(tx.signed_height) : undefined
  if (before?.isUsed && isEnough(chain, before.nodes) && before.dispute === undefined) {
    const why = `its sequence was used before block ${tx.signed_height + 1}, and no block holds it`
    return expiredStatus(chain, before.nodes, why)
  }
  return undefined
}

const expiredStatus = (chain: Chain, nodes: number, why: string): TxStatus => ({
  kind: 'expired',
  why,
  evidence: nodes > 1 ? 'agreed' : chain.isOwn ? 'block' : 'one_node',
})

/** Whether enough nodes agree about an account: two, or the only one. */
const isEnough = ({ endpoints }: Chain, nodes: number): boolean =>
  nodes >= Math.min(2, endpoints.length)

const tooFew = ({ endpoints }: Chain, nodes: number): string =>
  `${nodes} of ${endpoints.length} nodes report the account, and two have to agree`

/** `undefined` if the nodes fail: the next poll may succeed. */
export async function unlessNodesFail<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const isOfNodes = errorCode(error)?.startsWith('UPSTREAM_') === true
    if (isOfNodes) return undefined
    throw error
  }
}

export const hasTimeout = ({ timeout_height }: Pick<TxRecord, 'timeout_height'>): boolean =>
  timeout_height > 0

const waitingFor = (tx: TxRecord, { nodes, height, next }: ReturnType<typeof combine>): string => {
  const isEarly = nodes > 0 && next < BigInt(tx.sequence)
  const first = isEarly ? `its sequence is ${tx.sequence}, and the account is at ${next}; ` : ''
  return hasTimeout(tx)
    ? `${first}it may be included until block ${tx.timeout_height}; the newest is ${height}`
    : `${first}it has no timeout height, so it may be included at any time`
}

/** The account states of all nodes combined: disagreement counts against expiry. */
function combine(accountStates: readonly AccountState[], { sequence }: TxRecord) {
  const used = accountStates.filter((each) => each.sequence > BigInt(sequence))
  const without = accountStates.filter((each) => each.sequence <= BigInt(sequence))
  const heights = accountStates.map(({ height }) => height)
  const [one, other] = used.flatMap((each) => {
    const contrary = without.find(({ height }) => height >= each.height)
    return contrary === undefined ? [] : [each, contrary]
  })
  return {
    nodes: accountStates.length,
    /** The greatest sequence of a next transaction that any of them reports. */
    next: accountStates.reduce((most, each) => (each.sequence > most ? each.sequence : most), 0n),
    /** Whether any of them has seen the sequence of the transaction used. */
    isUsed: used.length > 0,
    /** The heights of the node furthest ahead, and of the one furthest behind. */
    height: Math.max(0, ...heights),
    least: heights.length === 0 ? 0 : Math.min(...heights),
    /** A node that shows the sequence unused at a height at which another one shows it used. */
    dispute:
      one && other
        ? `${one.node} shows sequence ${sequence} used at block ${one.height}, and ${other.node} shows it unused at block ${other.height}`
        : undefined,
  }
}

import type { Included, Wanted } from '../../chain/tx/outcome.js'
import { fromBase64 } from '../base64.js'
import type { TxRecord } from '../journal/intent.js'
import type { Chain, Standing } from '../ports.js'

/** What a look at the chain says of a signed transaction. */
export type Fate =
  | { readonly kind: 'included'; readonly included: Included }
  /** Its timeout height has passed, and it can never come; `why` says how that is known. */
  | { readonly kind: 'expired'; readonly why: string }
  /** Another transaction has used its sequence. */
  | { readonly kind: 'replaced'; readonly hash: string; readonly height: number }
  /** It may still come, or what the nodes say does not add up. */
  | {
      readonly kind: 'open'
      readonly why: string
      /** The newest height that any node has shown; 0 where none has. */
      readonly height: number
      /** Whether its timeout height has passed: waiting for blocks helps no more. */
      readonly isLate: boolean
    }

/** Blocks after its timeout in which what used its sequence is looked for. */
const AHEAD = 100

/**
 * Looks once for what has become of a transaction. That it is dead is only said when all of it is
 * certain: the timeout height has passed on every node that answers, on two looks at the account, and
 * none of them has seen its sequence used by then, nor does any block that can be read hold it.
 *
 * @throws SwapError UPSTREAM_ERROR and its like, where no node answers
 */
export async function look(chain: Chain, tx: TxRecord, address: string): Promise<Fate> {
  const found = await chain.find(tx.hash)
  if (found?.usedSequence) return { kind: 'included', included: found }
  const seen = together(await chain.standings(address))
  const { height } = seen
  const isUsed = seen.sequence > BigInt(tx.sequence)
  const isPast = hasTimeout(tx) && seen.least > tx.timeout_height
  if (!isUsed && !isPast) return open(height, waitingFor(tx, height), false)
  const last = hasTimeout(tx) ? Math.min(height, tx.timeout_height) : height
  const wanted = wantedOf(tx, address)
  const scan = await chain.scan(wanted, tx.signed_height + 1, last)
  if (scan.kind === 'found') return { kind: 'included', included: scan.included }
  if (scan.kind === 'replaced')
    return isUsed
      ? scan
      : open(height, 'a block shows the sequence used, and the account does not', isPast)
  // A block that cannot be read just now may hold it; one that nobody keeps any more says nothing.
  if (scan.kind === 'incomplete' && scan.passes) return open(height, scan.why, isPast)
  if (!isUsed) return unused(chain, tx, address)
  const why = scan.kind === 'incomplete' ? scan.why : 'no block shows by what'
  const moved = open(height, `the sequence of the account has moved on, and ${why}`, isPast)
  if (!isPast) return moved
  const dead = await neverCame(chain, tx, address, scan.kind === 'absent')
  if (dead !== undefined) return { kind: 'expired', why: dead }
  const later = await chain.scan(wanted, last + 1, Math.min(height, last + AHEAD))
  return later.kind === 'replaced' ? later : moved
}

/** The second look at an account whose sequence is unused. */
async function unused(chain: Chain, tx: TxRecord, address: string): Promise<Fate> {
  const again = together(await chain.standings(address))
  const isDead = again.least > tx.timeout_height && again.sequence <= BigInt(tx.sequence)
  return isDead
    ? { kind: 'expired', why: `block ${again.least} shows its sequence unused` }
    : open(again.height, 'the nodes do not agree about the account', true)
}

/**
 * Why a transaction that is past its timeout did not use the sequence that is used by now; nothing
 * where it may have.
 *
 * @param isRead whether every block that could hold it was read, and none does
 */
async function neverCame(
  chain: Chain,
  tx: TxRecord,
  address: string,
  isRead: boolean,
): Promise<string | undefined> {
  if (isRead && !tx.maybe_sent) return 'no node took it, and no block until then holds it'
  const at = async (height: number): Promise<bigint | undefined> => {
    // A node may not keep the accounts of so long ago: then nothing is known.
    const standings = await tried(() => chain.standings(address, height))
    return standings?.length ? together(standings).sequence : undefined
  }
  const own = BigInt(tx.sequence)
  const then = await at(tx.timeout_height)
  if (then !== undefined && then <= own)
    return `block ${tx.timeout_height} shows its sequence unused`
  const before = isRead ? await at(tx.signed_height) : undefined
  return before !== undefined && before > own
    ? `its sequence was used before block ${tx.signed_height + 1}, and no block holds it`
    : undefined
}

/** What nodes do not answer says nothing; the next look may. */
export async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const isOfNodes =
      error instanceof Error && 'code' in error && String(error.code).startsWith('UPSTREAM_')
    if (isOfNodes) return undefined
    throw error
  }
}

export const hasTimeout = ({ timeout_height }: Pick<TxRecord, 'timeout_height'>): boolean =>
  timeout_height > 0

const open = (height: number, why: string, isLate: boolean): Fate => ({
  ...{ kind: 'open', why, height, isLate },
})

const waitingFor = (tx: TxRecord, height: number): string =>
  hasTimeout(tx)
    ? `it may come until block ${tx.timeout_height}; the newest is ${height}`
    : 'it has no timeout height, so it may come at any time'

export const wantedOf = (tx: TxRecord, address: string): Wanted => ({
  hash: tx.hash,
  address,
  publicKey: fromBase64(tx.public_key),
  sequence: BigInt(tx.sequence),
})

/** An account as all nodes together see it: the doubt counts against "dead". */
type Seen = {
  /** The highest sequence that any of them has. */
  readonly sequence: bigint
  /** The heights of the one that is furthest, and of the one that is furthest behind. */
  readonly height: number
  readonly least: number
}

function together(standings: readonly Standing[]): Seen {
  return {
    sequence: standings.reduce((most, { sequence }) => (sequence > most ? sequence : most), 0n),
    height: Math.max(0, ...standings.map(({ height }) => height)),
    least: standings.length === 0 ? 0 : Math.min(...standings.map(({ height }) => height)),
  }
}

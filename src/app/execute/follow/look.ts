import type { Chain, Included, Standing, Wanted } from '../ports.js'
import type { TxRecord } from './intent.js'

/** What a look at the chain says of a signed transaction. */
export type Fate =
  | { readonly kind: 'included'; readonly included: Included }
  /** Its timeout height has passed, and its sequence is unused. */
  | { readonly kind: 'expired'; readonly height: number }
  /** Another transaction has used its sequence. */
  | { readonly kind: 'replaced'; readonly hash: string; readonly height: number }
  /** It may still come, or what the nodes say does not add up. */
  | {
      readonly kind: 'open'
      readonly why: string
      /** The newest height that any node has shown; 0 where none has. */
      readonly height: number
    }

/**
 * Looks once for what has become of a transaction. That it is dead is only said when all of it is
 * certain: the timeout height has passed on every node that answers, on two looks at the account, and
 * none of them has seen its sequence used, nor does any block hold it.
 *
 * @throws SwapError UPSTREAM_ERROR and its like, where no node answers
 */
export async function look(chain: Chain, tx: TxRecord, address: string): Promise<Fate> {
  const found = await chain.find(tx.hash)
  if (found?.usedSequence) return { kind: 'included', included: found }
  const seen = await standingOf(chain, address)
  const { height } = seen
  const isUsed = seen.sequence > BigInt(tx.sequence)
  const isPast = hasTimeout(tx) && seen.least > tx.timeout_height
  if (!isUsed && !isPast) return open(height, waitingFor(tx, height))
  const last = hasTimeout(tx) ? Math.min(height, tx.timeout_height) : height
  const scan = await chain.scan(wantedOf(tx, address), tx.signed_height + 1, last)
  if (scan.kind === 'found' && scan.included.usedSequence)
    return { kind: 'included', included: scan.included }
  if (isUsed) {
    if (scan.kind === 'replaced') return scan
    const why = scan.kind === 'incomplete' ? scan.why : 'no block shows by what'
    return open(height, `the sequence of the account has moved on, and ${why}`)
  }
  if (scan.kind === 'replaced')
    return open(height, 'a block shows the sequence used, and the account does not')
  const again = await standingOf(chain, address)
  const isDead = again.least > tx.timeout_height && again.sequence <= BigInt(tx.sequence)
  return isDead
    ? { kind: 'expired', height: again.least }
    : open(again.height, 'the nodes do not agree about the account')
}

export const hasTimeout = ({ timeout_height }: Pick<TxRecord, 'timeout_height'>): boolean =>
  timeout_height > 0

const open = (height: number, why: string): Fate => ({ kind: 'open', why, height })

const waitingFor = (tx: TxRecord, height: number): string =>
  hasTimeout(tx)
    ? `it may come until block ${tx.timeout_height}; the newest is ${height}`
    : 'it has no timeout height, so it may come at any time'

export const wantedOf = (tx: TxRecord, address: string): Wanted => ({
  hash: tx.hash,
  address,
  publicKey: bytesOf(tx.public_key),
  sequence: BigInt(tx.sequence),
})

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** An account as all nodes together see it: the doubt counts against "dead". */
type Seen = {
  /** The highest sequence that any of them has. */
  readonly sequence: bigint
  /** The heights of the one that is furthest, and of the one that is furthest behind. */
  readonly height: number
  readonly least: number
}

async function standingOf(chain: Chain, address: string): Promise<Seen> {
  return together(await chain.standings(address))
}

function together(standings: readonly Standing[]): Seen {
  return {
    sequence: standings.reduce((most, { sequence }) => (sequence > most ? sequence : most), 0n),
    height: Math.max(0, ...standings.map(({ height }) => height)),
    least: standings.length === 0 ? 0 : Math.min(...standings.map(({ height }) => height)),
  }
}

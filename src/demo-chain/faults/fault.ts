import type { Chain } from '../blocks/chain.js'
import type { Random } from '../market/random.js'
import type { Reply } from '../node/rpc/reply.js'
import type { Call } from './request.js'

/** A fault that is switched on. */
export type Fault = {
  readonly id: number
  readonly kind: string
  /** The kind's own number: seconds, blocks, percent, a port. */
  readonly n: number
  /** Only the next call that it fits; then it is over. */
  readonly once: boolean
  /** Milliseconds since 1970 when it ends by itself. */
  readonly until?: number
  /** Only calls of this method, or of a path with this in it. */
  readonly method?: string
  /** Only this contract. */
  readonly pair?: string
  /** Of what is drawn at random. */
  readonly seed: number
  /** The chain's height when it was switched on. */
  readonly height: number
}

/** What somebody asks for; what is left out is the kind's to say. */
export type FaultRequest = Pick<Fault, 'kind'> &
  Partial<Pick<Fault, 'n' | 'once' | 'method' | 'pair' | 'seed'>> & {
    /** How long, in milliseconds; until it is switched off if left out. */
    readonly forMs?: number
  }

/** The node's honest answer. */
export type Next = () => Promise<Reply>

/** Answers in place of the node, or spoils what the node answers. */
export type Answer = (call: Call, next: Next, fault: Fault, random: Random) => Promise<Reply>
/** The chain as it is shown to whoever asks; the real one goes on beneath. */
export type Show = (chain: Chain, fault: Fault, random: Random) => Chain

/** Where a fault does its work. */
export type Effect =
  | { readonly at: 'answer'; readonly answer: Answer; fits?(call: Call): boolean }
  | { readonly at: 'view'; readonly show: Show; fits?(call: Call): boolean }
  /** On what a subscriber is told, each block. */
  | { readonly at: 'socket' }
  /** On when blocks are made. */
  | { readonly at: 'production' }
  /** On a transaction that the node has accepted, until a block holds it. */
  | { readonly at: 'transaction' }

export type FaultGroup =
  | 'connection'
  | 'answer'
  | 'batch'
  | 'chain'
  | 'market'
  | 'socket'
  | 'execution'

/** One way in which a node can fail. */
export type FaultKind = {
  readonly kind: string
  readonly group: FaultGroup
  readonly does: string
  /** The failure that clients have to survive, by its number in the list of requirements. */
  readonly row: string
  /** What a good client does about it. */
  readonly sees: string
  /** The number that may follow the kind. */
  readonly number?: {
    readonly meaning: string
    readonly fallback: number
    readonly least: number
    readonly most: number
  }
  readonly effect: Effect
}

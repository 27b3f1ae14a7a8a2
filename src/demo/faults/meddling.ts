import { createHash } from 'node:crypto'
import type { Chain, Meddling } from '../blocks/chain.js'
import { decodeTx, type Tx } from '../tx/decode.js'
import type { FaultBoard } from './board.js'
import type { Fault } from './fault.js'
import { moveMarket, routerSwapOf } from './slippage.js'

/** What faults do to transactions that wait, and to the making of blocks. */
export type Meddler = {
  /** To be told of every transaction that the node has accepted. */
  accepted(tx: Uint8Array): void
  /** Whether blocks are made at the moment. */
  producing(): boolean
  readonly meddling: Meddling
}

const hashOf = (tx: Uint8Array): string => createHash('sha256').update(tx).digest('hex')

/** Binds the faults of a board to the transactions of a chain. */
export function meddlerOf(chain: Chain, board: FaultBoard): Meddler {
  /** What each marked transaction, by its hash, is to meet. */
  const marked = new Map<string, Fault>()
  const over = (fault: Fault): boolean =>
    !fault.once && !board.active().some(({ id }) => id === fault.id)

  const waiting = (kind: string): readonly Uint8Array[] =>
    chain.pending().filter((tx) => {
      const fault = marked.get(hashOf(tx))
      return fault?.kind === kind && !over(fault)
    })

  return {
    accepted(tx) {
      const fault = board.active().find((each) => meets(each, tx, chain))
      if (!fault) return
      board.spend(fault)
      marked.set(hashOf(tx), fault)
      // For one transaction or for all: a chain that has stopped stays so until it is told.
      if (fault.kind === 'halt' && fault.once)
        board.add(
          {
            kind: 'halted',
            ...(fault.until !== undefined && { forMs: fault.until - board.now() }),
          },
          chain.height,
        )
    },
    producing: () =>
      !board.active().some(({ kind }) => kind === 'halted') && waiting('halt').length === 0,
    meddling: {
      before: () =>
        waiting('slippage')
          .flatMap((tx) => moveMarket(chain, tx))
          .slice(0, 1),
      admit(tx) {
        const fault = marked.get(hashOf(tx))
        return fault?.kind === 'timeout' && !over(fault) ? 'later' : 'now'
      },
    },
  }
}

/** Whether a fault is of those that a transaction meets, and this is such a transaction. */
function meets(fault: Fault, bytes: Uint8Array, chain: Chain): boolean {
  if (fault.kind === 'slippage') return routerSwapOf(chain, bytes) !== undefined
  if (fault.kind !== 'timeout' && fault.kind !== 'halt') return false
  return fault.pair === undefined || isAbout(decodeTx(bytes), fault.pair)
}

const isAbout = ({ messages }: Tx, contract: string): boolean =>
  messages.some(
    (message) =>
      message.kind === 'execute' &&
      (message.contract === contract || message.message.includes(contract)),
  )

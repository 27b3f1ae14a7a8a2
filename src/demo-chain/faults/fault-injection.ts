import type { Chain, Meddling } from '../blocks/chain.js'
import { txHash } from '../blocks/tx-hash.js'
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
  /** Lets go of the transactions that a fault holds; of all, or of one kind. */
  release(kind?: string): void
  readonly meddling: Meddling
}

/** Binds the faults of a board to the transactions of a chain. */
export function meddlerOf(chain: Chain, board: FaultBoard): Meddler {
  /** What each marked transaction, by its hash, is to meet. */
  const marked = new Map<string, Fault>()
  const over = ({ id, once, until }: Fault): boolean =>
    once
      ? until !== undefined && until <= board.now()
      : !board.active().some((each) => each.id === id)

  const waiting = (kind: string): readonly Uint8Array[] =>
    chain.pending().filter((tx) => {
      const fault = marked.get(txHash(tx))
      return fault?.kind === kind && !over(fault)
    })

  /** A chain that one transaction has stopped stays so, whatever becomes of that one. */
  const stopFor = ({ until }: Fault) => {
    const forMs = until === undefined ? {} : { forMs: until - board.now() }
    board.add({ kind: 'halted', ...forMs }, chain.height)
  }

  return {
    accepted(tx) {
      const fault = board.active().find((each) => meets(each, tx, chain))
      if (!fault) return
      board.spend(fault)
      if (fault.kind === 'halt' && fault.once) stopFor(fault)
      else marked.set(txHash(tx), fault)
    },
    release(kind) {
      for (const [hash, fault] of marked)
        if (kind === undefined || fault.kind === kind) marked.delete(hash)
    },
    producing: () =>
      !board.active().some(({ kind }) => kind === 'halted') && waiting('halt').length === 0,
    meddling: {
      before() {
        const [tx] = waiting('slippage')
        return tx ? moveMarket(chain, tx) : []
      },
      admit(tx) {
        const fault = marked.get(txHash(tx))
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

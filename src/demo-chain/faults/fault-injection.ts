import { attempt } from '../../platform/attempt.js'
import { agentTransactions } from '../agents/traders.js'
import { type BlockInjection, type Chain, newestState, type TxResult } from '../blocks/chain.js'
import { txHash } from '../blocks/hashing.js'
import { runTx } from '../blocks/run-tx.js'
import { type Agent, agentsOf } from '../genesis/known-accounts.js'
import { marketNotes } from '../genesis/market-snapshot.js'
import { balanceOf } from '../modules/bank.js'
import type { Coin } from '../modules/contract.js'
import { Overlay, type Reader } from '../store/state.js'
import { decodeTx, type ExecuteMessage, signerOf, type Tx } from '../tx/decode.js'
import { accountTx, executeMessage } from '../tx/sign.js'
import type { FaultBoard } from './board.js'
import { faultKind } from './catalogue.js'
import type { Fault } from './fault.js'

/** Effects of faults on pending transactions and on block production. */
export type FaultInjection = {
  /** To be called for every transaction that the node accepts. */
  accepted(tx: Uint8Array): void
  /** Whether blocks are made at the moment. */
  producing(): boolean
  /** Releases the transactions held by all faults, or by one kind. */
  release(kind?: string): void
  readonly blockInjection: BlockInjection
}

/** Binds the faults of a board to the transactions of a chain. */
export function faultInjectionOf(chain: Chain, board: FaultBoard): FaultInjection {
  /** The fault of each marked transaction, by its hash. */
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

  /** Stops block production; the stop outlasts the transaction that caused it. */
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
    blockInjection: {
      before() {
        const [tx] = waiting('slippage')
        return tx ? moveMarket(chain, tx) : []
      },
      admits(tx) {
        const fault = marked.get(txHash(tx))
        return fault?.kind !== 'timeout' || over(fault)
      },
    },
  }
}

/** Whether a fault applies to a transaction. */
function meets({ kind, pair }: Fault, bytes: Uint8Array, chain: Chain): boolean {
  if (faultKind(kind)?.effect.at !== 'transaction') return false
  if (pair !== undefined && !isAbout(decodeTx(bytes), pair)) return false
  return kind !== 'slippage' || routerSwapOf(chain, bytes) !== undefined
}

const isAbout = ({ messages }: Tx, contract: string): boolean =>
  messages.some(
    (message) =>
      message.kind === 'execute' &&
      (message.contract === contract || message.message.includes(contract)),
  )

/** Gas limit of the trader's swap: more than any swap uses. */
const GAS = 50_000_000n

/** The first router swap with a minimum in a transaction, if there is one. */
function routerSwapOf(chain: Chain, bytes: Uint8Array): ExecuteMessage | undefined {
  const { router } = marketNotes(newestState(chain))
  return decodeTx(bytes).messages.find(
    (message): message is ExecuteMessage =>
      message.kind === 'execute' &&
      message.contract === router &&
      message.funds.length === 1 &&
      swapOf(message) !== undefined,
  )
}

type Swap = { readonly min_return: unknown; readonly stages: unknown }

const swapOf = ({ message }: ExecuteMessage): Swap | undefined =>
  attempt(() => {
    const { swap } = JSON.parse(message) as { readonly swap?: Partial<Swap> }
    return swap?.stages && swap.min_return ? (swap as Swap) : undefined
  })

/** Amounts tried at most: four times the last one, then between the largest that is too small and the least too large. */
const TRIALS = 20

/**
 * A front-running transaction that swaps the same route, large enough that the user's swap misses its minimum, and not
 * so large that it fails for another reason; empty if no tried amount suffices.
 */
function moveMarket(chain: Chain, user: Uint8Array): readonly Uint8Array[] {
  const state = newestState(chain)
  const message = routerSwapOf(chain, user)
  const [funds] = message?.funds ?? []
  if (!message || !funds) return []
  const acting = agentTransactions(chain.options)(chain)
  const agent = richestTrader(chain, state, funds.denom, acting)
  if (!agent) return []
  const held = balanceOf(state, agent.address, funds.denom)
  let paid = 0n
  let failed = held + 1n
  let amount = funds.amount
  for (let trial = 0; trial < TRIALS && paid < amount && amount < failed; trial++) {
    const mover = moverSwap(chain, state, agent, message, { denom: funds.denom, amount })
    const [moved, last] = trialResults(chain, state, [...acting, mover, user]).slice(-2)
    if (moved?.code === 0 && last?.log.includes('Invalid return amount')) return [mover]
    if (moved?.code === 0 && last?.code === 0) paid = amount
    else failed = amount
    const isBelowFailure = failed <= held || paid * 4n > held
    amount = isBelowFailure ? (paid + failed) / 2n : paid * 4n
  }
  return []
}

/** The trader with the largest balance who has no other transaction in this block. */
function richestTrader(
  { options }: Chain,
  state: Reader,
  denom: string,
  acting: readonly Uint8Array[],
): Agent | undefined {
  const busy = new Set(acting.flatMap((tx) => decodeTx(tx).messages.map(signerOf)))
  const held = ({ address }: Agent): bigint => balanceOf(state, address, denom)
  const [richest] = agentsOf(options.prefix, options.seed)
    .trader.filter((agent) => !busy.has(agent.address) && held(agent) > 0n)
    .sort((a, b) => Number(held(b) - held(a)))
  return richest
}

/** The user's route with another amount and a minimum of 1. */
function moverSwap(
  { options }: Chain,
  state: Reader,
  agent: Agent,
  message: ExecuteMessage,
  offer: Coin,
): Uint8Array {
  const { stages, min_return } = swapOf(message) as Swap
  const floor = { ...(min_return as object), amount: '1' }
  return accountTx(options, state, agent, {
    gas: GAS,
    messages: [
      executeMessage(
        agent.address,
        message.contract,
        JSON.stringify({ swap: { min_return: floor, stages } }),
        [offer],
      ),
    ],
  })
}

/** The results of transactions in the next block, in order. */
function trialResults(
  chain: Chain,
  state: Reader,
  txs: readonly Uint8Array[],
): readonly TxResult[] {
  const now = chain.machineAt(chain.height)
  const machine = {
    ...now,
    height: now.height + 1,
    time: now.time + BigInt(chain.options.blockTimeMs) * 1_000_000n,
  }
  const trial = new Overlay(state)
  return txs.map((tx) => runTx(machine, trial, tx, 'deliver', chain.options))
}

import { attempt } from '../../platform/attempt.js'
import { type Chain, MempoolFull, type TxResult } from '../blocks/chain.js'
import { ACCOUNTS, type Account } from '../modules/accounts.js'
import { ChainFailure, failures } from '../modules/chain-failure.js'
import type { Coin } from '../modules/contract.js'
import type { Reader } from '../store/state.js'
import { decodeTx, type Tx } from '../tx/decode.js'
import { changedChain, type FaultKind, faultsOf, isBroadcast, type ViewChange } from './fault.js'
import { reset } from './responses.js'

const busy: ViewChange = (chain) =>
  changedChain(chain, {
    broadcast: () => {
      throw new MempoolFull()
    },
  })

/** Coins that a transaction spends: its fee, then the funds of its messages. */
const spentBy = ({ fee, messages }: Tx): readonly Coin[] => [
  ...(fee?.coins ?? []),
  ...messages.flatMap((message) => (message.kind === 'execute' ? message.funds : message.coins)),
]

/** Refuses for insufficient funds; a transaction that spends nothing passes. */
function refusedForFunds(chain: Chain, bytes: Uint8Array): TxResult {
  const tx = attempt(() => decodeTx(bytes), ChainFailure)
  const coin = tx && spentBy(tx).find(({ amount }) => amount > 0n)
  if (coin === undefined) return chain.broadcast(bytes)
  const { code, codespace, message } = failures.insufficientFunds(
    `spendable balance 0${coin.denom} is smaller than ${coin.amount}${coin.denom}: insufficient funds`,
  )
  const nothing = { data: new Uint8Array(), gasWanted: 0n, gasUsed: 0n, events: [] }
  return { ...nothing, code, codespace, log: message }
}

/** Accounts with a sequence that is too high. */
const lyingState = (state: Reader, n: number): Reader => ({
  get: (space, key) => {
    const value = state.get(space, key)
    if (space !== ACCOUNTS || !value) return value as never
    const account = value as Account
    return { ...account, sequence: account.sequence + BigInt(n) } as never
  },
  keys: (space, start) => state.keys(space, start),
})

const sequenceLie: ViewChange = (chain, { n }) =>
  changedChain(chain, {
    stateAt: (height) => {
      const state = chain.stateAt(height)
      return state && lyingState(state, n)
    },
  })

const ofExecution = faultsOf('execution')

/** Faults of transactions. */
export const executionFaults: readonly FaultKind[] = [
  ofExecution(
    'slippage',
    'another trade comes before the next router swap in the same block, which then fails',
    'the swap is refused by its own minimum (exit 5): only the fee is spent; quote again',
    { at: 'transaction' },
  ),
  ofExecution(
    'timeout',
    'a transaction is accepted and never included before its timeout height',
    'outcome unknown (exit 9), then certainly not included; never signed again',
    { at: 'transaction' },
  ),
  ofExecution(
    'halt',
    'the chain stops after it has accepted a transaction',
    'outcome unknown (exit 9) until the chain makes blocks again',
    { at: 'transaction' },
  ),
  ofExecution(
    'funds',
    'the node refuses a transaction as if its account were empty',
    'insufficient funds (exit 6)',
    {
      at: 'view',
      show: (chain) => changedChain(chain, { broadcast: (tx) => refusedForFunds(chain, tx) }),
      fits: isBroadcast,
    },
  ),
  ofExecution('busy', 'the mempool is full', 'the same bytes again after a pause', {
    at: 'view',
    show: busy,
    fits: isBroadcast,
  }),
  ofExecution(
    'lost-reply',
    'a transaction is accepted, and the connection closed without an answer',
    'the same bytes again, or a query for their hash; never signed again',
    { at: 'answer', answer: reset, fits: isBroadcast },
  ),
  ofExecution(
    'sequence-lie',
    'accounts are shown with a sequence that is too high',
    'the node refuses the sequence (code 32): the same bytes again, then an error',
    { at: 'view', show: sequenceLie },
    { meaning: 'too high by', fallback: 1, least: 1, most: 1000 },
  ),
]

import { setAccount, touchAccount } from '../../../src/demo-chain/modules/accounts.js'
import { addressOfKey, invalidAddress } from '../../../src/demo-chain/modules/addresses.js'
import { setBalance } from '../../../src/demo-chain/modules/bank.js'
import type { Coin, Contract } from '../../../src/demo-chain/modules/contract.js'
import type { Machine } from '../../../src/demo-chain/modules/dispatch.js'
import { Overlay } from '../../../src/demo-chain/store/state.js'
import { Store } from '../../../src/demo-chain/store/store.js'
import type { TxRules } from '../../../src/demo-chain/tx/fee.js'
import { publicKeyOf, type Signing, signedTx } from '../../../src/demo-chain/tx/sign.js'
import { readJson } from '../../support/vectors.js'

/** An empty state. */
export const emptyState = (): Overlay => new Overlay(new Store(1, 10).at(1))

/** The contents of a state, to compare. */
export const written = (state: Overlay): unknown[] => [...state.changes()]

export const RULES: TxRules = { prefix: 'demo', gasPrice: 0n, feeDenom: 'rune' }

export type Contracts = { readonly [address: string]: Contract }

export const machineOf = (contracts: Contracts = {}, more: Partial<Machine> = {}): Machine => ({
  chainId: 'demo-1',
  height: 7,
  time: 1_700_000_000_000_000_000n,
  contractAt: (_state, address) => contracts[address],
  invalid: (address) => invalidAddress('demo', address),
  oracle: () => undefined,
  ...more,
})

/** An account with a key whose bytes are all `digit`. */
export type Signer = { readonly privateKey: Uint8Array; readonly address: string }
export const signer = (digit: number, prefix = 'demo'): Signer => {
  const privateKey = new Uint8Array(32).fill(digit)
  return { privateKey, address: addressOfKey(prefix, publicKeyOf(privateKey)) }
}

/** Gives an address an account with these coins. */
export function fund(state: Overlay, address: string, coins: readonly Coin[]): void {
  touchAccount(state, address)
  for (const coin of coins) setBalance(state, address, coin)
}

export const known = (state: Overlay, address: string, number: bigint, sequence: bigint): void =>
  setAccount(state, address, { number, sequence, pubKey: undefined })

/** A transaction of a person, by default the first of the first account. */
export const signedBy = (
  { privateKey }: Signer,
  signing: Partial<Signing> & Pick<Signing, 'messages'>,
): Uint8Array =>
  signedTx({
    privateKey,
    chainId: 'demo-1',
    accountNumber: 0n,
    sequence: 0n,
    gas: 2_000_000n,
    ...signing,
  })

type Attributes = readonly { readonly key: string; readonly value: string }[]
type RecordedEvent = { readonly type: string; readonly attributes: Attributes }

/** The recorded answers of a real node to real transactions. */
export type Recorded = {
  readonly mainnet: { readonly [field: string]: string }
  readonly checks: readonly {
    readonly name: string
    readonly tx: string
    readonly code: number
    readonly codespace: string
    readonly log: string
    readonly hash: string
    readonly accountNumber?: string
  }[]
  readonly committed: readonly {
    readonly name: string
    readonly tx: string
    readonly hash: string
    readonly accountNumber: string
    readonly result: {
      readonly code: number
      readonly codespace: string
      readonly log: string
      readonly data: string | null
      readonly gas_wanted: string
      readonly gas_used: string
      readonly events: readonly RecordedEvent[]
    }
  }[]
}
export const recorded = readJson<Recorded>('transactions.json')

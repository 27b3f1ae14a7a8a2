import type { Reader, Writer } from '../store/state.js'

/** An account of the chain. Contracts and modules have one as well; only keys sign. */
export type Account = {
  readonly number: bigint
  /** Number of signed transactions, and the sequence of the next one. */
  readonly sequence: bigint
  /** Compressed secp256k1 key in lower-case hex; unknown until the first signature. */
  readonly pubKey: string | undefined
}

/** The state space of accounts, by address. */
export const ACCOUNTS = 'auth'
const NEXT = 'auth/next'

/** The account at an address, if it has ever received coins or signed. */
export const accountOf = (state: Reader, address: string): Account | undefined =>
  state.get<Account>(ACCOUNTS, address)

export const setAccount = (state: Writer, address: string, account: Account): void =>
  state.set(ACCOUNTS, address, account)

/** Gives an address the next free account number unless it has an account already. */
export function touchAccount(state: Writer, address: string): Account {
  const present = accountOf(state, address)
  if (present) return present
  const number = state.get<bigint>(NEXT, 'number') ?? 0n
  state.set(NEXT, 'number', number + 1n)
  const account: Account = { number, sequence: 0n, pubKey: undefined }
  setAccount(state, address, account)
  return account
}

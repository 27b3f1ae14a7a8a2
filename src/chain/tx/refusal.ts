/** Reasons of a chain for refusing a transaction. */
export type Reason =
  /** The output is below the minimum of the message. */
  | 'price'
  | 'funds'
  | 'fee'
  | 'gas'
  /** The memo is longer than the chain allows; no other node or height accepts it. */
  | 'memo'
  /** The sequence is not that of the account. */
  | 'sequence'
  /** The timeout height has passed. */
  | 'timeout'
  | 'halted'
  /** The signature does not match: wrong chain id, account number or key. */
  | 'signature'
  /** The node already has the same bytes. */
  | 'known'
  | 'busy'
  | 'other'

/** The status of a transaction as the chain reports it. */
export type TxStatusCode = {
  readonly codespace: string
  readonly code: number
  /** The node's message. */
  readonly log: string
}

export type Refusal = TxStatusCode & { readonly reason: Reason }

const OF_SDK: Readonly<Record<number, Reason>> = {
  4: 'signature',
  5: 'funds',
  9: 'funds',
  11: 'gas',
  12: 'memo',
  13: 'fee',
  19: 'known',
  20: 'busy',
  30: 'timeout',
  32: 'sequence',
  42: 'timeout',
}

/** Contracts use one code for all errors: only their messages identify a price failure. */
const PRICE = /Invalid return amount \d+ expected \d+|InsufficientReturn/
const HALTED = /\bhalt(?:ed)?\b|\bpaused\b|trading is disabled/i

/** The reason of a refusal, by its code; of contract errors, which share one code, by the message. */
export function reasonOf({ codespace, code, log }: TxStatusCode): Reason {
  if (codespace === 'sdk') return OF_SDK[code] ?? (HALTED.test(log) ? 'halted' : 'other')
  return reasonIn(log)
}

/** The reason in a contract's message, for simulations, which have no code. */
export function reasonIn(log: string): Reason {
  if (PRICE.test(log)) return 'price'
  return HALTED.test(log) ? 'halted' : 'other'
}

/** Only the message says that a query or a simulation needs too much gas: its code is that of any failure. */
export const isOutOfGas = (log: string): boolean => /\bout of gas\b/.test(log)

/** The sequences in a refusal of another sequence: that of the account on the node, and that of the transaction. */
export function sequencesIn(log: string): { expected: bigint; got: bigint } | undefined {
  const [, expected, got] = /account sequence mismatch, expected (\d+), got (\d+)/.exec(log) ?? []
  return expected === undefined || got === undefined
    ? undefined
    : { expected: BigInt(expected), got: BigInt(got) }
}

/** The amounts in the message of a router or pair about an output that is too small, in atomics. */
export function amountsIn(log: string): { received: bigint; expected: bigint } | undefined {
  const router = /Invalid return amount (\d+) expected (\d+)/.exec(log)
  if (router) return { received: BigInt(router[1]!), expected: BigInt(router[2]!) }
  const pair = /InsufficientReturn.*?expected (\d+),? got (\d+)/.exec(log)
  return pair ? { received: BigInt(pair[2]!), expected: BigInt(pair[1]!) } : undefined
}

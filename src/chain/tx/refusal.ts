/** Reasons of a chain for refusing a transaction, as far as a program treats them differently. */
export type Reason =
  /** The output is below what the message demands. */
  | 'price'
  | 'funds'
  | 'fee'
  | 'gas'
  /** The memo is longer than the chain allows: so it is on every node and at every height. */
  | 'memo'
  /** The sequence is not the account's. */
  | 'sequence'
  /** The timeout height has passed. */
  | 'timeout'
  | 'halted'
  /** The chain id, the account's number or the key is another one. */
  | 'signature'
  /** The node has the very bytes already. */
  | 'known'
  | 'busy'
  | 'other'

/** A refusal in the chain's own terms. */
export type TxStatusCode = {
  readonly codespace: string
  readonly code: number
  /** In the node's own words. */
  readonly log: string
}

/** A refusal, in the chain's own terms and in ours. */
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

/** Contracts give one code for everything: only their messages distinguish a price failure. */
const PRICE = /Invalid return amount \d+ expected \d+|InsufficientReturn/
const HALTED = /\bhalt(?:ed)?\b|\bpaused\b|trading is disabled/i

/** What a refusal means. Codes decide; words only where a contract has no code of its own. */
export function reasonOf({ codespace, code, log }: TxStatusCode): Reason {
  if (codespace === 'sdk') return OF_SDK[code] ?? (HALTED.test(log) ? 'halted' : 'other')
  return reasonIn(log)
}

/** What the words of a contract mean, where there is no code: a trial gives none. */
export function reasonIn(log: string): Reason {
  if (PRICE.test(log)) return 'price'
  return HALTED.test(log) ? 'halted' : 'other'
}

/** The sequences that a refusal names: the one of the account as the node sees it, and ours. */
export function sequencesIn(log: string): { expected: bigint; got: bigint } | undefined {
  const [, expected, got] = /expected (\d+), got (\d+)/.exec(log) ?? []
  return expected === undefined || got === undefined
    ? undefined
    : { expected: BigInt(expected), got: BigInt(got) }
}

/** The amounts that a router or a pair names when the output is too small, in atomics. */
export function amountsIn(log: string): { received: bigint; expected: bigint } | undefined {
  const router = /Invalid return amount (\d+) expected (\d+)/.exec(log)
  if (router) return { received: BigInt(router[1]!), expected: BigInt(router[2]!) }
  const pair = /InsufficientReturn.*?expected (\d+),? got (\d+)/.exec(log)
  return pair ? { received: BigInt(pair[2]!), expected: BigInt(pair[1]!) } : undefined
}

import type { ChainAccount } from '../chain/tx/account.js'
import type {
  BroadcastResult,
  IncludedTx,
  Inspection,
  Scan,
  TxIdentity,
} from '../chain/tx/outcome.js'
import type { Market } from '../engine/market/market.js'
import type { Coin, Denom, Token } from '../engine/market/token.js'
import type { Stage } from '../engine/routing/message.js'
import type { ChainPort } from '../operations/chain-port.js'
import { DAY_MS } from '../platform/clock.js'
import type { Signer } from '../wallet/signing/protocol.js'
import type { Owner } from './journal/intent.js'
import type { Signing } from './journal/intent-schema.js'

/** An account to execute with. Unlocking may prompt for a password. */
export type Account = {
  /** The key's name; `null` if only an address is known. */
  readonly name: string | null
  readonly address: string
  /** Compressed secp256k1; `undefined` if only an address is known. */
  readonly publicKey: Uint8Array | undefined
  /** Whether it signs in SIGN_MODE_LEGACY_AMINO_JSON. */
  readonly isAmino?: boolean
  /** `undefined` if there is no key to sign with. */
  readonly unlock: (() => Promise<Signer>) | undefined
}

/** The state of an account on one node, at one height. */
export type AccountState = ChainAccount & { readonly node: string; readonly height: number }

/** The operations of a chain that execution needs. */
export type Chain = Pick<
  ChainPort,
  'feeDenom' | 'gasPrice' | 'endpoints' | 'balances' | 'trial'
> & {
  readonly network: string
  readonly chainId: string
  /** Whether a node names the gas price, since none is configured. */
  readonly isGasPriceOfNode: boolean
  /** The bech32 prefix of its addresses. */
  readonly prefix: string
  /** Reads the current market; never cached. */
  market(): Promise<Market>
  /**
   * The account on every node that answers, at its newest height or at the given one; empty if no node
   * knows the account.
   */
  accountStates(address: string, height?: number): Promise<readonly AccountState[]>
  /** What the account holds of a denom, by every node that answers, at its newest height. */
  balanceOfEach(
    address: string,
    denom: Denom,
  ): Promise<readonly { readonly node: string; readonly amount: bigint }[]>
  /** Whether decimals and symbol of a token are the network's own; those of others come from nodes. */
  isListed(denom: Denom): boolean
  /** Sends the same queries to every node, at one height: simulations, and the metadata of denoms. */
  compare(
    height: number,
    questions: readonly Question[],
    denoms: readonly Denom[],
  ): Promise<Comparison>
  /** Sends a transaction; faults of nodes are a result, not an error. */
  broadcast(txBytes: Uint8Array): Promise<BroadcastResult>
  /**
   * Whether this program runs the only node itself, as for the demo chain. A transaction that such a node refuses is in
   * no mempool.
   */
  readonly isOwn: boolean
  /** Looks a transaction up in the nodes' indexes. Absence proves nothing. */
  find(hash: string): Promise<IncludedTx | undefined>
  /** Reads the block of a height from every node, and looks for a transaction in it. */
  inspect(hash: string, height: number): Promise<Inspection>
  /** Looks for a transaction in blocks, both heights included. */
  scan(wanted: TxIdentity, from: number, to: number): Promise<Scan>
}

/** The answers of the nodes to the same simulations. */
export type Comparison = {
  /** How many nodes answered. */
  readonly nodes: number
  /** The faults of the others. */
  readonly silent: readonly string[]
  readonly differences: readonly string[]
  /** What the router pays, of one of the nodes; `undefined` if it refused. */
  readonly returned: readonly (bigint | undefined)[]
  /** The tokens of the denoms, of one of the nodes. */
  readonly tokens: readonly Token[]
}

/** A simulation of one leg, to compare nodes by. */
export type Question = {
  readonly contract: string
  readonly funds: Coin
  readonly stages: readonly Stage[]
}

/** Append-only record of the signatures for the accounts of this user. */
export type Ledger = {
  read(owner: Owner): readonly Signing[]
  /**
   * Appends a signature before it is published, once for each intent, unless `judge` throws. A lock keeps other
   * processes from appending for the same account meanwhile.
   *
   * @throws SwapError NOT_READY, BUSY, and what `judge` throws
   */
  claim(owner: Owner, signing: Signing, judge: (before: readonly Signing[]) => void): Promise<void>
}

/** The current times of the chain and of this machine. */
export type Times = Pick<Signing, 'chain_time' | 'local_time'>

/**
 * Value signed unattended in the last 24 hours, in millionths of a dollar. A signature counts until a
 * day has passed by both the chain's time and this machine's, so neither a lying node nor a clock that
 * was set forward raises the allowance; a clock that was set back is ignored. Bytes signed twice count once.
 *
 * @param isVoid whether the signed transaction certainly had no effect and never will
 */
export const spentUnattended = (
  signings: readonly Signing[],
  { chain_time, local_time }: Times,
  isVoid: (signing: Signing) => boolean,
): bigint =>
  signings
    .filter((signing) => {
      const byChain = Date.parse(chain_time) - Date.parse(signing.chain_time)
      const byClock = Date.parse(local_time) - Date.parse(signing.local_time)
      return byChain < DAY_MS || (byClock >= 0 && byClock < DAY_MS)
    })
    .filter((signing) => BigInt(signing.micro_usd ?? 0) > 0n && !isVoid(signing))
    .filter(({ hash }, i, counted) => counted.findIndex((each) => each.hash === hash) === i)
    .reduce((sum, { micro_usd }) => sum + BigInt(micro_usd ?? 0), 0n)

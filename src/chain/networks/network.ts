import type { GasRules } from '../../engine/market/gas.js'
import type { AffiliateRounding, Dialect } from '../../engine/market/market.js'
import type { Coin, Denom, Token } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'

/** How router builds round the affiliate fee, by the SHA-256 of their code in upper-case hex. */
export type RouterBuilds = ReadonlyMap<string, AffiliateRounding>

/** Builds that any network may run (docs/venues.md#router-builds). */
export const routerBuilds: RouterBuilds = new Map([
  // The published artefact of 2025-09-25.
  ['DB717B562E3DB71A0B8D5A2A725A53D07290F384683E301316162EF0948597E7', 'up'],
])

/** How to find a network's pairs; the first configured method that finds any is used. */
export type Discovery = {
  /** Name of the pairs' contract, for the REST route that lists contracts by name. */
  readonly name?: string
  /** Codes that pairs run, and what their labels start with. */
  readonly codes?: { readonly ids: readonly bigint[]; readonly label: string }
  readonly pairs?: readonly string[]
  /** Pairs that are out of use for good: unreadable orders of them are not reported. */
  readonly retired?: readonly string[]
}

/** The constants of one chain. */
export type Network = {
  readonly name: string
  /** Other names that are accepted. */
  readonly aliases: readonly string[]
  readonly chainId: string
  /** Endpoints in the order in which they are tried. */
  readonly rpc: readonly string[]
  readonly rest: readonly string[]
  /** Of bech32 addresses. */
  readonly prefix: string
  readonly hdPath: string
  readonly feeDenom: Denom
  /** Fee for a unit of gas, in atomics of the fee's denom; `undefined`: the node's minimum. */
  readonly gasPrice: Decimal | undefined
  readonly gas: Pick<GasRules, 'percent' | 'limit'>
  /** The chain that its native tokens come from, upper case. */
  readonly home: string
  readonly discovery: Discovery
  readonly router: {
    /** `undefined` if unknown: then the configuration has to name it. */
    readonly address: string | undefined
    /** `auto`: detected by simulations of the router. */
    readonly dialect: Dialect | 'auto'
    /** How known builds round the affiliate fee. */
    readonly builds: RouterBuilds
  }
  /** The whitelisted denoms of the arbitrage scan with their fixed amounts. */
  readonly arbs: readonly Coin[]
  /** The dollar-pegged reference token. */
  readonly usd: Denom | undefined
  /** Token metadata by denom; the bank's metadata is used for other denoms. */
  readonly tokens: ReadonlyMap<Denom, Token>
  /** URL of the page of a transaction, without the hash at its end. */
  readonly explorer?: string | undefined
  /** Whether tokens have value: the network's name is then printed conspicuously. */
  readonly real: boolean
}

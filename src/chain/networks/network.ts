import type { GasRules } from '../../engine/market/gas.js'
import type { AffiliateRounding, Dialect } from '../../engine/market/market.js'
import type { Coin, Denom, Token } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'

/** What is known of a router's builds, by the checksum of their code: SHA-256, upper-case hex. */
export type RouterBuilds = ReadonlyMap<string, AffiliateRounding>

/** Builds that any network may run (docs/venues.md#router-builds). */
export const routerBuilds: RouterBuilds = new Map([
  // The published artefact of 2025-09-25.
  ['DB717B562E3DB71A0B8D5A2A725A53D07290F384683E301316162EF0948597E7', 'up'],
])

/** Ways to find a network's pairs; the first that is given and gives any is taken. */
export type Discovery = {
  /** Name of the pairs' contract, for the REST route that lists contracts by name. */
  readonly name?: string
  /** Codes that pairs run, and what their labels start with. */
  readonly codes?: { readonly ids: readonly bigint[]; readonly label: string }
  readonly pairs?: readonly string[]
  /** Pairs that were given up for good: that their orders cannot be read is not reported. */
  readonly retired?: readonly string[]
}

/** Everything that is peculiar to one chain. */
export type Network = {
  readonly name: string
  /** Other names that people may type. */
  readonly aliases: readonly string[]
  readonly chainId: string
  /** Endpoints in the order in which they are tried. */
  readonly rpc: readonly string[]
  readonly rest: readonly string[]
  /** Of bech32 addresses. */
  readonly prefix: string
  readonly hdPath: string
  readonly feeDenom: Denom
  /** Fee for a unit of gas, in atomics of the fee's denom; `undefined`: what the node demands at least. */
  readonly gasPrice: Decimal | undefined
  readonly gas: GasRules
  /** The chain that its native tokens come from, upper case. */
  readonly home: string
  readonly discovery: Discovery
  readonly router: {
    /** `undefined` where none is known: then configuration has to say it. */
    readonly address: string | undefined
    /** `auto`: the router itself is asked which one it understands. */
    readonly dialect: Dialect | 'auto'
    /** How known builds round the affiliate fee. */
    readonly builds: RouterBuilds
  }
  /** The whitelisted denoms of the arbitrage scan with their fixed amounts. */
  readonly arbs: readonly Coin[]
  /** The dollar-pegged reference token. */
  readonly usd: Denom | undefined
  /** Tokens by denom, as people know them; what is missing is taken from the bank. */
  readonly tokens: ReadonlyMap<Denom, Token>
  /** The page of a transaction; its hash follows. */
  readonly explorer?: string | undefined
  /** Whether real money is at stake: the network's name is then printed conspicuously. */
  readonly real: boolean
}

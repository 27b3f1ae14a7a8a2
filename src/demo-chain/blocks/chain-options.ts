import type { Dialect } from '../contracts/router/message.js'
import type { RouterBuild } from '../contracts/router/router-state.js'
import type { TxRules } from '../tx/coins.js'

/** The options of a chain: the same options and the same transactions give the same blocks. */
export type ChainOptions = TxRules & {
  readonly chainId: string
  readonly seed: number
  /** Between the times of two blocks. */
  readonly blockTimeMs: number
  readonly dialect: Dialect
  /** The router's build: `source` where it is missing. */
  readonly routerBuild?: RouterBuild
  /** Whether the base layer has prices, and the pairs of `oraclesOf` their oracles. */
  readonly oracles?: boolean
  /** Heights that answer queries. */
  readonly keep: number
  /** Whether seeded traders and makers act in every block. */
  readonly life: boolean
}

/** Whether a value read from a file is a chain's options. */
export function areChainOptions(value: unknown): value is ChainOptions {
  const options = Object(value) as { readonly [name in keyof ChainOptions]?: unknown }
  const { chainId, prefix, feeDenom, gasPrice, life, routerBuild, oracles } = options
  return (
    [chainId, prefix, feeDenom].every((text) => typeof text === 'string' && text !== '') &&
    isWhole(options.seed, 0) &&
    isWhole(options.blockTimeMs, 1) &&
    isWhole(options.keep, 1) &&
    typeof gasPrice === 'bigint' &&
    typeof life === 'boolean' &&
    ['stack', 'forward'].includes(options.dialect as string) &&
    [undefined, 'source', 'published'].includes(routerBuild as string | undefined) &&
    [undefined, true, false].includes(oracles as boolean | undefined)
  )
}

const isWhole = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least

export const demoOptions: ChainOptions = {
  chainId: 'demo-1',
  prefix: 'demo',
  seed: 1,
  blockTimeMs: 2000,
  dialect: 'forward',
  gasPrice: 0n,
  feeDenom: 'rune',
  keep: 1000,
  life: true,
}

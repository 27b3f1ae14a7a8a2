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

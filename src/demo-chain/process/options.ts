import { invalidRequest } from '../../engine/errors.js'
import { type ChainOptions, demoOptions } from '../blocks/chain-options.js'

/** The options that a chain keeps. */
type KeptOptions = Pick<
  ChainOptions,
  'seed' | 'blockTimeMs' | 'dialect' | 'routerBuild' | 'oracles'
>

/** Requested options; missing ones are those of the existing chain, otherwise the defaults. */
export type StartOptions = Partial<KeptOptions> & {
  /** Of the RPC; REST takes the next one. 0 takes any free ones. */
  readonly port?: number
}

/** The ports of a real node. */
const RPC_PORT = 26657
const REST_PORT = 1317

/** The ports to listen at. */
export function portsOf({ port }: StartOptions) {
  if (port === undefined) return { rpcPort: RPC_PORT, restPort: REST_PORT }
  return { rpcPort: port, restPort: port === 0 ? 0 : port + 1 }
}

/** The options of a new chain. */
export const optionsOf = ({ port: _port, ...start }: StartOptions): ChainOptions => ({
  ...demoOptions,
  ...start,
})

/** The options that a chain keeps, each with its default where a saved chain lacks it, and in words. */
const COMPARED = [
  ['seed', undefined, (seed: unknown) => `seed ${seed}`],
  ['blockTimeMs', undefined, (ms: unknown) => `a block time of ${ms} ms`],
  ['dialect', undefined, (dialect: unknown) => `the dialect ${dialect}`],
  ['routerBuild', 'source', (build: unknown) => `the router build ${build}`],
  ['oracles', false, (isOn: unknown) => (isOn ? 'oracles' : 'no oracles')],
] as const

/** Refuses a chain whose options differ from the requested ones. @throws SwapError */
export function checkAgreement(wanted: StartOptions, present: KeptOptions): void {
  for (const [name, fallback, wordsOf] of COMPARED) {
    const found = present[name] ?? fallback
    if (wanted[name] !== undefined && wanted[name] !== found)
      throw invalidRequest(`the present chain has ${wordsOf(found)}`, `/${name}`, {
        why: `requested: ${wordsOf(wanted[name])}; a chain keeps the options that it was made with`,
        hint: 'make a new one: swap demo reset, then swap demo start; or start without that flag',
      })
  }
}

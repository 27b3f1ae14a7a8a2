import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  countOrNull,
  type DocumentOf,
  flagOf,
  numberOf,
  textOf,
  textOrNull,
} from './document-schema.js'

/** A fault of the demo chain that is switched on. */
const DemoFault = closedObject({
  kind: textOf('Kind of the fault.'),
  n: numberOf('Its number, where the kind has one.'),
  once: flagOf('Whether it ends with its first effect.'),
  until: textOrNull('RFC 3339; null until it is switched off.'),
  method: textOrNull('Only requests of this method.'),
  pair: textOrNull('Only this pair.'),
})
export type DemoFault = DocumentOf<typeof DemoFault>

/** The answer of `swap demo status --json`: the embedded chain and the process that runs it. */
export const DemoStatus = closedObject({
  running: flagOf('Whether a process runs the chain.'),
  pid: countOrNull('That process.'),
  rpc: textOrNull('Its RPC endpoint.'),
  rest: textOrNull('Its REST endpoint.'),
  chain_id: textOf('Chain id.'),
  height: countOf('The newest block.'),
  time: textOf('Of the newest block, RFC 3339.'),
  seed: countOf('Seed of the market.'),
  block_time_ms: countOf('Milliseconds between blocks.'),
  router: textOf('Address of the router contract.'),
  dialect: textOf('Dialect of the router: forward or stack.'),
  router_build: textOf('Build of the router: source or published.'),
  oracles: flagOf('Whether pairs have oracles (demo start --oracles).'),
  faucet: closedObject({
    address: textOf('Account that holds the play money.'),
    mnemonic: textOf('Its public mnemonic.'),
  }),
  faults: Type.Array(DemoFault, { description: 'Faults that are switched on.' }),
})
export type DemoStatus = DocumentOf<typeof DemoStatus>

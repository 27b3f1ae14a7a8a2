import * as Type from 'typebox'
import { closedObject, type DocumentOf, orNull } from './document-schema.js'

/** A fault of the demo chain that is switched on. */
const DemoFault = closedObject({
  kind: Type.String({ description: 'Kind of the fault.' }),
  n: Type.Number({ description: 'Its number, where the kind has one.' }),
  once: Type.Boolean({ description: 'Whether it ends with its first effect.' }),
  until: orNull(Type.String({ description: 'RFC 3339; null until it is switched off.' })),
  method: orNull(Type.String({ description: 'Only requests of this method.' })),
  pair: orNull(Type.String({ description: 'Only this pair.' })),
})
export type DemoFault = DocumentOf<typeof DemoFault>

/** The answer of `swap demo status --json`: the embedded chain and the process that runs it. */
export const DemoStatus = closedObject({
  running: Type.Boolean({ description: 'Whether a process runs the chain.' }),
  pid: orNull(Type.Integer({ description: 'That process.' })),
  rpc: orNull(Type.String({ description: 'Its RPC endpoint.' })),
  rest: orNull(Type.String({ description: 'Its REST endpoint.' })),
  chain_id: Type.String({ description: 'Chain id.' }),
  height: Type.Integer({ description: 'The newest block.' }),
  time: Type.String({ description: 'Of the newest block, RFC 3339.' }),
  seed: Type.Integer({ description: 'Seed of the market.' }),
  block_time_ms: Type.Integer({ description: 'Milliseconds between blocks.' }),
  router: Type.String({ description: 'Address of the router contract.' }),
  dialect: Type.String({ description: 'Dialect of the router: forward or stack.' }),
  router_build: Type.String({ description: 'Build of the router: source or published.' }),
  oracles: Type.Boolean({ description: 'Whether pairs have oracles (demo start --oracles).' }),
  faucet: closedObject({
    address: Type.String({ description: 'Account that holds the play money.' }),
    mnemonic: Type.String({ description: 'Its public mnemonic.' }),
  }),
  faults: Type.Array(DemoFault, { description: 'Faults that are switched on.' }),
})
export type DemoStatus = DocumentOf<typeof DemoStatus>

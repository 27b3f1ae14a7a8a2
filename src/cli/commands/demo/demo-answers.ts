import * as Type from 'typebox'
import * as Doc from '../../../operations/document-schema.js'

/** An active fault of the demo chain. */
const DemoFault = Doc.closedObject({
  kind: Doc.text('Kind of the fault.'),
  n: Doc.number('Its number, where the kind has one.'),
  once: Doc.flag('Whether it ends with its first effect.'),
  until: Doc.textOrNull('RFC 3339; null until it is switched off.'),
  method: Doc.textOrNull('Only requests of this method.'),
  pair: Doc.textOrNull('Only this pair.'),
})
export type DemoFault = Doc.DocumentOf<typeof DemoFault>

/** The answer of `swap demo status --json`: the embedded chain and the process that runs it. */
export const DemoStatus = Doc.closedObject({
  running: Doc.flag('Whether a process runs the chain.'),
  pid: Doc.countOrNull('That process.'),
  rpc: Doc.textOrNull('Its RPC endpoint.'),
  rest: Doc.textOrNull('Its REST endpoint.'),
  chain_id: Doc.text('Chain id.'),
  height: Doc.count('The newest block.'),
  time: Doc.text('Of the newest block, RFC 3339.'),
  seed: Doc.count('Seed of the market.'),
  block_time_ms: Doc.count('Milliseconds between blocks.'),
  router: Doc.text('Address of the router contract.'),
  dialect: Doc.text('Dialect of the router: forward or stack.'),
  router_build: Doc.text('Build of the router: source or published.'),
  oracles: Doc.flag('Whether pairs have oracles (demo start --oracles).'),
  faucet: Doc.object('Where `swap demo faucet` takes play money from.', {
    address: Doc.text('Account that holds the play money.'),
    mnemonic: Doc.text('Its public mnemonic.'),
  }),
  faults: Doc.listOf('Faults that are switched on.', DemoFault),
})
export type DemoStatus = Doc.DocumentOf<typeof DemoStatus>

/** A kind of fault that can be injected. */
const DemoFaultKind = Doc.closedObject({
  kind: Doc.text('Kind of the fault.'),
  group: Doc.text('What fails.'),
  does: Doc.text('What the fault does.'),
  sees: Doc.text('What is to be seen of it.'),
  number: Type.Optional(
    Doc.object('The number of the kind, where it has one.', {
      meaning: Doc.text('What it counts.'),
      fallback: Doc.number('The number where none is given.'),
    }),
  ),
})
export type DemoFaultKind = Doc.DocumentOf<typeof DemoFaultKind>

/** The answer of `swap demo fail`: the kinds with the active faults, or the removed ones. */
export const DemoFaults = Doc.closedObject({
  kinds: Type.Optional(Doc.listOf('Without a kind: all that there are.', DemoFaultKind)),
  faults: Type.Optional(Doc.listOf('With a kind: faults that are on.', DemoFault)),
  ended: Type.Optional(Doc.listOf('With off: faults that were on.', DemoFault)),
})

const stoppedMembers = {
  stopped: Doc.flag('Whether a process was running.'),
  pid: Doc.countOrNull('That process.'),
}
/** The answer of `swap demo stop`. */
export const DemoStopped = Doc.closedObject(stoppedMembers)
/** The answer of `swap demo reset`. */
export const DemoReset = Doc.closedObject({
  ...stoppedMembers,
  removed: Doc.listOf('Paths of the removed files.', Type.String()),
})

/** The answer of `swap demo faucet`: the coins paid out. */
export const DemoGiven = Doc.closedObject({
  tx_hash: Doc.text('Hash of the transaction.'),
  height: Doc.countOrNull('The block that holds it; null when none did in time.'),
  address: Doc.text('Account that was paid.'),
  coins: Doc.coins('Coins that were paid.'),
})
export type DemoGiven = Doc.DocumentOf<typeof DemoGiven>

/** A line of `swap demo logs`: an event of the chain. */
export const DemoLogLine = Type.Object(
  { time: Doc.text('RFC 3339.'), event: Doc.text('What happened.') },
  {
    additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
      description: 'Facts of the event, by name.',
    }),
  },
)
export type DemoLogLine = Doc.DocumentOf<typeof DemoLogLine> & {
  readonly [fact: string]: string | number | boolean
}

import * as Type from 'typebox'
import { MAX_DECIMALS } from '../../engine/math/units.js'
import { SLIPPAGES } from '../../operations/defaults.js'
import * as Doc from '../../operations/document-schema.js'

/**
 * The states of a transaction.
 *
 * | state       | meaning                                                         | next                       |
 * |-------------|-----------------------------------------------------------------|----------------------------|
 * | `signed`    | on this machine only                                            | `sent`, `abandoned`        |
 * | `sent`      | a node may have the bytes                                       | any but `abandoned`        |
 * | `accepted`  | a node took the bytes                                           | any final but `abandoned`  |
 * | `refused`   | every node that answered refused the bytes; one may still have them | `sent`, any final      |
 * | `included`  | final: in a block; `code` 0 is success                          |                            |
 * | `expired`   | final: the timeout height passed with the sequence unused       |                            |
 * | `replaced`  | final: another transaction used the sequence                    |                            |
 * | `abandoned` | final: no node has the bytes, and none will get them            |                            |
 *
 * A transaction that was refused and then expired keeps the code of the refusal.
 */
const TX_STATES = [
  ...(['signed', 'sent', 'accepted', 'refused'] as const),
  ...(['included', 'expired', 'replaced', 'abandoned'] as const),
] as const
export type TxState = (typeof TX_STATES)[number]

/** States of version 0.1.0, which had a member `maybe_sent`, and their current names. */
export const EARLIER: Readonly<Record<string, TxState>> = { broadcasting: 'sent', unknown: 'sent' }

const Digits = Type.String({ pattern: '^(0|[1-9][0-9]{0,38})$' })
const TxHash = Type.String({ pattern: '^[0-9A-F]{64}$' })
const Places = Type.Integer({ minimum: 0, maximum: MAX_DECIMALS })

const flagOrNull = (description: string) => Doc.orNull(Type.Boolean({ description }))
const Verified = Doc.object('Which checks agree; null for one that was not made.', {
  events: Doc.flag('Whether the events add up to the plan.'),
  balances: flagOrNull(
    'Whether the balances of the account and of the recipient changed by what the events report.',
  ),
  router: flagOrNull('Whether the balances of the router changed by what the events report.'),
})

/** A `Fill` as the journal stores it. */
export const FillRecord = Doc.object('What the transaction moved; absent if it is in no block.', {
  spent: Doc.coins('What left the account, less `returned`; the fee is not in it.'),
  returned: Doc.coins('What came back unfilled.'),
  received: Doc.listOf('Output of each message; empty for orders.', Doc.AmountText),
  paid: Type.Optional(
    Doc.listOf('Of orders: what each message paid.', Type.Array(Doc.CoinDocument)),
  ),
  fee: Doc.coins('Fee that was paid.'),
  left_behind: Doc.coins('What stayed in the router.'),
  router_grew: Doc.orNull(Doc.coins('What the router holds more than before.')),
  verified: Verified,
  gas_used: Doc.text('Gas that was used.'),
  gas_limit: Doc.text('Gas limit of the transaction.'),
})

/** A transaction that was signed. Numbers of the chain that may exceed 2^53 are digits. */
export const StoredTx = Doc.closedObject({
  state: Type.Enum([...TX_STATES, ...Object.keys(EARLIER)]),
  /** Upper-case hex, computed from the bytes. */
  hash: TxHash,
  /** The signed bytes, base64. They are never built again. */
  bytes: Type.String({ minLength: 4 }),
  /** Base64; identifies other transactions of the same account. */
  public_key: Type.String({ minLength: 44, maxLength: 44 }),
  account_number: Digits,
  sequence: Digits,
  timeout_height: Type.Integer({ minimum: 0 }),
  /** The height at which the sequence was read: no earlier block can hold the transaction. */
  signed_height: Type.Integer({ minimum: 0 }),
  /** Which legs or orders of the intent it executes. */
  legs: Type.Array(Type.Integer({ minimum: 0 })),
  height: Doc.orNull(Type.Integer({ minimum: 1 })),
  code: Doc.orNull(Type.Integer({ minimum: 0 })),
  codespace: Doc.orNull(Type.String()),
  /** Message of the chain or the node. */
  log: Doc.orNull(Type.String()),
  /** Absent for SIGN_MODE_DIRECT; the rest of the intent is signed in the same mode. */
  sign_mode: Type.Optional(Type.Literal('amino')),
  /** The evidence of a final state; absent before. */
  evidence: Type.Optional(Type.Enum(['one_node', 'block', 'agreed'])),
  fill: Type.Optional(FillRecord),
  maybe_sent: Type.Optional(Type.Boolean()),
})

/** One signature made on this machine, from any state folder. */
export const Signing = Doc.closedObject({
  hash: TxHash,
  /** The intent that it belongs to; empty for signatures of `swap tx sign`. */
  id: Type.String(),
  /** Time of the newest block when it was signed, and this machine's time then, RFC 3339. */
  chain_time: Type.String(),
  local_time: Type.String(),
  /** Value sold, in millionths of a dollar; `null` if a person confirmed it. */
  micro_usd: Doc.orNull(Type.String({ pattern: '^[0-9]{1,39}$' })),
})
export type Signing = Doc.DocumentOf<typeof Signing>

/** One leg as it was confirmed; `quoted` is `null` for bytes signed elsewhere, whose quote is unknown. */
export const LegRecord = Doc.closedObject({
  funds: Doc.coin('Sold.'),
  output: Doc.text('Denom that is bought.'),
  expected: Doc.atomics(
    'Output by the books right before signing; the least one of bytes signed elsewhere.',
  ),
  min_return: Doc.atomics('The least output that the message demands.'),
  quoted: Doc.orNull(Doc.atomics('Output of the quote; null where none is known.')),
  pairs: Type.Array(Doc.text('Contract address of the pair.'), {
    description: 'In order of execution.',
  }),
})

/** One order message as it was confirmed; bytes signed elsewhere have no preview. */
export const OrderRecord = Doc.closedObject({
  pair: Doc.PairAddress,
  entries: Doc.objects('In sequence.', {
    id: Doc.text('Pair, side and price of the order.'),
    target: Doc.orNull(Doc.atomics('What should rest; null for a claim.')),
    rests: Doc.orNull(
      Doc.atomics('What rests after the entry by the preview; null where none is known.'),
    ),
    claimed: Type.Optional(
      Doc.atomics('What earlier fills pay by the preview; absent where none is known.'),
    ),
  }),
  funds: Doc.coins('Coins sent with the message.'),
  expected: Doc.orNull(Doc.coins('Coins that come back by the preview; null where none is known.')),
})

/** What an account confirmed, and all transactions signed for it, as stored in a file. */
export const StoredIntent = Doc.closedObject({
  format: Type.Literal('swap.intent/1'),
  id: Type.String({ pattern: '^x_[0-9a-f]{8}$' }),
  network: Type.String(),
  chain_id: Type.String(),
  address: Type.String(),
  /** The name of the key; `null` if only an address was given. */
  key: Doc.orNull(Type.String()),
  once: Doc.orNull(Type.String()),
  /** The request under the key `once`; absent if unknown. */
  request: Type.Optional(Type.String()),
  /** Whether it was signed without a confirmation. */
  unattended: Type.Boolean(),
  /** `bytes`: signed elsewhere; `handed`: signed here and printed, never sent by this program. */
  mode: Type.Enum(['batch', 'legs', 'bytes', 'handed']),
  quote_id: Doc.orNull(Type.String()),
  /** RFC 3339, by this machine's clock. */
  created: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$' }),
  /** Millionths of a dollar, rounded up; `null` if no book gives a price. */
  worth_micro_usd: Doc.orNull(Digits),
  /** The router; of orders the first pair. */
  contract: Type.String(),
  recipient: Type.String(),
  affiliate: Doc.orNull(Type.String()),
  slippage_bps: Doc.orNull(Type.Integer({ minimum: SLIPPAGES[0], maximum: SLIPPAGES[1] })),
  /** Of mode `legs`: minimum total output of all legs, in atomics; absent if none was requested. */
  min_out: Type.Optional(Digits),
  /** Decimals of the tokens sold and bought, if known. */
  decimals: Type.Optional(Type.Tuple([Places, Places])),
  /** Empty for orders. */
  legs: Type.Array(LegRecord),
  /** Absent for a swap. */
  orders: Type.Optional(Type.Array(OrderRecord)),
  txs: Type.Array(StoredTx),
  report: Type.Optional(Type.Unknown()),
})

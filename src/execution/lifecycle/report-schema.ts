import * as Type from 'typebox'
import type { Evidence } from '../../chain/tx/outcome.js'
import * as Doc from '../../operations/document-schema.js'
import { OrderPreviewAnswer } from '../../operations/orders/order-preview-documents.js'
import { SlippageChoice } from '../../operations/slippage/slippage-documents.js'
import type { Intent } from '../journal/intent.js'
import { FillRecord, LegRecord, OrderRecord } from '../journal/intent-schema.js'

/** Status of an execution: `expired` and `replaced` moved nothing, `failed` at most the fee. */
export type Status =
  | Exclude<Intent['txs'][number]['state'], 'sent' | 'included'>
  | 'confirmed'
  | 'failed'
  | 'unknown'
  | 'partial'
  | 'dry_run'

const EvidenceWord = Doc.orNull(
  Doc.word<Evidence>(
    'What a final state rests on: one_node, block or agreed; null while there is none.',
  ),
)

/** Members of a dry run: its value in dollars, and the user's spending limits. */
const UsdText = Doc.text('Dollars, of a dry run alone; null where unknown or not set.')

const transactionMembers = {
  hash: Doc.text('Hash of the transaction, upper case hexadecimal.'),
  state: Doc.text(
    'signed, sent, accepted, refused, included, expired, replaced or abandoned; the last four are final.',
  ),
  height: Doc.countOrNull('The block that holds it.'),
  code: Doc.countOrNull('Result code of the chain or the node; 0 is success.'),
  codespace: Doc.textOrNull('Module that the code belongs to.'),
  log: Doc.textOrNull(
    'Words of the chain or the node; of one that is in no block, what its state rests on.',
  ),
  sequence: Doc.text('Sequence of the account.'),
  timeout_height: Doc.count('The last block that may hold it.'),
}

/** One transaction of a report. */
const TxDocument = Doc.closedObject({
  ...transactionMembers,
  gas_used: Doc.textOrNull('Gas that was used.'),
  gas_limit: Doc.textOrNull('Gas limit of the transaction.'),
  fee: Doc.coins('Fee that was paid.'),
})

export type TxDocument = Doc.DocumentOf<typeof TxDocument>

const LegReport = Doc.closedObject({
  input: Doc.coin('Sold.'),
  output: Doc.text('Denom that is bought.'),
  quoted: LegRecord.properties.quoted,
  expected: LegRecord.properties.expected,
  min_return: LegRecord.properties.min_return,
  received: Doc.orNull(Doc.atomics('Output that was paid; null while it is not executed.')),
  tx_hash: Doc.textOrNull('The transaction that executes the leg.'),
})

/** The members that the reports of swaps and orders share. */
const headMembers = {
  id: Doc.textOrNull('Id in the journal.'),
  once: Doc.textOrNull('Idempotency key that was given.'),
  replayed: Doc.flag('Whether an earlier execution with this key is reported.'),
  status: Doc.word<Status>(
    'confirmed, accepted, refused, failed, expired, replaced, abandoned, unknown, partial, signed or dry_run',
  ),
  evidence: EvidenceWord,
  ...Doc.networkMembers,
  mode: Doc.word<Intent['mode']>('batch, legs, bytes or handed'),
  key: Doc.textOrNull('Name of the key; null where only an address was given.'),
  from: Doc.text('Address that signs.'),
  txs: Doc.listOf('In order of signing.', TxDocument),
  verified: Doc.orNull(FillRecord.properties.verified),
  slippage: Type.Optional(SlippageChoice),
}

export type ReportHead = Doc.DocumentOf<Type.TObject<typeof headMembers>>

/** The members that a dry run adds to a report. */
const dryRunMembers = {
  worth_usd: Type.Optional(Doc.orNull(UsdText)),
  limits: Type.Optional(
    Doc.object('Limits of unattended executions.', {
      per_tx_usd: Doc.orNull(UsdText),
      per_day_usd: Doc.orNull(UsdText),
      left_today_usd: Doc.orNull(UsdText),
    }),
  ),
  tx: Type.Optional(
    Doc.object('The transaction that would be signed.', {
      sign_doc_sha256: Doc.text('Hash of the bytes that would be signed.'),
      sequence: Doc.text('Sequence of the account.'),
      account_number: Doc.text('Number of the account.'),
      timeout_height: Doc.count('The last block that may hold it.'),
      gas_used: Doc.textOrNull('Gas that the simulation used.'),
      gas_limit: Doc.text('Gas limit of the transaction.'),
      fee: Doc.coins('Fee of the transaction.'),
    }),
  ),
}

/** The answer of `swap execute --json`. */
export const ExecutionReport = Doc.closedObject({
  ...headMembers,
  quote_id: Doc.textOrNull('Id of the quote.'),
  to: Doc.text('Address that is paid.'),
  amount_in: Doc.coin('Sold.'),
  spent: Doc.coins('What left the account, less what came back unfilled; the fee is not in it.'),
  returned: Doc.coins('What came back unfilled.'),
  min_return: Doc.coin('The least output that the messages demand.'),
  quoted: Doc.orNull(Doc.coin('Output of the quote; null where none is known.')),
  expected: Doc.coin(
    'Output by the books right before signing; the least one of bytes signed elsewhere.',
  ),
  amount_out: Doc.orNull(Doc.coin('Output that was paid.')),
  vs_quote: Doc.textOrNull('Paid above the quote, in atomics; negative below it.'),
  vs_quote_bps: Doc.numberOrNull('The same in bps.'),
  price: Doc.textOrNull('Display units received per unit sold, rounded down.'),
  left_behind: Doc.coins('What stayed in the router by the events.'),
  router_grew: Doc.orNull(Doc.coins('What the router holds more than before, by its balances.')),
  legs: Doc.listOf('In order of execution.', LegReport),
  ...dryRunMembers,
  price_impact_bps: Type.Optional(
    Doc.numberOrNull('A dry run: impact of all legs; null where unknown.'),
  ),
})

export type SwapReport = Omit<
  Doc.DocumentOf<typeof ExecutionReport>,
  keyof typeof dryRunMembers | 'price_impact_bps'
>

/** The answer of commands that sign orders. */
export const OrderExecutionReport = Doc.closedObject({
  ...headMembers,
  orders: Doc.objects('The messages, in order of execution.', {
    ...OrderRecord.properties,
    paid: Doc.orNull(Doc.coins('Coins that came back; null while it is not executed.')),
    tx_hash: Doc.textOrNull('The transaction that executes the message.'),
  }),
  spent: Doc.coins('What left the account, less what came back; the fee is not in it.'),
  received: Doc.coins('What came back, less what left the account.'),
  ...dryRunMembers,
  previews: Type.Optional(Doc.listOf('A dry run: what each message would do.', OrderPreviewAnswer)),
})

export type OrderReport = Omit<
  Doc.DocumentOf<typeof OrderExecutionReport>,
  keyof typeof dryRunMembers | 'previews'
>

/** One entry of the journal; the signed bytes are left out. */
const JournalEntry = Doc.closedObject({
  format: Doc.text('swap.intent/1'),
  id: Doc.text('Id in the journal.'),
  ...Doc.networkMembers,
  address: Doc.text('Address that signs.'),
  key: Doc.textOrNull('Name of the key; null where only an address was given.'),
  once: Doc.textOrNull('Idempotency key that was given.'),
  request: Type.Optional(Doc.text('What was requested under the idempotency key.')),
  unattended: Doc.flag('Whether it was signed without a confirmation.'),
  mode: Doc.text('batch, legs, bytes or handed'),
  quote_id: Doc.textOrNull('Id of the quote.'),
  created: Doc.text('RFC 3339, by the clock of this machine.'),
  worth_micro_usd: Doc.textOrNull('Millionths of a dollar, rounded up.'),
  contract: Doc.text('Address of the router; of orders of the first pair.'),
  recipient: Doc.text('Address that is paid.'),
  affiliate: Doc.textOrNull('Code of the affiliate.'),
  slippage_bps: Doc.countOrNull('Slippage that the messages allow.'),
  min_out: Type.Optional(Doc.atomics('Requested least output of all legs.')),
  decimals: Type.Optional(
    Doc.listOf('Decimal places of the input and of the output.', Type.Integer()),
  ),
  legs: Doc.listOf('In order of execution; empty for orders.', LegRecord),
  orders: Type.Optional(Doc.listOf('Messages; absent for a swap.', OrderRecord)),
  txs: Doc.objects('In order of signing.', {
    ...transactionMembers,
    account_number: Doc.text('Number of the account.'),
    signed_height: Doc.count('Height at which the sequence was read.'),
    legs: Doc.listOf('Legs that it executes, from 0.', Type.Integer()),
    evidence: Type.Optional(Doc.text('one_node, block or agreed')),
    fill: Type.Optional(FillRecord),
  }),
  open: Doc.flag('Whether a transaction is not final yet.'),
  report: Type.Union([ExecutionReport, OrderExecutionReport], {
    description: 'What the command that signed it reports now.',
  }),
})

/** The answer of `swap journal --json`. */
export const JournalAnswer = Doc.closedObject({
  network: Doc.text('Name of the network.'),
  total: Doc.count('Entries of this chain.'),
  intents: Doc.listOf('Newest first.', JournalEntry),
  unread: Doc.objects('Entries of finished transactions, of any chain, that cannot be read.', {
    path: Doc.text('The file.'),
    reason: Doc.text('Why it cannot be read.'),
  }),
})

const { network: _, id: __, ...entryMembers } = JournalEntry.properties

/** The status of a transaction, whether or not it was signed here. */
const statusMembers = {
  tx_hash: Doc.text('Hash of the transaction, upper case hexadecimal.'),
  network: Doc.text('Name of the network.'),
  id: Doc.textOrNull('Id in the journal; null where it was not signed here.'),
  state: Doc.text('open, included, expired, replaced or abandoned'),
  height: Doc.countOrNull('The block that holds it.'),
  code: Doc.countOrNull('Result code; 0 is success.'),
  codespace: Doc.textOrNull('Module that the code belongs to.'),
  log: Doc.textOrNull('Words of the chain.'),
  gas_used: Doc.textOrNull('Gas that was used.'),
  timeout_height: Doc.countOrNull('The last block that may hold it.'),
  evidence: EvidenceWord,
  why: Doc.textOrNull('Why the state is not known, or why it failed.'),
}

export type TxStatus = Doc.DocumentOf<Type.TObject<typeof statusMembers>>

/** The answer of `swap tx show --json`: the state, and the entry of the journal if there is one. */
export const TransactionAnswer = Doc.closedObject({
  ...statusMembers,
  ...Doc.optionals(entryMembers),
})

/** The answer of `swap tx broadcast --json` and `swap tx wait --json`. */
export const AnyReport = Type.Union([ExecutionReport, OrderExecutionReport])

/** The answer of `swap tx resume --json`. */
export const ResumeAnswer = Doc.closedObject({
  network: Doc.text('Name of the network.'),
  executions: Doc.listOf('Executions that were followed.', AnyReport),
})

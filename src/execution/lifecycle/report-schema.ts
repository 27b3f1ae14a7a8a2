import * as Type from 'typebox'
import type { Evidence } from '../../chain/tx/outcome.js'
import {
  atomicsOf,
  closedObject,
  coinOf,
  coinsOf,
  countOf,
  countOrNull,
  type DocumentOf,
  flagOf,
  networkMembers,
  numberOrNull,
  objectOf,
  objectsOf,
  optionals,
  orNull,
  textOf,
  textOrNull,
  wordOf,
} from '../../operations/document-schema.js'
import { OrderPreviewAnswer } from '../../operations/orders/order-preview-documents.js'
import { SlippageChoice } from '../../operations/slippage/slippage-answer.js'
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

const EvidenceWord = orNull(
  wordOf<Evidence>(
    'What a final state rests on: one_node, block or agreed; null while there is none.',
  ),
)

/** Members of a dry run: its value in dollars, and the user's spending limits. */
const UsdText = textOf('Dollars, of a dry run alone; null where unknown or not set.')

const transactionMembers = {
  hash: textOf('Hash of the transaction, upper case hexadecimal.'),
  state: textOf(
    'signed, sent, accepted, refused, included, expired, replaced or abandoned; the last four are final.',
  ),
  height: countOrNull('The block that holds it.'),
  code: countOrNull('Result code of the chain or the node; 0 is success.'),
  codespace: textOrNull('Module that the code belongs to.'),
  log: textOrNull('Words of the chain or the node.'),
  sequence: textOf('Sequence of the account.'),
  timeout_height: countOf('The last block that may hold it.'),
}

/** One transaction of a report. */
const TxDocument = closedObject({
  ...transactionMembers,
  gas_used: textOrNull('Gas that was used.'),
  gas_limit: textOrNull('Gas limit of the transaction.'),
  fee: coinsOf('Fee that was paid.'),
})

export type TxDocument = DocumentOf<typeof TxDocument>

const LegReport = closedObject({
  input: coinOf('Sold.'),
  output: textOf('Denom that is bought.'),
  quoted: LegRecord.properties.quoted,
  expected: LegRecord.properties.expected,
  min_return: LegRecord.properties.min_return,
  received: orNull(atomicsOf('Output that was paid; null while it is not executed.')),
  tx_hash: textOrNull('The transaction that executes the leg.'),
})

/** The members that the reports of swaps and orders share. */
const headMembers = {
  id: textOrNull('Id in the journal.'),
  once: textOrNull('Idempotency key that was given.'),
  replayed: flagOf('Whether an earlier execution with this key is reported.'),
  status: wordOf<Status>(
    'confirmed, accepted, refused, failed, expired, replaced, abandoned, unknown, partial, signed or dry_run',
  ),
  evidence: EvidenceWord,
  ...networkMembers,
  mode: wordOf<Intent['mode']>('batch, legs, bytes or handed'),
  key: textOrNull('Name of the key; null where only an address was given.'),
  from: textOf('Address that signs.'),
  txs: Type.Array(TxDocument, { description: 'In order of signing.' }),
  verified: orNull(FillRecord.properties.verified),
  slippage: Type.Optional(SlippageChoice),
}

export type ReportHead = DocumentOf<Type.TObject<typeof headMembers>>

/** The members that a dry run adds to a report. */
const dryRunMembers = {
  worth_usd: Type.Optional(orNull(UsdText)),
  limits: Type.Optional(
    objectOf('Limits of unattended executions.', {
      per_tx_usd: orNull(UsdText),
      per_day_usd: orNull(UsdText),
      left_today_usd: orNull(UsdText),
    }),
  ),
  tx: Type.Optional(
    objectOf('The transaction that would be signed.', {
      sign_doc_sha256: textOf('Hash of the bytes that would be signed.'),
      sequence: textOf('Sequence of the account.'),
      account_number: textOf('Number of the account.'),
      timeout_height: countOf('The last block that may hold it.'),
      gas_used: textOrNull('Gas that the simulation used.'),
      gas_limit: textOf('Gas limit of the transaction.'),
      fee: coinsOf('Fee of the transaction.'),
    }),
  ),
}

/** The answer of `swap execute --json`. */
export const ExecutionReport = closedObject({
  ...headMembers,
  quote_id: textOrNull('Id of the quote.'),
  to: textOf('Address that is paid.'),
  amount_in: coinOf('Sold.'),
  spent: coinsOf('What left the account, less what came back unfilled.'),
  returned: coinsOf('What came back unfilled.'),
  min_return: coinOf('The least output that the messages demand.'),
  quoted: orNull(coinOf('Output of the quote; null where none is known.')),
  expected: coinOf('Output by the books right before signing.'),
  amount_out: orNull(coinOf('Output that was paid.')),
  vs_quote: textOrNull('Paid above the quote, in atomics; negative below it.'),
  vs_quote_bps: numberOrNull('The same in bps.'),
  price: textOrNull('Display units received per unit sold, rounded down.'),
  left_behind: coinsOf('What stayed in the router by the events.'),
  router_grew: orNull(coinsOf('What the router holds more than before, by its balances.')),
  legs: Type.Array(LegReport, { description: 'In order of execution.' }),
  ...dryRunMembers,
  price_impact_bps: Type.Optional(
    numberOrNull('A dry run: impact of all legs; null where unknown.'),
  ),
})

export type SwapReport = Omit<
  DocumentOf<typeof ExecutionReport>,
  keyof typeof dryRunMembers | 'price_impact_bps'
>

/** The answer of commands that sign orders. */
export const OrderExecutionReport = closedObject({
  ...headMembers,
  orders: objectsOf('The messages, in order of execution.', {
    ...OrderRecord.properties,
    paid: orNull(coinsOf('Coins that came back; null while it is not executed.')),
    tx_hash: textOrNull('The transaction that executes the message.'),
  }),
  spent: coinsOf('What left the account, less what came back.'),
  received: coinsOf('What came back, less what left the account.'),
  ...dryRunMembers,
  previews: Type.Optional(
    Type.Array(OrderPreviewAnswer, { description: 'A dry run: what each message would do.' }),
  ),
})

export type OrderReport = Omit<
  DocumentOf<typeof OrderExecutionReport>,
  keyof typeof dryRunMembers | 'previews'
>

/** One entry of the journal; the signed bytes are left out. */
const JournalEntry = closedObject({
  format: textOf('swap.intent/1'),
  id: textOf('Id in the journal.'),
  ...networkMembers,
  address: textOf('Address that signs.'),
  key: textOrNull('Name of the key; null where only an address was given.'),
  once: textOrNull('Idempotency key that was given.'),
  request: Type.Optional(textOf('What was requested under the idempotency key.')),
  unattended: flagOf('Whether it was signed without a confirmation.'),
  mode: textOf('batch, legs, bytes or handed'),
  quote_id: textOrNull('Id of the quote.'),
  created: textOf('RFC 3339, by the clock of this machine.'),
  worth_micro_usd: textOrNull('Millionths of a dollar, rounded up.'),
  contract: textOf('Address of the router; of orders of the first pair.'),
  recipient: textOf('Address that is paid.'),
  affiliate: textOrNull('Code of the affiliate.'),
  slippage_bps: countOrNull('Slippage that the messages allow.'),
  min_out: Type.Optional(atomicsOf('Requested least output of all legs.')),
  decimals: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Decimal places of the input and of the output.' }),
  ),
  legs: Type.Array(LegRecord, { description: 'In order of execution; empty for orders.' }),
  orders: Type.Optional(Type.Array(OrderRecord, { description: 'Messages; absent for a swap.' })),
  txs: objectsOf('In order of signing.', {
    ...transactionMembers,
    account_number: textOf('Number of the account.'),
    signed_height: countOf('Height at which the sequence was read.'),
    legs: Type.Array(Type.Integer(), { description: 'Legs that it executes, from 0.' }),
    evidence: Type.Optional(textOf('one_node, block or agreed')),
    fill: Type.Optional(FillRecord),
  }),
  open: flagOf('Whether a transaction is not final yet.'),
  report: Type.Union([ExecutionReport, OrderExecutionReport], {
    description: 'What the command that signed it reports now.',
  }),
})

/** The answer of `swap journal --json`. */
export const JournalAnswer = closedObject({
  network: textOf('Name of the network.'),
  total: countOf('Entries of this chain.'),
  intents: Type.Array(JournalEntry, { description: 'Newest first.' }),
  unread: objectsOf('Entries of finished transactions, of any chain, that cannot be read.', {
    path: textOf('The file.'),
    reason: textOf('Why it cannot be read.'),
  }),
})

const { network: _, id: __, ...entryMembers } = JournalEntry.properties

/** The status of a transaction, whether or not it was signed here. */
const statusMembers = {
  tx_hash: textOf('Hash of the transaction, upper case hexadecimal.'),
  network: textOf('Name of the network.'),
  id: textOrNull('Id in the journal; null where it was not signed here.'),
  state: textOf('open, included, expired, replaced or abandoned'),
  height: countOrNull('The block that holds it.'),
  code: countOrNull('Result code; 0 is success.'),
  codespace: textOrNull('Module that the code belongs to.'),
  log: textOrNull('Words of the chain.'),
  gas_used: textOrNull('Gas that was used.'),
  timeout_height: countOrNull('The last block that may hold it.'),
  evidence: EvidenceWord,
  why: textOrNull('Why the state is not known, or why it failed.'),
}

export type TxStatus = DocumentOf<Type.TObject<typeof statusMembers>>

/** The answer of `swap tx show --json`: the state, and the entry of the journal if there is one. */
export const TransactionAnswer = closedObject({ ...statusMembers, ...optionals(entryMembers) })

/** The answer of `swap tx broadcast --json` and `swap tx wait --json`. */
export const AnyReport = Type.Union([ExecutionReport, OrderExecutionReport])

/** The answer of `swap tx resume --json`. */
export const ResumeAnswer = closedObject({
  network: textOf('Name of the network.'),
  executions: Type.Array(AnyReport, { description: 'Executions that were followed.' }),
})

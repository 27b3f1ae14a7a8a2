import type { TSchema } from 'typebox'
import * as Type from 'typebox'
import {
  ExecutionReport,
  JournalAnswer,
  OrderExecutionReport,
  TransactionAnswer,
} from '../../../execution/lifecycle/report-schema.js'
import { BalancesAnswer } from '../../../operations/account/balances-answer.js'
import { BookAnswer, SnapshotAnswer } from '../../../operations/book/book-answer.js'
import {
  DemoFaults,
  DemoGiven,
  DemoLogLine,
  DemoReset,
  DemoStatus,
  DemoStopped,
} from '../../../operations/demo-port.js'
import { DoctorAnswer } from '../../../operations/doctor/doctor-answer.js'
import {
  closedObject,
  countOf,
  flagOf,
  marketHeadMembers,
  textOf,
} from '../../../operations/document-schema.js'
import { OrderDocument } from '../../../operations/orders/order-document.js'
import { OrdersAnswer, OrdersRequest } from '../../../operations/orders/order-operations.js'
import { BacktestAnswer, PlanAnswer } from '../../../operations/plan/plan-document.js'
import {
  PairsAnswer,
  PairsRequest,
  PriceAnswer,
  PriceRequest,
} from '../../../operations/price/price-answer.js'
import { SimulateCommandAnswer } from '../../../operations/simulate/simulate-documents.js'
import {
  CurveAnswer,
  CurveRequest,
  MaxAnswer,
  MaxRequest,
} from '../../../operations/split/size-documents.js'
import {
  DriftAnswer,
  TapeAnswer,
  TapeRecordAnswer,
  TapeVerifyAnswer,
} from '../../../operations/tape/tape-answers.js'
import { versionMembers } from '../../../service/metrics/health.js'
import {
  ConfigAnswer,
  ConfigChange,
  ConfigCheck,
  ConfigEdited,
  ConfigFiles,
  ConfigValue,
} from '../config/config-answers.js'
import { KeyAnswer, KeyChange, KeyExported, KeysAnswer } from '../keys/key-answer.js'

const OrderAnswer = closedObject({
  ...marketHeadMembers,
  owner: textOf('Address of the account.'),
  ...OrderDocument.properties,
})

const VersionAnswer = closedObject({
  ...versionMembers,
  platform: textOf('Operating system and architecture.'),
  snapshot_format: textOf('Format of snapshots that it reads and writes.'),
})

const SnapshotSaved = closedObject({
  path: textOf('Path of the file.'),
  bytes: countOf('Its size.'),
  network: textOf('Network of the market.'),
  height: countOf('Block of the market.'),
  pairs: countOf('Pairs in it.'),
  excluded: countOf('Pairs that are left out.'),
})

const CompletionChange = closedObject({
  shell: textOf('Shell.'),
  file: textOf('Path of the file.'),
  changed: flagOf('Whether it was changed.'),
})

const TourAnswer = closedObject({
  steps: Type.Array(
    closedObject({
      minute: countOf('Minute of the tour.'),
      command: textOf('Command line.'),
      shows: textOf('What it shows.'),
      exit: countOf('Exit status that belongs to it.'),
    }),
    { description: 'Steps, in order.' },
  ),
})

const ServeAnswer = closedObject({
  http: textOf('URL of the service.'),
  docs: textOf('URL of its documentation.'),
  pid: countOf('Its process.'),
})

const SchemasAnswer = closedObject({
  schemas: Type.Array(
    closedObject({
      name: textOf('Name of the document.'),
      parts: Type.Array(Type.String(), { description: 'request, answer or both.' }),
    }),
    { description: 'Documents that have a schema.' },
  ),
})

const sdkPart = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
const SdkTransaction = closedObject({
  body: sdkPart('Messages, memo and last block, as the Cosmos SDK writes them.'),
  auth_info: sdkPart('Public key, sequence, gas and fee, as the Cosmos SDK writes them.'),
  signatures: Type.Array(Type.String(), { description: 'Base64; none before it is signed.' }),
})

const AnyReport = Type.Union([ExecutionReport, OrderExecutionReport])
const ResumeAnswer = closedObject({
  network: textOf('Name of the network.'),
  executions: Type.Array(AnyReport, { description: 'Executions that were followed.' }),
})

type CommandDocument = { readonly request?: TSchema; readonly answer: TSchema }

/** Documents of commands without an operation of the service, by command name. */
export const commandDocuments: Readonly<Record<string, CommandDocument>> = {
  curve: { request: CurveRequest, answer: CurveAnswer },
  max: { request: MaxRequest, answer: MaxAnswer },
  execute: { answer: ExecutionReport },
  journal: { answer: JournalAnswer },
  'tx-sign': { answer: SdkTransaction },
  'tx-broadcast': { answer: AnyReport },
  'tx-show': { answer: TransactionAnswer },
  'tx-wait': { answer: AnyReport },
  'tx-resume': { answer: ResumeAnswer },
  price: { request: PriceRequest, answer: PriceAnswer },
  pairs: { request: PairsRequest, answer: PairsAnswer },
  book: { answer: BookAnswer },
  balances: { answer: BalancesAnswer },
  order: { answer: OrderExecutionReport },
  'order-list': { request: OrdersRequest, answer: OrdersAnswer },
  'order-show': { answer: OrderAnswer },
  'snapshot-save': { answer: SnapshotSaved },
  'snapshot-show': { answer: SnapshotAnswer },
  plan: { answer: PlanAnswer },
  'tape-show': { answer: TapeAnswer },
  'tape-verify': { answer: TapeVerifyAnswer },
  'tape-record': { answer: TapeRecordAnswer },
  'tape-cut': { answer: TapeRecordAnswer },
  'tape-backtest': { answer: BacktestAnswer },
  'tape-drift': { answer: DriftAnswer },
  demo: { answer: DemoStatus },
  'demo-tour': { answer: TourAnswer },
  'demo-start': { answer: DemoStatus },
  'demo-status': { answer: DemoStatus },
  'demo-stop': { answer: DemoStopped },
  'demo-reset': { answer: DemoReset },
  'demo-faucet': { answer: DemoGiven },
  'demo-fail': { answer: DemoFaults },
  'demo-logs': { answer: DemoLogLine },
  'keys-new': { answer: KeyChange },
  'keys-import': { answer: KeyChange },
  'keys-add-external': { answer: KeyChange },
  'keys-list': { answer: KeysAnswer },
  'keys-show': { answer: KeyAnswer },
  'keys-check': { answer: KeyChange },
  'keys-use': { answer: ConfigChange },
  'keys-export': { answer: KeyExported },
  'keys-rename': { answer: KeyChange },
  'keys-reencrypt': { answer: KeyChange },
  'keys-delete': { answer: KeyChange },
  'config-list': { answer: ConfigAnswer },
  'config-get': { answer: ConfigValue },
  'config-set': { answer: ConfigChange },
  'config-unset': { answer: ConfigChange },
  'config-path': { answer: ConfigFiles },
  'config-edit': { answer: ConfigEdited },
  'config-check': { answer: ConfigCheck },
  'completion-install': { answer: CompletionChange },
  'completion-uninstall': { answer: CompletionChange },
  schema: { answer: SchemasAnswer },
  serve: { answer: ServeAnswer },
  doctor: { answer: DoctorAnswer },
  version: { answer: VersionAnswer },
}

/** `swap simulate` can also simulate the transaction, unlike the service. */
export const simulateAnswer: TSchema = SimulateCommandAnswer

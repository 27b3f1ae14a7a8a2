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
import { DemoStatus } from '../../../operations/demo-port.js'
import { DoctorAnswer } from '../../../operations/doctor/doctor-answer.js'
import {
  closedObject,
  countOrNull,
  flagOf,
  marketHeadMembers,
  textOf,
  textOrNull,
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
import { KeyAnswer } from '../keys/key-answer.js'

const KeysAnswer = closedObject({
  keys: Type.Array(KeyAnswer, { description: 'Keys that can be used.' }),
  unusable: Type.Array(
    closedObject({
      name: textOf('Name of the key.'),
      file: textOf('Path of the key file.'),
      code: textOf('Code of the error.'),
      detail: textOf('Why the file cannot be used.'),
    }),
    { description: 'Key files that cannot be used.' },
  ),
})

const placeMembers = {
  origin: textOf('Layer that the value comes from.'),
  file: textOrNull('Path of the file.'),
  line: countOrNull('Line of the file.'),
  env: textOrNull('Name of the environment variable.'),
}
const ConfigAnswer = closedObject({
  values: Type.Array(
    closedObject({
      key: textOf('Name of the setting.'),
      value: textOrNull('The value as it is written; null without one.'),
      ...placeMembers,
      overrides: Type.Array(
        closedObject({ ...placeMembers, value: textOf('The overridden value.') }),
        {
          description: 'Values that it overrides, nearest layer first.',
        },
      ),
      ignored: flagOf('Whether a project’s file may not set it.'),
    }),
    { description: 'Every setting, then the lines that are ignored.' },
  ),
})

const OrderAnswer = closedObject({
  ...marketHeadMembers,
  owner: textOf('Address of the account.'),
  ...OrderDocument.properties,
})

const VersionAnswer = closedObject({
  version: textOf('Version of the program.'),
  commit: textOf('Commit that it was built from.'),
  node: textOf('Version of Node.'),
  platform: textOf('Operating system and architecture.'),
  snapshot_format: textOf('Format of snapshots that it reads and writes.'),
})

type CommandDocument = { readonly request?: TSchema; readonly answer: TSchema }

/** Documents of commands that are not operations of the service, by the name of the command. */
export const commandDocuments: Readonly<Record<string, CommandDocument>> = {
  curve: { request: CurveRequest, answer: CurveAnswer },
  max: { request: MaxRequest, answer: MaxAnswer },
  execute: { answer: ExecutionReport },
  journal: { answer: JournalAnswer },
  'tx-show': { answer: TransactionAnswer },
  price: { request: PriceRequest, answer: PriceAnswer },
  pairs: { request: PairsRequest, answer: PairsAnswer },
  book: { answer: BookAnswer },
  balances: { answer: BalancesAnswer },
  order: { answer: OrderExecutionReport },
  'order-list': { request: OrdersRequest, answer: OrdersAnswer },
  'order-show': { answer: OrderAnswer },
  'snapshot-show': { answer: SnapshotAnswer },
  plan: { answer: PlanAnswer },
  'tape-show': { answer: TapeAnswer },
  'tape-verify': { answer: TapeVerifyAnswer },
  'tape-record': { answer: TapeRecordAnswer },
  'tape-backtest': { answer: BacktestAnswer },
  'tape-drift': { answer: DriftAnswer },
  'demo-status': { answer: DemoStatus },
  'keys-list': { answer: KeysAnswer },
  'keys-show': { answer: KeyAnswer },
  'config-list': { answer: ConfigAnswer },
  doctor: { answer: DoctorAnswer },
  version: { answer: VersionAnswer },
}

/** `swap simulate` can simulate the transaction as well, which the service does not. */
export const simulateAnswer: TSchema = SimulateCommandAnswer

import * as Type from 'typebox'
import { ExecutionReport, OrderExecutionReport } from '../../execution/lifecycle/report-schema.js'
import * as Doc from '../../operations/document-schema.js'
import { versionMembers } from '../../service/metrics/health.js'

export const VersionAnswer = Doc.closedObject({
  ...versionMembers,
  platform: Doc.text('Operating system and architecture.'),
  snapshot_format: Doc.text('Format of snapshots that it reads and writes.'),
})

/** The answer of `swap completion install` and `uninstall`. */
export const CompletionChange = Doc.closedObject({
  shell: Doc.text('Shell.'),
  file: Doc.text('Path of the file.'),
  changed: Doc.flag('Whether it was changed.'),
})

export const TourAnswer = Doc.closedObject({
  steps: Doc.objects('Steps, in order.', {
    minute: Doc.count('Minute of the tour.'),
    command: Doc.text('Command line.'),
    shows: Doc.text('What it shows.'),
    exit: Doc.count('Exit status that belongs to it.'),
  }),
})

export const ServeAnswer = Doc.closedObject({
  http: Doc.text('URL of the service.'),
  docs: Doc.text('URL of its documentation.'),
  pid: Doc.count('Its process.'),
})

/** The answer of `swap schema`. */
export const SchemasAnswer = Doc.closedObject({
  schemas: Doc.objects('Documents that have a schema.', {
    name: Doc.text('Name of the document.'),
    parts: Doc.listOf('request, answer or both.', Type.String()),
  }),
})

const sdkPart = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
/** The answer of `swap tx sign`. */
export const SignedTransaction = Doc.closedObject({
  body: sdkPart('Messages, memo and last block, as the Cosmos SDK writes them.'),
  auth_info: sdkPart('Public key, sequence, gas and fee, as the Cosmos SDK writes them.'),
  signatures: Doc.listOf('Base64; none before it is signed.', Type.String()),
})

/** The answer of `swap execute`: a report, or with `--generate-only` and `--sign-only` the transaction. */
export const ExecuteAnswer = Type.Union([ExecutionReport, SignedTransaction])

/** The answer of `swap order` where it executes. */
export const OrderExecutionAnswer = Type.Union([OrderExecutionReport, SignedTransaction])

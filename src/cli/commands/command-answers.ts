import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  flagOf,
  objectsOf,
  textOf,
} from '../../operations/document-schema.js'
import { versionMembers } from '../../service/metrics/health.js'

/** The answer of `swap version`. */
export const VersionAnswer = closedObject({
  ...versionMembers,
  platform: textOf('Operating system and architecture.'),
  snapshot_format: textOf('Format of snapshots that it reads and writes.'),
})

/** The answer of `swap completion install` and `uninstall`. */
export const CompletionChange = closedObject({
  shell: textOf('Shell.'),
  file: textOf('Path of the file.'),
  changed: flagOf('Whether it was changed.'),
})

/** The answer of `swap demo tour`. */
export const TourAnswer = closedObject({
  steps: objectsOf('Steps, in order.', {
    minute: countOf('Minute of the tour.'),
    command: textOf('Command line.'),
    shows: textOf('What it shows.'),
    exit: countOf('Exit status that belongs to it.'),
  }),
})

/** The answer of `swap serve`. */
export const ServeAnswer = closedObject({
  http: textOf('URL of the service.'),
  docs: textOf('URL of its documentation.'),
  pid: countOf('Its process.'),
})

/** The answer of `swap schema`. */
export const SchemasAnswer = closedObject({
  schemas: objectsOf('Documents that have a schema.', {
    name: textOf('Name of the document.'),
    parts: Type.Array(Type.String(), { description: 'request, answer or both.' }),
  }),
})

const sdkPart = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
/** The answer of `swap tx sign`. */
export const SignedTransaction = closedObject({
  body: sdkPart('Messages, memo and last block, as the Cosmos SDK writes them.'),
  auth_info: sdkPart('Public key, sequence, gas and fee, as the Cosmos SDK writes them.'),
  signatures: Type.Array(Type.String(), { description: 'Base64; none before it is signed.' }),
})

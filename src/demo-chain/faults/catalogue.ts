import { batchFaults } from './batches.js'
import { executionFaults } from './execution.js'
import type { FaultKind } from './fault.js'
import { heightFaults } from './heights.js'
import { marketFaults } from './market-faults.js'
import { connectionFaults, encodingFaults, replyFaults, socketFaults } from './responses.js'

/** Every fault, in the order of the list that commands print. */
export const faultKinds: readonly FaultKind[] = [
  ...connectionFaults,
  ...replyFaults,
  ...batchFaults,
  ...heightFaults,
  ...encodingFaults,
  ...marketFaults,
  ...socketFaults,
  ...executionFaults,
]

const byName: ReadonlyMap<string, FaultKind> = new Map(faultKinds.map((each) => [each.kind, each]))

export const faultKind = (kind: string): FaultKind | undefined => byName.get(kind)

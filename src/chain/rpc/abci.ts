import { BinaryReader } from 'cosmjs-types/binary'
import { strictBase64, toHex } from '../../platform/encoding.js'
import { isObject, memberIn } from '../../platform/json-object.js'
import { NodeFault, wrongHeight } from './faults.js'
import type { RpcCall, RpcOutcome } from './http/json-rpc.js'
import { nodeText } from './http/mask.js'
import type { Target } from './http/target.js'
import type { Answer, Query } from './query-source.js'

/** Error codes of the SDK for unavailable heights: in the future, and pruned. */
const FUTURE = 26
const PRUNED = 38
/** The SDK's code for bad requests; it means an unavailable height only if the answer has no height. */
const INVALID = 18

/** The `abci_query` call for the state after a block. */
export const abciCall = ({ path, data }: Query, height: number): RpcCall => ({
  method: 'abci_query',
  params: { path, data: toHex(data), height: String(height), prove: false },
})

/**
 * Reads the answer to `abciCall`. An answer as of another height is a fault: a load balancer may have several nodes
 * behind one address.
 *
 * @throws NodeFault wrong_height, height_unavailable or bad_answer
 */
export function readAnswer(
  { shown, secrets }: Pick<Target, 'shown' | 'secrets'>,
  outcome: RpcOutcome,
  height: number,
): Answer {
  if (!outcome.ok)
    throw new NodeFault('bad_answer', shown, `refused a query: ${outcome.text} (${outcome.code})`)
  const response = memberIn(outcome.result, 'response')
  if (!isObject(response)) throw malformedAnswer(shown)
  const { code = 0, codespace = '', log = '', value, height: answerHeight = '0' } = response
  if (typeof code !== 'number' || !Number.isInteger(code)) throw malformedAnswer(shown)
  if (typeof codespace !== 'string' || typeof log !== 'string') throw malformedAnswer(shown)
  if (isHeightRefusal(code, answerHeight)) throw unavailable(shown, code, height)
  if (answerHeight !== String(height)) throw wrongHeight(shown, height)
  if (code !== 0) return { ok: false, code, codespace, text: nodeText(log, secrets) }
  if (value === null || value === undefined) return { ok: true, value: new Uint8Array(0) }
  const bytes = typeof value === 'string' ? strictBase64(value) : undefined
  if (bytes === undefined || !isMessage(bytes)) throw malformedAnswer(shown)
  return { ok: true, value: bytes }
}

/** Whether bytes have the form of a protobuf message: what a contract answers in it is judged where it is read. */
function isMessage(bytes: Uint8Array): boolean {
  const reader = new BinaryReader(bytes)
  try {
    while (reader.pos < reader.len) reader.skipType(reader.tag()[1])
    return true
  } catch {
    return false
  }
}

const isHeightRefusal = (code: number, answerHeight: unknown): boolean =>
  answerHeight === '0' && (code === FUTURE || code === PRUNED || code === INVALID)

export const malformedAnswer = (endpoint: string): NodeFault =>
  new NodeFault('bad_answer', endpoint, 'answered a query with something that is not an answer')

/** The fault for an unavailable height: lasting for a pruned block, temporary for a future one. */
const unavailable = (endpoint: string, code: number, height: number): NodeFault =>
  code === FUTURE
    ? new NodeFault('height_unavailable', endpoint, `has no block ${height} yet`)
    : new NodeFault(
        'height_unavailable',
        endpoint,
        `cannot answer as of block ${height} any more`,
        {
          isLasting: true,
        },
      )

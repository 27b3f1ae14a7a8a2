import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type StandardSchemaV1Sync,
  specTypeSchemas,
} from '@modelcontextprotocol/server'
import { SwapError } from '../engine/errors.js'
import { checkWritten, DEEPEST } from '../operations/body/read-json.js'

/** A parsed message, or the response to an invalid one. */
export type ReadMessage =
  | {
      readonly message: JSONRPCMessage
      /** An error in the JSON of a call, answered like that of the command line and the service. */
      readonly fault?: SwapError
    }
  | { readonly refused: RefusedMessage }

/** The JSON-RPC error for an invalid message; the id is `null` if unreadable. */
type RefusedMessage = {
  readonly jsonrpc: '2.0'
  readonly id: RequestId | null
  readonly error: { readonly code: number; readonly message: string }
}

/**
 * Parses one message and checks its JSON text, since `JSON.parse` alone would use the last of duplicate
 * members and round numbers (`checkWritten`).
 */
export function readMessage(text: string): ReadMessage {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refusedMessage(
      ProtocolErrorCode.ParseError,
      'this is not JSON; send one JSON-RPC message',
    )
  }
  if (Array.isArray(value))
    return refusedMessage(
      ProtocolErrorCode.InvalidRequest,
      'a list of messages is not read; send each as a message of its own',
    )
  const id = idOf(value)
  const fault = faultOf(text)
  let message: JSONRPCMessage
  try {
    message = parseJSONRPCMessage(fault === undefined ? value : shallow(value))
  } catch {
    return refusedMessage(
      ProtocolErrorCode.InvalidRequest,
      'this is not a message of JSON-RPC 2.0',
      id,
    )
  }
  const isCall = 'method' in message && message.method === 'tools/call' && id !== null
  if (fault !== undefined && !isCall)
    return refusedMessage(ProtocolErrorCode.InvalidRequest, `${fault.message}; ${fault.why}`, id)
  const parameter = 'method' in message ? unusableParameter(message) : undefined
  if (parameter !== undefined)
    return refusedMessage(
      ProtocolErrorCode.InvalidParams,
      `${parameter} is missing or of the wrong type`,
      id,
    )
  return fault === undefined ? { message } : { message, fault }
}

const refusedMessage = (
  code: number,
  message: string,
  id: RequestId | null = null,
): ReadMessage => ({
  refused: { jsonrpc: '2.0', id, error: { code, message } },
})

/** The id of a message; `null` for a number that parsing may have rounded to another one. */
function idOf(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : null
  return typeof id === 'string' ? id : null
}

/** Methods whose parameters are checked here: the SDK's errors are those of its schema library. */
const REQUESTS = new Map<string, StandardSchemaV1Sync>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
  ['resources/list', specTypeSchemas.ListResourcesRequest],
  ['resources/templates/list', specTypeSchemas.ListResourceTemplatesRequest],
  ['resources/read', specTypeSchemas.ReadResourceRequest],
])

/** The path of the first parameter that the protocol does not allow, such as `params.arguments`. */
function unusableParameter(message: { readonly method: string }): string | undefined {
  const checked = REQUESTS.get(message.method)?.['~standard'].validate(message)
  return checked?.issues?.[0]?.path?.join('.')
}

const ARGUMENTS = { path: ['params', 'arguments'], name: 'the arguments' }

/** A copy with `null` in place of values that are nested too deeply: the schemas of the SDK would overflow the stack. */
function shallow(value: unknown, left = DEEPEST): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (left === 0) return null
  if (Array.isArray(value)) return value.map((each) => shallow(each, left - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shallow(each, left - 1)]),
  )
}

function faultOf(text: string): SwapError | undefined {
  try {
    checkWritten(text, 'the message', ARGUMENTS)
    return undefined
  } catch (error) {
    if (error instanceof SwapError) return error
    throw error
  }
}

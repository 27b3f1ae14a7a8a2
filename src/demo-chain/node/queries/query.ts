import { PageRequest, type PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { attempt } from '../../../platform/attempt.js'
import { ChainFailure, failures } from '../../modules/chain-failure.js'
import type { Machine } from '../../modules/dispatch.js'
import { OutOfGas } from '../../modules/gas.js'
import type { Reader } from '../../store/state.js'
import type { Node } from './node.js'

/** The state that one query reads: that after one height. */
export type View = {
  readonly node: Node
  readonly height: number
  readonly state: Reader
  readonly machine: Machine
}

/**
 * The state at a height; 0 is the newest.
 *
 * @throws ChainFailure for a height that is negative, in the future, or pruned.
 */
export function viewAt(node: Node, asked: bigint): View {
  const { chain } = node
  if (asked < 0n)
    throw failures.invalidRequest('cannot query with height < 0; please provide a valid height')
  if (asked > BigInt(chain.height))
    throw failures.invalidHeight(
      'cannot query with height in the future; please provide a valid height',
    )
  const height = asked === 0n ? chain.height : Number(asked)
  const state = chain.stateAt(height)
  if (!state)
    throw failures.notFound(
      `failed to load state at height ${height}; version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height (latest height: ${chain.height})`,
    )
  return { node, height, state, machine: chain.machineAt(height) }
}

/** A protobuf message's codec, as cosmjs-types has them. */
type Codec<T> = {
  readonly typeUrl: string
  encode(message: T): { finish(): Uint8Array }
  decode(input: Uint8Array): T
}

/** One query that the chain answers, by its gRPC path. */
export type Query = {
  readonly path: string
  /** From bytes to bytes. @throws ChainFailure */
  bytes(view: View, request: Uint8Array): Uint8Array
}

/**
 * A query by its message types and its handler; `answer` throws ChainFailure. Its path follows from
 * the type of its request: `/cosmwasm.wasm.v1.QueryCodeRequest` has the path `/cosmwasm.wasm.v1.Query/Code`.
 */
export const query = <Request, Response>(
  request: Codec<Request>,
  response: Codec<Response>,
  answer: (view: View, request: Request) => Response,
): Query => ({
  path: request.typeUrl.replace(
    /\.(Query)?(\w+)Request$/,
    (_, service = 'Service', name) => `.${service}/${name}`,
  ),
  bytes: (view, bytes) => response.encode(answer(view, decode(request, bytes))).finish(),
})

function decode<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const message = attempt(() => codec.decode(bytes))
  if (message === undefined) throw failures.invalidRequest('unexpected EOF')
  return message
}

/**
 * Answers `abci_query` for one of the `queries`; never throws ChainFailure. The height is 0 where no state was read, and
 * `undefined` is no value.
 */
export function answerAbci(
  node: Node,
  queries: ReadonlyMap<string, Query>,
  request: { path: string; data: Uint8Array; height: bigint },
) {
  let height = 0
  try {
    const found = queries.get(request.path)
    if (!found) throw failures.unknownRequest('unknown query path')
    const view = viewAt(node, request.height)
    height = view.height
    const value = found.bytes(view, request.data)
    return { code: 0, codespace: '', log: '', value: value.length ? value : undefined, height }
  } catch (error) {
    if (!(error instanceof ChainFailure)) throw error
    const { code, codespace, message: log } = error
    return { code, codespace, log, value: undefined, height }
  }
}

/** @param failure of a text that is no address of the chain, by the SDK's reason @throws ChainFailure */
export function checkAddress(
  { machine }: View,
  address: string,
  failure = failures.invalidRequest,
): void {
  const why = machine.invalid(address)
  if (why !== undefined) throw failure(why)
}

/** A gRPC status as `abci_query` reports it: its name is before the text. */
const status = (name: string, text: string): string => `rpc error: code = ${name} desc = ${text}`

export const invalidArgument = (text: string): ChainFailure =>
  failures.invalidRequest(status('InvalidArgument', text))
export const notFound = (text: string): ChainFailure =>
  failures.keyNotFound(status('NotFound', text))
export const unknownStatus = (text: string): ChainFailure =>
  failures.unknownRequest(status('Unknown', text))

/** An error of the SDK's registry that a query handler returns. */
export const registeredError = ({ message }: ChainFailure): ChainFailure =>
  failures.unknownRequest(message)

/** The failure of a contract's query. */
export function contractFailure(error: unknown): unknown {
  if (error instanceof OutOfGas) return registeredError(failures.outOfGas(error.message))
  return error instanceof ChainFailure ? registeredError(error) : error
}

/** Most entries of a page, and those of one without a limit. */
const MOST = 100n

export type Page = {
  readonly items: readonly string[]
  readonly pagination: PageResponse
}

/** A text of one character a byte; byte strings compare as their bytes do. */
export const byteString = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
export const bytesOf = (key: string): Uint8Array => Uint8Array.from(Buffer.from(key, 'latin1'))

/**
 * A page from a key on, as both the modules of the SDK and wasmd cut it; entries are not counted.
 *
 * @param keys sorted byte strings
 * @throws ChainFailure when an offset, a count or the reverse order is requested
 */
export function pageOf(keys: readonly string[], request: PageRequest | undefined): Page {
  const { key, offset, limit, countTotal, reverse } = request ?? PageRequest.fromPartial({})
  if (offset > 0n || countTotal || reverse)
    throw invalidArgument('only pages from a key on are supported')
  const start = byteString(key)
  const first = keys.findIndex((each) => each >= start)
  const from = first < 0 ? keys.length : first
  const end = from + Number(limit > 0n && limit < MOST ? limit : MOST)
  const next = keys[end]
  const nextKey = next === undefined ? new Uint8Array() : bytesOf(next)
  return { items: keys.slice(from, end), pagination: { nextKey, total: 0n } }
}

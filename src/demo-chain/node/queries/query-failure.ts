import { ChainFailure, failures } from '../../modules/failure.js'
import { OutOfGas } from '../../modules/gas.js'

/** gRPC's status codes that a query can end with. */
export const GRPC = {
  unknown: 2,
  invalidArgument: 3,
  notFound: 5,
  unimplemented: 12,
  unavailable: 14,
} as const

const NAMES: { readonly [code: number]: string } = {
  2: 'Unknown',
  3: 'InvalidArgument',
  5: 'NotFound',
  12: 'Unimplemented',
  14: 'Unavailable',
}

/**
 * Why a query has no answer. The two endpoints word it differently: `abci_query` as an error of
 * the SDK, the REST gateway as a gRPC status.
 */
export class QueryFailure extends Error {
  override name = 'QueryFailure'
  constructor(
    /** The failure in `abci_query`. */
    readonly abci: ChainFailure,
    /** gRPC's code, which decides the REST status. */
    readonly grpc: number,
    /** The message in REST. */
    text: string,
  ) {
    super(text)
  }
}

/** A plain error, which the SDK takes for a bad request. */
export const plain = (text: string): QueryFailure =>
  new QueryFailure(failures.invalidRequest(text), GRPC.unknown, text)

/** A gRPC status: `abci_query` puts its name before the text. */
export function status(code: number, text: string): QueryFailure {
  const said = `rpc error: code = ${NAMES[code]} desc = ${text}`
  const abci =
    code === GRPC.notFound
      ? failures.keyNotFound(said)
      : code === GRPC.invalidArgument
        ? failures.invalidRequest(said)
        : failures.unknownRequest(said)
  return new QueryFailure(abci, code, text)
}

export const invalidArgument = (text: string): QueryFailure => status(GRPC.invalidArgument, text)
export const notFound = (text: string): QueryFailure => status(GRPC.notFound, text)

/** An error of the SDK's own registry as REST words it: its name comes before what was wrapped in it. */
function registeredText({ codespace, code, message }: ChainFailure): string {
  const at = message.lastIndexOf(': ')
  const wrapped = at < 0 ? '' : `: ${message.slice(0, at)}`
  return `codespace ${codespace} code ${code}: ${message.slice(at < 0 ? 0 : at + 2)}${wrapped}`
}

/** An error of the SDK's registry that a query handler returns. */
export const registered = (failure: ChainFailure): QueryFailure =>
  new QueryFailure(failures.unknownRequest(failure.message), GRPC.unknown, registeredText(failure))

/** One that the application gives before any handler runs: `abci_query` hands it on as it is. */
export const refused = (failure: ChainFailure): QueryFailure =>
  new QueryFailure(failure, GRPC.unknown, registeredText(failure))

const NO_SUCH_CONTRACT = 22

/** The failure of a contract's query. */
export function contractFailure(error: unknown): unknown {
  if (error instanceof OutOfGas) return registered(failures.outOfGas(error.message))
  if (!(error instanceof ChainFailure)) return error
  return error.codespace === 'wasm' && error.code === NO_SUCH_CONTRACT
    ? registered(error)
    : new QueryFailure(failures.unknownRequest(error.message), GRPC.unknown, error.message)
}

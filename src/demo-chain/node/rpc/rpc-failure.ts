/** A JSON-RPC error as CometBFT answers it. */
export class RpcFailure extends Error {
  override name = 'RpcFailure'
  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message)
  }
}

export const parseError = (data: string): RpcFailure =>
  new RpcFailure(-32700, 'Parse error. Invalid JSON', data)
export const invalidRequest = (data: string): RpcFailure =>
  new RpcFailure(-32600, 'Invalid Request', data)
export const methodNotFound = (): RpcFailure => new RpcFailure(-32601, 'Method not found')
export const invalidParams = (data: string): RpcFailure =>
  new RpcFailure(-32602, 'Invalid params', data)
export const internalError = (data: string): RpcFailure =>
  new RpcFailure(-32603, 'Internal error', data)

import type { NodesOptions } from '../../../src/chain/rpc/nodes.js'
import { closing } from '../../support/closing.js'
import {
  CHAIN_ID,
  type Handler,
  noPauses,
  openSource,
  requestsOf,
  type Stub,
  sendCorrect,
  stub,
} from './stage.js'

export const HEIGHT = 100
export const question = { path: '/q', data: Buffer.of(8, 1) }

export const opened = (rpc: readonly string[], options: Partial<NodesOptions> = {}) =>
  closing(
    openSource({
      chainId: CHAIN_ID,
      rpc,
      deadlineMs: 5_000,
      ...options,
      limits: { ...noPauses, ...options.limits },
    }),
  )

/** A node that counts the requests of each method. */
export async function counting(handler: Handler): Promise<Stub & { readonly asked: string[] }> {
  const asked: string[] = []
  const node = await stub((body, request, response) => {
    asked.push(...requestsOf(body).map(({ method }) => method))
    handler(body, request, response)
  })
  return closing({ ...node, asked })
}

export const at =
  (height: number | (() => number), chainId: string | (() => string) = CHAIN_ID): Handler =>
  (body, _request, response) =>
    sendCorrect(
      response,
      body,
      typeof height === 'number' ? height : height(),
      typeof chainId === 'string' ? chainId : chainId(),
    )

export const hangUp: Handler = (_body, request) => request.socket.resetAndDestroy()
export const count = (asked: readonly string[], method: string): number =>
  asked.filter((each) => each === method).length

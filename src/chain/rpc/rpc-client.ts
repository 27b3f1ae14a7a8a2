import type { RpcClient } from '@cosmjs/tendermint-rpc'
import { ask } from './ask.js'
import { type Attempt, read, sendOnce } from './failover.js'
import { NodeRefusal } from './faults.js'
import { isRead, type RpcCall, type RpcOutcome } from './http/json-rpc.js'
import { type Nodes, type NodesOptions, openNodes } from './nodes.js'

type Request = Parameters<RpcClient['execute']>[0]
type Success = Awaited<ReturnType<RpcClient['execute']>>

type Waiting = {
  readonly call: RpcCall
  readonly settle: (outcome: Answered) => void
  readonly fail: (error: unknown) => void
}

type Answered = { readonly outcome: RpcOutcome; readonly shown: string }

/** What the clients of cosmjs stand on: `Comet38Client.create(openRpcClient(options))`. */
export const openRpcClient = (options: NodesOptions): RpcClient => {
  const nodes = openNodes(options)
  return { ...rpcClientOf(nodes), disconnect: () => nodes.close() }
}

/**
 * The same for nodes that others use as well, which a client that disconnects leaves to them.
 *
 * Reads that are begun together travel together, and fail over. A broadcast travels alone, over its
 * own connection, to one node, once: whether to send the same bytes again is for the sender to say.
 */
export function rpcClientOf(nodes: Nodes): RpcClient {
  let queue: Waiting[] = []
  const flush = (): void => {
    const waiting = queue
    queue = []
    const size = nodes.rpc.limits.batch
    for (let at = 0; at < waiting.length; at += size)
      void travel(nodes, waiting.slice(at, at + size))
  }
  const together = (call: RpcCall): Promise<Answered> =>
    new Promise((settle, fail) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push({ call, settle, fail })
    })
  return {
    async execute({ id, method, params }: Request): Promise<Success> {
      const call = { method, params }
      const { outcome, shown } = isRead(call)
        ? await together(call)
        : await sendOnce(nodes.rpc, nodes.deadline(), alone(call))
      if (!outcome.ok) throw new NodeRefusal(shown, outcome.code, outcome.text)
      return { jsonrpc: '2.0', id, result: outcome.result }
    },
    disconnect: () => {},
  }
}

const alone =
  (call: RpcCall): Attempt<Answered> =>
  async (endpoint, until) => {
    const [outcome] = await ask(endpoint, [call], until)
    return { outcome: outcome as RpcOutcome, shown: endpoint.shown }
  }

/** Every one of them settles: with its answer, or with the fault of all. */
async function travel(nodes: Nodes, waiting: readonly Waiting[]): Promise<void> {
  try {
    const calls = waiting.map(({ call }) => call)
    const answered = await read(nodes.rpc, nodes.deadline(), async (endpoint, until) => {
      const outcomes = await ask(endpoint, calls, until)
      return { outcomes, shown: endpoint.shown }
    })
    for (const [at, { settle }] of waiting.entries())
      settle({ outcome: answered.outcomes[at] as RpcOutcome, shown: answered.shown })
  } catch (error) {
    for (const { fail } of waiting) fail(error)
  }
}

import { abciCall, readAnswer } from './abci.js'
import { ask } from './ask.js'
import type { Endpoint } from './endpoint.js'
import { read, sendOnce, survey } from './failover.js'
import { NodeRefusal } from './faults.js'
import { isRead, type RpcCall } from './http/json-rpc.js'
import { type Nodes, type NodesOptions, openNodes } from './nodes.js'
import type { Answer, Query, Source } from './query-source.js'
import { askRest } from './rest.js'

/**
 * A chain read from real nodes. Nothing is asked before the first call.
 *
 * @throws SwapError INVALID_REQUEST for a text that is no URL
 */
export const openSource = (options: NodesOptions): Source => sourceOf(openNodes(options))

/** The same for nodes that others use as well. */
export function sourceOf(nodes: Nodes): Source {
  let served = 0
  return {
    async newestHeight() {
      served = Math.max(served, await survey(nodes.rpc, nodes.deadline()))
      return served
    },
    queries: (questions, height) => queries(nodes, questions, height),
    call: (method, params) => call(nodes, { method, params }),
    rest: (path, height) =>
      read(
        nodes.rest,
        nodes.deadline(),
        (endpoint, until) => askRest(endpoint, path, height, until),
        height,
      ),
    close: () => nodes.close(),
  }
}

/** Batches fail over one by one, but all of them before the same deadline. */
async function queries(
  { rpc, deadline }: Nodes,
  questions: readonly Query[],
  height: number,
): Promise<readonly Answer[]> {
  if (!Number.isSafeInteger(height) || height < 1) throw new RangeError(`no height: ${height}`)
  const deadlineAt = deadline()
  const batches = inBatches(questions, rpc.limits.batch).map((batch) => {
    const calls = batch.map((question) => abciCall(question, height))
    const attempt = async (endpoint: Endpoint, until: number) => {
      const outcomes = await ask(endpoint, calls, until)
      return outcomes.map((outcome) => readAnswer(endpoint, outcome, height))
    }
    return read(rpc, deadlineAt, attempt, height)
  })
  return (await Promise.all(batches)).flat()
}

const inBatches = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )

/** @throws NodeFault, NodeRefusal */
async function call({ rpc, deadline }: Nodes, rpcCall: RpcCall): Promise<unknown> {
  const go = isRead(rpcCall) ? read : sendOnce
  return go(rpc, deadline(), async (endpoint, until) => {
    const [outcome] = await ask(endpoint, [rpcCall], until)
    if (outcome?.ok === true) return outcome.result
    throw new NodeRefusal(endpoint.shown, outcome?.code ?? 0, outcome?.text ?? '')
  })
}

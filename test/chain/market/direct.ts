import {
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import type { Answer, Query, Source } from '../../../src/chain/rpc/query-source.js'
import type { Chain } from '../../../src/demo-chain/blocks/chain.js'
import { queries as known } from '../../../src/demo-chain/node/queries/all-queries.js'
import { type NodeOptions, nodeOf } from '../../../src/demo-chain/node/queries/node.js'
import { answerAbci } from '../../../src/demo-chain/node/queries/query.js'
import { jsonArgs } from '../../../src/demo-chain/node/rpc/arguments.js'
import { methods, run } from '../../../src/demo-chain/node/rpc/jsonrpc.js'

/** The number of queries of each gRPC path. */
export type Count = Map<string, number>

/** What a test injects between the reader and the chain. */
export type BlockInjection = {
  /** Answers in place of the node; `undefined` leaves the query to the node. */
  readonly answer?: (question: Query, height: number, node: () => Answer) => Answer | undefined
  readonly rest?: (path: string, height: number | undefined) => unknown
  /** Called after each batch of queries. */
  readonly after?: () => void
}

/** A source that queries a chain in this process, without any transport. */
export function directSource(
  chain: Chain,
  options: NodeOptions & BlockInjection = {},
): Source & { readonly count: Count } {
  const node = nodeOf(chain, options)
  const count: Count = new Map()
  const answerOf = ({ path, data }: Query, height: number): Answer => {
    const { code, codespace, log, value } = answerAbci(node, known, {
      path,
      data,
      height: BigInt(height),
    })
    return code === 0
      ? { ok: true, value: value ?? new Uint8Array() }
      : { ok: false, code, codespace, text: log }
  }
  return {
    count,
    newestHeight: async () => chain.height,
    queries: async (questions, height) => {
      const answers = questions.map((question) => {
        const name = question.path.slice(question.path.lastIndexOf('/') + 1)
        count.set(name, (count.get(name) ?? 0) + 1)
        const plain = () => answerOf(question, height)
        return options.answer?.(question, height, plain) ?? plain()
      })
      options.after?.()
      return answers
    },
    call: async (method, params) => {
      const found = methods.get(method)
      if (found === undefined) throw new Error(`no method ${method}`)
      return JSON.parse(JSON.stringify(await run(node, found, jsonArgs(found.names, params))))
    },
    rest: async (path, height) => {
      if (options.rest === undefined) throw new Error('no REST')
      return options.rest(path, height)
    },
    close: () => {},
  }
}

/** The contract and the message of a smart query. */
export type SmartMessage = {
  readonly address: string
  readonly name: string
  readonly body: unknown
}

/** The message of a smart query; `undefined` for other queries. */
export function messageOf({ path, data }: Query): SmartMessage | undefined {
  if (!path.endsWith('/SmartContractState')) return undefined
  const { address, queryData } = QuerySmartContractStateRequest.decode(data)
  const [entry] = Object.entries(JSON.parse(Buffer.from(queryData).toString()) as object)
  return { address, name: entry?.[0] ?? '', body: entry?.[1] }
}

/** The answer to a smart query. */
export const jsonAnswer = (value: unknown): Answer => ({
  ok: true,
  value: QuerySmartContractStateResponse.encode({
    data: Buffer.from(JSON.stringify(value)),
  }).finish(),
})

/** The JSON of an answer, `undefined` for a refusal. */
export const jsonOf = (answer: Answer): unknown =>
  answer.ok
    ? JSON.parse(Buffer.from(QuerySmartContractStateResponse.decode(answer.value).data).toString())
    : undefined

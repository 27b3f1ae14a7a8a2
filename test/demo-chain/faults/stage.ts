import type { Block } from '../../../src/demo-chain/blocks/chain.js'
import { demoOptions } from '../../../src/demo-chain/blocks/chain-options.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { FaultBoard } from '../../../src/demo-chain/faults/board.js'
import type { FaultRequest } from '../../../src/demo-chain/faults/fault.js'
import {
  type FaultInjection,
  faultInjectionOf,
} from '../../../src/demo-chain/faults/fault-injection.js'
import { faultyChain } from '../../../src/demo-chain/faults/middleware.js'
import { nodeOf, nodeShowing } from '../../../src/demo-chain/node/queries/node.js'
import type { NodeRequest, Reply } from '../../../src/demo-chain/node/reply.js'
import { answerRest } from '../../../src/demo-chain/node/rest.js'
import { answerRpc } from '../../../src/demo-chain/node/rpc/jsonrpc.js'
import { firstMarket, openChain } from '../../../src/demo-chain/process/open-chain.js'

/** A chain behind its faults, without a port. */
export type Stage = ReturnType<typeof faultyChain> & {
  readonly real: EmbeddedChain
  readonly board: FaultBoard
  readonly faultInjection: FaultInjection
  /** Sends a request through the faults. */
  send(request: Partial<NodeRequest>): Promise<Reply>
  /** One JSON-RPC call with its parsed answer. */
  rpc(method: string, params?: object, id?: number): Promise<Answer>
  /** Switches a fault on. @returns the stage itself */
  fail(fault: FaultRequest): Stage
  /** The next block, unless a fault prevents it. */
  block(): Block | undefined
  /** The clock of the faults, in milliseconds. */
  clock: { now: number }
}

export type Answer = {
  readonly id?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string }
}

const document = firstMarket(1)

export function stage(options: { readonly hasAgents?: boolean } = {}): Stage {
  const clock = { now: 1_000_000 }
  const real = openChain({ ...demoOptions, life: options.hasAgents ?? false }, () => document).chain
  const board = new FaultBoard(undefined, () => clock.now)
  const faultInjection = faultInjectionOf(real, board)
  const faulty = faultyChain(real, board, faultInjection.accepted)
  const node = nodeOf(faulty.chain)
  const send = (request: Partial<NodeRequest>): Promise<Reply> => {
    const whole: NodeRequest = {
      endpoint: 'rpc',
      method: 'POST',
      url: '/',
      headers: {},
      body: Buffer.alloc(0),
      ...request,
    }
    const answer = whole.endpoint === 'rest' ? answerRest : answerRpc
    return faulty.middleware(whole, async (view) => answer(nodeShowing(node, view), whole))
  }
  const at: Stage = {
    ...faulty,
    real,
    board,
    faultInjection,
    clock,
    send,
    async rpc(method, params = {}, id = 1) {
      const reply = await send({ body: bodyOf({ jsonrpc: '2.0', id, method, params }) })
      return JSON.parse(reply.body.toString()) as Answer
    },
    fail(fault) {
      board.add(fault, real.height)
      return at
    },
    block: () =>
      faultInjection.producing() ? real.makeBlock(faultInjection.blockInjection) : undefined,
  }
  return at
}

export const bodyOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/** Several status requests in one body, ids from 1. */
export const batchOf = (count: number): Buffer =>
  bodyOf(
    Array.from({ length: count }, (_, at) => ({
      jsonrpc: '2.0',
      id: at + 1,
      method: at % 2 === 0 ? 'health' : 'status',
      params: {},
    })),
  )

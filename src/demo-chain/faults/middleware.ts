import type { Block, Chain, TxResult } from '../blocks/chain.js'
import { seededRandom } from '../market/random.js'
import type { Middleware, NodeHandler, NodeRequest, Reply } from '../node/reply.js'
import type { FaultBoard } from './board.js'
import { faultKind } from './catalogue.js'
import {
  type Call,
  callOf,
  changedChain,
  type Fault,
  isAboutContract,
  isOfMethod,
} from './fault.js'
import { faultySubscriber } from './responses.js'

/**
 * Puts the faults of a board before a chain: the chain as clients see it, and the middleware in front of its node.
 * `accepted` is called for every transaction that the node accepts, for the faults of execution.
 */
export function faultyChain(
  real: Chain,
  board: FaultBoard,
  accepted: (tx: Uint8Array) => void = () => {},
) {
  const chain = changedChain(real, {
    subscribe: (listener: (block: Block) => void) =>
      real.subscribe(faultySubscriber(listener, () => board.active())),
    broadcast: (tx: Uint8Array): TxResult => {
      const result = real.broadcast(tx)
      if (result.code === 0) accepted(tx)
      return result
    },
  })
  const answered = (call: Call, faults: readonly Fault[], count: number, next: NodeHandler) => {
    const draw = (fault: Fault) => seededRandom(`${fault.kind} ${fault.seed} ${count}`)
    let view = chain
    let reply: () => Promise<Reply> = () => next(view)
    for (const fault of faults) {
      const effect = faultKind(fault.kind)?.effect
      if (effect?.at === 'view') view = effect.show(view, fault, draw(fault))
      if (effect?.at !== 'answer') continue
      const inner = reply
      reply = () => effect.answer(call, inner, fault, draw(fault))
    }
    return reply()
  }
  let calls = 0
  const middleware: Middleware = async (exchange, next) => {
    if (isControl(exchange) || board.active().length === 0) return next()
    const call = callOf(exchange)
    const faults = board.active().filter((fault) => concerns(fault, call))
    for (const fault of faults) board.spend(fault)
    calls += 1
    return answered(call, faults, calls, next)
  }
  return { chain, middleware }
}

/** Whether a request is a control request, which faults do not affect. */
const isControl = ({ url }: NodeRequest): boolean => url.startsWith('/demo/') || url === '/demo'

function concerns(fault: Fault, call: Call): boolean {
  const { effect, group } = faultKind(fault.kind) ?? {}
  if (effect?.at !== 'answer' && effect?.at !== 'view') return false
  if (effect.fits && !effect.fits(call)) return false
  if (fault.method !== undefined && !isOfMethod(call, fault.method)) return false
  // Market faults change the answers of the named pair, not the calls about it.
  return fault.pair === undefined || group === 'market' || isAboutContract(call, fault.pair)
}

import type { RequestListener } from 'node:http'
import type { FileLock } from '../../platform/lock-file.js'
import type { Block } from '../blocks/block.js'
import type { Chain } from '../blocks/chain.js'
import { FaultBoard, faultFile } from '../faults/board.js'
import { faultInjectionOf } from '../faults/fault-injection.js'
import { faultyChain } from '../faults/middleware.js'
import { type Answer, listener } from '../node/listener.js'
import { nodeOf, nodeShowing } from '../node/queries/node.js'
import type { Middleware, NodeRequest, Reply } from '../node/reply.js'
import { answerRest } from '../node/rest/rest.js'
import { answerRpc } from '../node/rpc/rpc.js'
import { type Controls, controlsOf } from './control.js'
import type { DemoFiles } from './files.js'
import { lockChain } from './lock.js'
import { Log, logBlocks } from './log.js'
import { firstMarket, openChain } from './open-chain.js'
import { checkAgreement, optionsOf, type StartOptions } from './options.js'
import { findProcess, type ProcessRecord } from './record.js'
import { statusOf } from './status.js'

/** A chain that another process runs: used like any node. */
type RunningDemo = { readonly kind: 'running' } & ProcessRecord

/** A chain in this process: needs no port. Its clients meet the faults that are switched on. */
export type EmbeddedDemo = {
  readonly kind: 'embedded'
  /** As clients see it; inside `middleware` with the faults of the call. */
  readonly chain: Chain
  readonly middleware: Middleware
  /** Answers a client's request to an endpoint of the node. */
  answer(request: NodeRequest): Promise<Reply>
  /** Handles the HTTP requests of one endpoint, for a server without a port. */
  listener(endpoint: 'rpc' | 'rest'): RequestListener
  /** Makes the next block, unless a fault stops production. Only for a chain opened to execute. */
  makeBlock(): Block | undefined
  readonly controls: Controls
  /** Releases the file and the lock. */
  close(): void
}

export type Demo = RunningDemo | EmbeddedDemo

/**
 * The demo chain as a command finds it: the process that runs it, else the chain itself, from its
 * state file, or a new one. To `execute` takes the chain's lock until `close`; to `read` changes nothing.
 *
 * @throws SwapError BUSY, INVALID_REQUEST for a chain with other options
 */
export async function openDemo(
  places: DemoFiles,
  purpose: 'read' | 'execute',
  start: StartOptions = {},
): Promise<Demo> {
  const found = findProcess(places)
  if (found) return { kind: 'running', ...found }
  const lock = purpose === 'execute' ? await lockChain(places.lock) : undefined
  try {
    return embedded(places, start, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

function embedded(
  places: DemoFiles,
  start: StartOptions,
  lock: FileLock | undefined,
): EmbeddedDemo {
  const options = optionsOf(start)
  const open = openChain(options, () => firstMarket(options.seed), places.state)
  const { chain } = open
  checkAgreement(start, chain.options)
  const board = new FaultBoard(faultFile(places.faults))
  const faultInjection = faultInjectionOf(chain, board)
  const faulty = faultyChain(chain, board, faultInjection.accepted)
  const log = new Log(places.log)
  const unlog = logBlocks(chain, log)
  const node = nodeOf(faulty.chain)
  const answer: Answer = async (request, view) =>
    (request.endpoint === 'rest' ? answerRest : answerRpc)(nodeShowing(node, view), request)
  return {
    kind: 'embedded',
    ...faulty,
    answer: (request) => faulty.middleware(request, (view) => answer(request, view)),
    listener: (endpoint) => listener(endpoint, answer, faulty.middleware),
    makeBlock() {
      if (!lock) throw new Error('a chain that is only read makes no blocks')
      return faultInjection.producing() ? chain.makeBlock(faultInjection.blockInjection) : undefined
    },
    controls: controlsOf(chain, board, faultInjection, log, () => statusOf(chain, board.active())),
    close() {
      unlog()
      open.close()
      lock?.release()
    },
  }
}

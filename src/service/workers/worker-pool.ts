import type { Worker } from 'node:worker_threads'
import { SwapError } from '../../engine/errors.js'
import type { Contracts } from '../../operations/chain-port.js'
import { serializeMarket } from '../../operations/serialized-market.js'
import type { ServedMarket } from '../feed/market-feed.js'
import {
  type ContractsReply,
  type ContractsRequest,
  callContracts,
  deserializeError,
  keepNewest,
  serializeError,
  type WorkerReply,
  type WorkerRequest,
} from './worker-messages.js'

/** An expensive request. */
type Job = {
  readonly operation: string
  readonly request: unknown
  readonly served: ServedMarket
  /** Time in milliseconds after which the answer is no longer needed. */
  readonly deadline: number
  /** The chain's contracts, queried on this thread for the worker. */
  readonly contracts?: (() => Promise<Contracts>) | undefined
}

/** Computes expensive answers on worker threads. */
export type Pool = {
  /**
   * The text of the answer.
   *
   * @throws SwapError of the operation, OVERLOADED if the queue is full or the deadline has passed; Error if the
   * thread failed
   */
  run(job: Job): Promise<string>
  /** Number of queued jobs. */
  waiting(): number
  /** Number of jobs being computed, without those that wait for the chain. */
  busy(): number
  close(): Promise<void>
}

type PoolOptions = {
  readonly threads: number
  /** Maximum number of queued jobs. */
  readonly queue: number
  spawn(): Worker
  /** Called with errors of workers. */
  readonly failed?: (error: unknown) => void
}

type PendingJob = {
  readonly id: number
  readonly job: Job
  settle(outcome: { readonly text: string } | { readonly error: unknown }): void
}

/** A worker with its job, its jobs that wait for the chain, and its markets' heights with block times. */
type WorkerSlot = {
  readonly worker: Worker
  readonly heights: Map<number, string>
  readonly asking: Map<number, PendingJob>
  pending: PendingJob | undefined
  /** Whether it has sent a message, so that it has finished starting. */
  isStarted: boolean
}

export const overloaded = (why: string): SwapError =>
  new SwapError('OVERLOADED', 'the service has too much to do', {
    why,
    hint: 'try again after a moment, or request less',
    members: { retry_after_ms: 1_000 },
  })

const closing = (): SwapError => overloaded('it is closing')

/**
 * Worker threads, started on demand, with one job each. A job that waits for the chain does not block its
 * worker.
 */
export function poolOf(options: PoolOptions): Pool {
  const slots = new Set<WorkerSlot>()
  const queue: PendingJob[] = []
  let next = 0
  let closed = false

  const open = (): WorkerSlot => {
    const slot: WorkerSlot = {
      worker: options.spawn(),
      heights: new Map(),
      asking: new Map(),
      pending: undefined,
      isStarted: false,
    }
    slots.add(slot)
    slot.worker.on('message', (reply: WorkerReply) => {
      slot.isStarted = true
      const pending = slot.pending?.id === reply.id ? slot.pending : slot.asking.get(reply.id)
      if (pending === undefined) return
      if (slot.pending === pending) slot.pending = undefined
      if ('ask' in reply) {
        slot.asking.set(reply.id, pending)
        void answerContracts(slot.worker, pending.job, reply)
      } else {
        slot.asking.delete(reply.id)
        pending.settle('text' in reply ? reply : { error: deserializeError(reply) })
      }
      dispatch()
    })
    slot.worker.on('error', (error) => options.failed?.(error))
    slot.worker.on('exit', () => {
      slots.delete(slot)
      const ended = closed ? closing() : new Error('the thread ended before it had answered')
      for (const pending of [slot.pending, ...slot.asking.values()])
        pending?.settle({ error: ended })
      if (!closed) dispatch()
    })
    slot.worker.unref()
    return slot
  }

  const idle = (): WorkerSlot | undefined => {
    for (const slot of slots) if (slot.pending === undefined) return slot
    return slots.size < options.threads ? open() : undefined
  }

  const dispatch = (): void => {
    while (queue.length > 0) {
      const slot = idle()
      if (slot === undefined) return
      const pending = queue.shift()!
      slot.pending = pending
      slot.worker.postMessage(workerRequest(pending, slot.heights))
    }
  }

  /** Handles a passed deadline: a queued job is removed, the worker of a running one terminated. */
  const giveUp = (id: number): void => {
    const at = queue.findIndex((each) => each.id === id)
    const late = overloaded('there was no time left to answer')
    if (at >= 0) queue.splice(at, 1)[0]!.settle({ error: late })
    for (const slot of slots) {
      slot.asking.get(id)?.settle({ error: late })
      slot.asking.delete(id)
      if (slot.pending?.id === id) {
        const { pending } = slot
        slot.pending = undefined
        pending.settle({ error: late })
        // Terminating workers while they start would keep any from starting on a busy machine.
        if (slot.isStarted) {
          slots.delete(slot)
          // Jobs that were waiting for the chain are restarted on another worker.
          queue.unshift(...slot.asking.values())
          slot.asking.clear()
          void slot.worker.terminate()
        }
        dispatch()
      }
    }
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (closed || queue.length >= options.queue)
          return reject(overloaded(`${queue.length} requests of this kind wait already`))
        const id = next++
        const timer = setTimeout(() => giveUp(id), job.deadline)
        queue.push({
          id,
          job,
          settle(outcome) {
            clearTimeout(timer)
            if ('text' in outcome) resolve(outcome.text)
            else reject(outcome.error)
          },
        })
        dispatch()
      }),
    waiting: () => queue.length,
    busy: () => [...slots].filter(({ pending }) => pending !== undefined).length,
    async close() {
      closed = true
      for (const pending of queue.splice(0)) pending.settle({ error: closing() })
      await Promise.all([...slots].map(({ worker }) => worker.terminate()))
    },
  }
}

function workerRequest({ id, job }: PendingJob, heights: Map<number, string>): WorkerRequest {
  const { operation, request, served } = job
  // After a reset of the chain another market may have the same height.
  const { height, view } = served
  const known = heights.get(height) === view.market.time
  if (!known) keepNewest(heights, height, view.market.time)
  return {
    id,
    operation,
    request,
    height,
    serializedMarket: known ? undefined : serializeMarket(view.market),
    contracts: job.contracts !== undefined,
  }
}

/** Queries contracts for a worker and sends it the result or the error. */
async function answerContracts(
  worker: Worker,
  { contracts }: Job,
  { id, ask, at, ...call }: ContractsRequest & { readonly id: number },
): Promise<void> {
  const post = (reply: ContractsReply) => worker.postMessage(reply)
  try {
    if (contracts === undefined)
      throw new Error('a worker queries contracts of a market without a chain')
    post({ id, ask, answers: await callContracts(await contracts(), call, at) })
  } catch (error) {
    post({ id, ask, ...serializeError(error) })
  }
}

import type { Worker } from 'node:worker_threads'
import { SwapError } from '../../engine/errors.js'
import type { Contracts } from '../../operations/chain-port.js'
import { serializeMarket } from '../../operations/serialized-market.js'
import type { ServedMarket } from '../feed/market-feed.js'
import {
  type ContractsReply,
  type ContractsRequest,
  deserializeError,
  keepNewest,
  serializeError,
  type WorkerReply,
  type WorkerRequest,
} from './worker-messages.js'

/** A question that takes long. */
export type Job = {
  readonly operation: string
  readonly request: unknown
  readonly served: ServedMarket
  /** Milliseconds from now after which nobody waits for the answer any more. */
  readonly deadline: number
  /** The contracts of the chain, where there is one: asked here, on behalf of the thread. */
  readonly contracts?: (() => Promise<Contracts>) | undefined
}

/** Where answers that take long are computed. */
export type Pool = {
  /** The bytes of the answer. @throws SwapError, OVERLOADED when there is no room or no time */
  run(job: Job): Promise<string>
  /** Jobs that wait for a thread. */
  waiting(): number
  /** Jobs that a thread is at. */
  busy(): number
  close(): Promise<void>
}

export type PoolOptions = {
  readonly threads: number
  /** Jobs that may wait; one more is refused. */
  readonly queue: number
  spawn(): Worker
  /** Told of threads that died. */
  readonly failed?: (error: unknown) => void
}

type PendingJob = {
  readonly id: number
  readonly job: Job
  readonly timer: NodeJS.Timeout
  settle(outcome: { readonly text: string } | { readonly error: unknown }): void
}

/** A thread with what it is at, what waits for the chain meanwhile, and the heights it has. */
type WorkerSlot = {
  readonly worker: Worker
  readonly heights: Map<number, true>
  readonly asking: Map<number, PendingJob>
  pending: PendingJob | undefined
  /** Whether it has been heard of: until then it is not stuck but still being started. */
  isStarted: boolean
}

export const overloaded = (why: string): SwapError =>
  new SwapError('OVERLOADED', 'the service has too much to do', {
    why,
    hint: 'ask again after a moment, or ask for less',
    members: { retry_after_ms: 1_000 },
  })

/**
 * Threads that answer what takes long. Each is started when it is first needed and does one job at a
 * time; one that waits for the chain holds up no other.
 */
export function poolOf(options: PoolOptions): Pool {
  const slots = new Set<WorkerSlot>()
  const queue: PendingJob[] = []
  let [next, closed] = [0, false]

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
        pending.settle(outcomeOf(reply))
      }
      dispatch()
    })
    slot.worker.on('error', (error) => options.failed?.(error))
    slot.worker.on('exit', () => {
      slots.delete(slot)
      const ended = new Error('the thread ended before it had answered')
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

  /** Nobody waits any more: a job in the queue leaves it, a thread that is at one ends with it. */
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
        // Ended while it is still being started, it would never begin on a machine that is busy.
        if (slot.isStarted) {
          slots.delete(slot)
          // Those that wait for the chain have done nothing wrong: another thread begins them anew.
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
          timer,
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
      for (const pending of queue.splice(0)) pending.settle({ error: overloaded('it is closing') })
      await Promise.all([...slots].map(({ worker }) => worker.terminate()))
    },
  }
}

function workerRequest({ id, job }: PendingJob, heights: Map<number, true>): WorkerRequest {
  const { operation, request, served } = job
  const known = heights.has(served.height)
  if (!known) keepNewest(heights, served.height, true)
  return {
    id,
    operation,
    request,
    height: served.height,
    serializedMarket: known ? undefined : serializeMarket(served.view.market),
    contracts: job.contracts !== undefined,
  }
}

/** Asks the contracts for a thread and tells it what they say, or what went wrong. */
async function answerContracts(
  worker: Worker,
  { contracts }: Job,
  { id, ask, questions, at }: ContractsRequest & { readonly id: number },
): Promise<void> {
  const post = (reply: ContractsReply) => worker.postMessage(reply)
  try {
    if (contracts === undefined) throw new Error('a thread asks for contracts that nobody has')
    post({ id, ask, answers: await (await contracts()).simulations(questions, at) })
  } catch (error) {
    if (error instanceof SwapError) post({ id, ask, refused: serializeError(error) })
    else post({ id, ask, bug: error instanceof Error ? (error.stack ?? '') : String(error) })
  }
}

function outcomeOf(
  reply: Exclude<WorkerReply, ContractsRequest>,
): { readonly text: string } | { readonly error: unknown } {
  if ('text' in reply) return { text: reply.text }
  return { error: 'refused' in reply ? deserializeError(reply.refused) : new Error(reply.bug) }
}

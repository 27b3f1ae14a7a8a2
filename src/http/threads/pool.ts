import type { Worker } from 'node:worker_threads'
import { SwapError } from '../../errors.js'
import type { Served } from '../feed/market-feed.js'
import { errorOf, keep, type Question, type Reply } from './messages.js'

/** A question that takes long. */
export type Job = {
  readonly operation: string
  readonly request: unknown
  readonly served: Served
  /** Milliseconds from now after which nobody waits for the answer any more. */
  readonly deadline: number
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

type Pending = {
  readonly id: number
  readonly job: Job
  readonly timer: NodeJS.Timeout
  settle(outcome: { readonly text: string } | { readonly error: unknown }): void
}

/** A thread with what it is at and the heights it has. */
type Slot = {
  readonly worker: Worker
  readonly heights: Map<number, true>
  pending: Pending | undefined
}

export const overloaded = (why: string): SwapError =>
  new SwapError('OVERLOADED', 'the service has too much to do', {
    why,
    hint: 'ask again after a moment, or ask for less',
    members: { retry_after_ms: 1_000 },
  })

/** Threads that answer what takes long. Each is started when it is first needed and does one job at a time. */
export function poolOf(options: PoolOptions): Pool {
  const slots = new Set<Slot>()
  const queue: Pending[] = []
  let [next, closed] = [0, false]

  const open = (): Slot => {
    const slot: Slot = { worker: options.spawn(), heights: new Map(), pending: undefined }
    slots.add(slot)
    slot.worker.on('message', (reply: Reply) => {
      const { pending } = slot
      if (pending?.id !== reply.id) return
      slot.pending = undefined
      pending.settle(outcomeOf(reply))
      dispatch()
    })
    slot.worker.on('error', (error) => options.failed?.(error))
    slot.worker.on('exit', () => {
      slots.delete(slot)
      slot.pending?.settle({ error: new Error('the thread ended before it had answered') })
      if (!closed) dispatch()
    })
    slot.worker.unref()
    return slot
  }

  const idle = (): Slot | undefined => {
    for (const slot of slots) if (slot.pending === undefined) return slot
    return slots.size < options.threads ? open() : undefined
  }

  const dispatch = (): void => {
    while (queue.length > 0) {
      const slot = idle()
      if (slot === undefined) return
      const pending = queue.shift()!
      slot.pending = pending
      slot.worker.postMessage(questionOf(pending, slot.heights))
    }
  }

  /** Nobody waits any more: a job in the queue leaves it, a thread that is at one ends with it. */
  const giveUp = (id: number): void => {
    const at = queue.findIndex((each) => each.id === id)
    const late = overloaded('there was no time left to answer')
    if (at >= 0) queue.splice(at, 1)[0]!.settle({ error: late })
    for (const slot of slots)
      if (slot.pending?.id === id) {
        const { pending } = slot
        slots.delete(slot)
        slot.pending = undefined
        pending.settle({ error: late })
        void slot.worker.terminate()
        dispatch()
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

function questionOf({ id, job }: Pending, heights: Map<number, true>): Question {
  const { operation, request, served } = job
  const known = heights.has(served.height)
  if (!known) keep(heights, served.height, true)
  return {
    id,
    operation,
    request,
    height: served.height,
    document: known ? undefined : served.document(),
  }
}

function outcomeOf(reply: Reply): { readonly text: string } | { readonly error: unknown } {
  if ('text' in reply) return { text: reply.text }
  return { error: 'refused' in reply ? errorOf(reply.refused) : new Error(reply.bug) }
}

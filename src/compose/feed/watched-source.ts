import type { Worker } from 'node:worker_threads'
import type { Market } from '../../engine/market/market.js'
import { deserializeMarket } from '../../operations/serialized-market.js'
import type { FleetRole } from '../../service/feed/fleet-role.js'
import type { MarketSource, ReadResult } from '../../service/feed/polling-feed.js'
import { deserializeError } from '../../service/workers/worker-messages.js'
import type { Report } from './watch-worker.js'

type Answer = Extract<Report, { readonly id: number }>

/** A thread, and the market that it takes this one to have. */
type Watcher = { readonly worker: Worker; last: Market | undefined }

/** Milliseconds that a thread may take to let go of its nodes; then it is ended. */
const GRACE_MS = 1_000

/**
 * Markets that a thread reads. One that dies is replaced when the next market is asked for.
 *
 * @param spawn starts a thread that watches
 * @param stands told where the markets are from, in a fleet
 */
export function watchedSource(
  spawn: () => Worker,
  stands: (standpoint: FleetRole) => void = () => {},
): MarketSource {
  const listeners = new Set<() => void>()
  let watcher: Watcher | undefined
  let ids = 0

  const present = (): Watcher => {
    if (watcher !== undefined) return watcher
    const fresh: Watcher = { worker: spawn(), last: undefined }
    fresh.worker.unref()
    fresh.worker.on('message', (report: Report) => {
      if ('hint' in report) for (const listener of listeners) listener()
      if ('standpoint' in report) stands(report.standpoint)
    })
    // Who waits for an answer hears of it as well; without a listener it would end the process.
    fresh.worker.on('error', () => {})
    fresh.worker.once('exit', () => {
      if (watcher === fresh) watcher = undefined
    })
    watcher = fresh
    return fresh
  }
  const freshOf = (from: Watcher, answer: Answer): ReadResult | undefined => {
    if ('same' in answer) return undefined
    if ('disputed' in answer) return answer
    if ('refused' in answer) throw deserializeError(answer.refused)
    if ('bug' in answer) throw new Error(answer.bug)
    try {
      const view = deserializeMarket(answer.parcel, from.last)
      from.last = view.market
      return { view, ageMs: answer.ageMs }
    } catch (error) {
      // The two do not know the same any more.
      watcher = undefined
      void from.worker.terminate()
      throw error
    }
  }
  return {
    async read(after, signal) {
      const from = present()
      const id = (ids += 1)
      const answer = await answerOf(from.worker, id, signal, () =>
        from.worker.postMessage({ id, after: from.last === undefined ? undefined : after }),
      )
      return answer && freshOf(from, answer)
    },
    hints(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      const { worker } = watcher ?? {}
      if (worker === undefined) return
      worker.postMessage('close')
      const timer = setTimeout(() => worker.terminate(), GRACE_MS)
      await new Promise((resolve) => worker.once('exit', resolve))
      clearTimeout(timer)
    },
  }
}

/** The answer to one request; `undefined` when nobody waits for it any more. */
function answerOf(
  worker: Worker,
  id: number,
  signal: AbortSignal,
  ask: () => void,
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const answered = (report: Report) => {
      if ('id' in report && report.id === id) end(() => resolve(report))
    }
    const aborted = () => end(() => resolve(undefined))
    const failed = (error: unknown) => end(() => reject(error))
    const exited = () => failed(new Error('the thread that reads the market ended'))
    const end = (act: () => void) => {
      signal.removeEventListener('abort', aborted)
      worker.off('message', answered).off('error', failed).off('exit', exited)
      act()
    }
    signal.addEventListener('abort', aborted)
    worker.on('message', answered).once('error', failed).once('exit', exited)
    ask()
  })
}

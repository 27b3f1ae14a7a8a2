import { StoreFault } from './fault.js'

/** Serializes the use of the one connection of a file. */
export type WorkQueue = {
  /** @throws StoreFault `OVERLOADED` if the turn does not come in time */
  wait(): Promise<void>
  next(): void
}

/** Milliseconds that a use waits for its turn. */
const WAIT_MS = 5_000

type Waiter = () => void

/** First come, first served. */
export function workQueue(): WorkQueue {
  let taken = false
  const waiters: Waiter[] = []
  return {
    wait: () => {
      if (!taken) {
        taken = true
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const waiter = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1)
          reject(tooSlow())
        }, WAIT_MS)
        waiters.push(waiter)
      })
    },
    next: () => {
      const waiter = waiters.shift()
      if (waiter === undefined) taken = false
      else waiter()
    },
  }
}

const tooSlow = (): StoreFault =>
  new StoreFault('slow', 'the history database has too much to do', {
    why: `no turn came within ${WAIT_MS / 1000} seconds`,
    hint: 'try again in some seconds',
  })

import type { Worker } from 'node:worker_threads'

type Waiting<Reply> = {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends requests to a thread, each of which gets the message with its id as its reply. The thread keeps the process
 * running while one waits.
 *
 * @param ended the error of requests without a reply when the thread ends, and of later ones
 */
export function callsTo<Reply extends { readonly id: number }>(thread: Worker, ended: Error) {
  const waiting = new Map<number, Waiting<Reply>>()
  let lastId = 0
  const failAll = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  thread.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.resolve(reply)
    waiting.delete(reply.id)
    if (waiting.size === 0) thread.unref()
  })
  thread.on('error', failAll)
  thread.on('exit', () => failAll(ended))
  return (request: object): Promise<Reply> =>
    new Promise((resolve, reject) => {
      if (hasEnded(thread)) return reject(ended)
      thread.ref()
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      thread.postMessage({ ...request, id: lastId })
    })
}

/** Has a thread close what it has open and end, and ends it after so many milliseconds. */
export async function endThread(thread: Worker, patienceMs: number): Promise<void> {
  thread.postMessage('close')
  const timer = setTimeout(() => void thread.terminate(), patienceMs)
  await new Promise((resolve) => thread.once('exit', resolve))
  clearTimeout(timer)
}

/** A thread has no id after its end. */
export const hasEnded = ({ threadId }: Worker): boolean => threadId === -1

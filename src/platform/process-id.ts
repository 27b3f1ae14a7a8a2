import { randomUUID } from 'node:crypto'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const KEY = 'swap process id'

/**
 * A random identifier of this process, unique among all machines and containers. A thread has that of
 * the thread that started it, if it existed by then.
 */
export function processId(): string {
  const known = getEnvironmentData(KEY)
  if (typeof known === 'string') return known
  const made = randomUUID()
  setEnvironmentData(KEY, made)
  return made
}

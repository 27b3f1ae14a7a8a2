import { readFileSync } from 'node:fs'

/** The files, sockets among them, that this process may have open; infinite where the system does not tell. */
export function mostOpenFiles(): number {
  try {
    const [, limit] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Gives the thread that serves a core of its own; its other threads, the chain and this load generator,
 * which goes first there, share another one. Only Linux does this, and only where there is `taskset`.
 *
 * @returns whether it was done
 */
export function setApart(serving: number, ...others: readonly number[]): boolean {
  const put = (core: number, pid: number, ...all: readonly string[]): boolean =>
    spawnSync('taskset', [...all, '-cp', `${core}`, `${pid}`], { stdio: 'ignore' }).status === 0
  if (spawnSync('taskset', ['--version']).status !== 0) return false
  // A thread that ends meanwhile is a failure to it.
  const putAll = (pid: number): boolean => Array.from({ length: 20 }).some(() => put(1, pid, '-a'))
  // With some of them on one core the measurement would mean nothing.
  if (![serving, process.pid, ...others].every(putAll) || !put(0, serving))
    throw new Error('taskset could not place every process')
  try {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), -10)
  } catch {
    // Only an administrator goes first; the lateness of the load shows what that costs.
  }
  return true
}

import { setTimeout as wait } from 'node:timers/promises'
import type { SigningView } from '../../app/execute/plan/view.js'
import type { Clock } from '../../app/execute/ports.js'
import type { Step } from '../../app/execute/progress.js'
import { type Session, Interrupted as Stopped } from '../../app/execute/session.js'
import type { Context, FlagValues } from '../command.js'
import { Interrupted } from '../exit.js'
import type { ExecutionParts } from './parts.js'
import { stepLine } from './steps.js'
import { lockWaitOf } from './terms.js'

/** Waiting for a block ends when no node has shown a new one for so long, in milliseconds. */
const STILL_MS = 60_000

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  time: () => new Date().toISOString(),
}

/** What executing needs of this process. `confirm` asks, where anybody can be asked. */
export async function sessionOf(
  context: Context,
  parts: ExecutionParts,
  flags: FlagValues,
  own: {
    readonly interrupt: AbortSignal
    confirm(view: SigningView): Promise<void>
  },
): Promise<Session> {
  return {
    chain: await parts.chain(),
    journal: parts.journal,
    clock: systemClock,
    progress: progressOf(context, flags),
    interrupt: own.interrupt,
    lock: (owner) => parts.lock(owner, lockWaitOf(flags)),
    confirm: own.confirm,
    everyMs: parts.everyMs,
    stillMs: STILL_MS,
  }
}

/** Steps on stderr: for people at a terminal, and in a pipe as events where `--ndjson` was said. */
function progressOf({ out, form }: Context, flags: FlagValues): (step: Step) => void {
  const events = flags['ndjson'] === true || flags['output'] === 'ndjson'
  if (events)
    return (step) => {
      const { stage, ...facts } = step
      void out.result(JSON.stringify({ type: 'stage', stage, ...facts }))
    }
  if (form.quiet > 0 || !out.noteStyle.tty) return () => {}
  return (step) => {
    const line = stepLine(step, out.noteStyle)
    if (line !== undefined) out.say(line)
  }
}

/**
 * Runs something that ctrl-c may stop: the first one asks it to, the second one ends the process.
 *
 * @throws Interrupted where it was stopped before anything was sent
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const signals = ['SIGINT', 'SIGTERM'] as const
  const forget = () => {
    for (const signal of signals) process.removeListener(signal, end)
  }
  // It stays for as long as the work does: other listeners would end the process when it is gone.
  const end = (signal: NodeJS.Signals) => {
    if (!stop.signal.aborted) return stop.abort()
    forget()
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, end)
  try {
    return await work(stop.signal)
  } catch (error) {
    throw error instanceof Stopped ? new Interrupted() : error
  } finally {
    forget()
  }
}

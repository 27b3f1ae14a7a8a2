import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { invalidRequest } from '../../engine/errors.js'
import { commandWords, notStarted, withoutPassword } from '../../platform/user-command.js'
import type { Surroundings } from '../command.js'

/** How a command of `--exec` ended: with a status, or by a signal. */
export type HookEnd = { readonly exit: number | null; readonly signal: string | null }

/**
 * Runs the command of `--exec` with a text on its standard input, and waits for its end. It is ended
 * when the watch is.
 *
 * @throws SwapError INVALID_REQUEST if it cannot be started
 */
export type Hook = (input: string, signal: AbortSignal) => Promise<HookEnd>

/**
 * The hook of `--exec COMMAND`, started without a shell. What it writes goes to standard error, so that
 * standard output has the events alone. A password of the environment is not passed on.
 *
 * @throws SwapError INVALID_REQUEST for a command that has no words, or a quote that is not closed
 */
export function hookOf(command: string, { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): Hook {
  const [program, ...args] = commandWords(command) ?? []
  if (program === undefined)
    throw invalidRequest(`${JSON.stringify(command)} cannot be used for --exec`, '/exec', {
      why: 'it names no program, or a quote is not closed',
      hint: `write e.g. --exec 'notify-send "a price was reached"'`,
    })
  return async (input, signal) => {
    let stop = () => {}
    try {
      const child = spawn(program, args, {
        cwd,
        env: withoutPassword(env),
        stdio: ['pipe', 2, 2] satisfies StdioOptions,
        windowsHide: true,
      })
      stop = () => void child.kill()
      signal.addEventListener('abort', stop)
      // The watch may have ended while its last event was written.
      if (signal.aborted) stop()
      // A command that does not read its input is not a failure.
      child.stdin?.on('error', () => {}).end(input)
      const [exit, ended] = await once(child, 'close')
      return { exit, signal: ended }
    } catch (error) {
      const { why, hint } = notStarted(program, error)
      throw invalidRequest('the command of --exec cannot be started', '/exec', {
        why: `${program}: ${why}`,
        hint,
      })
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The exit status of a program that has the terminal; `null` after a signal. Ctrl-c is for that program alone. */
export async function endOf(child: ChildProcess): Promise<number | null> {
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    const [status] = await once(child, 'close')
    return status
  } finally {
    process.off('SIGINT', ignore)
  }
}

type Keyboard = Pick<NodeJS.ReadStream, 'setRawMode'>

/**
 * Stops this process and the others of its job, as ctrl-z does where the terminal reads it; nothing on Windows.
 *
 * @param input a keyboard that is read without echo, except while the process is stopped
 */
export function stopJob(input?: Keyboard): void {
  if (process.platform === 'win32') return
  input?.setRawMode(false)
  process.kill(0, 'SIGTSTP')
  input?.setRawMode(true)
}

type Sharing = {
  /** The keyboard, if it is read. */
  readonly input: Keyboard | undefined
  /** Restores the terminal; more than once does no harm. */
  readonly leave: () => void
  readonly takeAgain: () => void
  /** Further signals that end the process. */
  readonly ends?: readonly NodeJS.Signals[]
}

/**
 * Gives the terminal back before the process is stopped, exits or is ended by a signal, and takes it again when it
 * continues.
 *
 * @returns a function that ends this
 */
export function shareTerminal({ input, leave, takeAgain, ends = [] }: Sharing): () => void {
  const leaving = ['SIGTSTP', 'SIGHUP', 'SIGQUIT', ...ends] as const
  const left = (signal: NodeJS.Signals) => {
    leave()
    input?.setRawMode(false)
    end()
    // Without listeners (ink has some) the signal does at once what it does by default. With one it would arrive later,
    // after another frame; and so would SIGCONT, for which everything would be shown a second time.
    const resuming = process.rawListeners('SIGCONT')
    for (const each of [signal, 'SIGCONT']) process.removeAllListeners(each)
    process.kill(process.pid, signal)
    if (signal !== 'SIGTSTP') return
    // The process continues, or was not stopped, since it has no shell that would continue it.
    for (const listener of resuming) process.on('SIGCONT', listener as NodeJS.SignalsListener)
    begin()
    process.emit('SIGCONT', 'SIGCONT')
  }
  const resumed = () => {
    leave()
    if (input !== undefined) takeKeyboard(input)
    takeAgain()
  }
  const begin = () => {
    process.once('exit', leave)
    for (const signal of leaving) process.on(signal, left)
    // Prompts are shown after it.
    process.prependListener('SIGCONT', resumed)
  }
  const end = () => {
    process.off('exit', leave)
    for (const signal of leaving) process.off(signal, left)
    process.off('SIGCONT', resumed)
  }
  begin()
  return end
}

/**
 * Reads keys without echo. In the background this stops the process (SIGTTOU) until a shell gives it the terminal, so
 * that nothing is shown there before.
 */
function takeKeyboard(input: Keyboard): void {
  // A mode that Node has set before is not set again.
  input.setRawMode(false)
  input.setRawMode(true)
}

/**
 * Keeps a keyboard without echo after a stop. Shells give a continued process a terminal that echoes, and would show a
 * password.
 *
 * @param askAgain called after each stop
 * @returns a function that ends this
 */
export function keepRaw(input: Keyboard, askAgain: () => void): () => void {
  const resumed = () => {
    takeKeyboard(input)
    askAgain()
  }
  process.on('SIGCONT', resumed)
  return () => void process.off('SIGCONT', resumed)
}

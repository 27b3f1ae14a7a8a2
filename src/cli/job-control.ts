/** Stops this process and the others of its job, as ctrl-z does where the terminal reads it; nothing on Windows. */
export function stopJob(): void {
  if (process.platform !== 'win32') process.kill(0, 'SIGTSTP')
}

/** Signals after which another program uses the terminal. */
const leaving = ['SIGTSTP', 'SIGHUP'] as const

/**
 * Gives the terminal back before the process is stopped or ends by a hang-up, and takes it again when it continues.
 *
 * @param leave restores the terminal; more than once does no harm
 * @returns a function that ends this
 */
export function shareTerminal(leave: () => void, takeAgain: () => void): () => void {
  const left = (signal: NodeJS.Signals) => {
    leave()
    end()
    // Without listeners (ink has some) the signal does at once what it does by default. With one it would arrive later,
    // after another frame.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    if (signal === 'SIGTSTP') begin()
  }
  const resumed = () => {
    leave()
    takeAgain()
  }
  const begin = () => {
    for (const signal of leaving) process.on(signal, left)
    process.on('SIGCONT', resumed)
  }
  const end = () => {
    for (const signal of leaving) process.off(signal, left)
    process.off('SIGCONT', resumed)
  }
  begin()
  return end
}

/**
 * Keeps a keyboard without echo after a stop. Shells give a continued process a terminal that echoes, and would show a
 * password.
 *
 * @param askAgain called after each stop
 * @returns a function that ends this
 */
export function keepRaw(
  input: Pick<NodeJS.ReadStream, 'setRawMode'>,
  askAgain: () => void,
): () => void {
  const resumed = () => {
    // A mode that Node has set before is not set again.
    input.setRawMode(false)
    input.setRawMode(true)
    askAgain()
  }
  process.on('SIGCONT', resumed)
  return () => void process.off('SIGCONT', resumed)
}

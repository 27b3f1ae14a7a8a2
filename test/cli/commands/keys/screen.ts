import { resolve } from 'node:path'
import { inTerminal } from '../../../support/terminal.js'

export type Screen = ReturnType<typeof screen>

/** Runs a line of shell in a terminal, in which `$SWAP` is the program. */
export function screen(line: string, env: Record<string, string>) {
  const SWAP = `${process.execPath} ${resolve('bin/swap.js')}`
  const at = inTerminal(['/bin/sh', '-c', line], { env: { SWAP, ...env } })
  return {
    ...at,
    /** Waits until the screen, or the alternate one alone, shows this; fails when the program ends without it. */
    async until(text: string | RegExp, onScreen?: 'alternate'): Promise<string> {
      await at.shows(
        () =>
          (onScreen === undefined || at.isApart()) &&
          (typeof text === 'string' ? at.text().includes(text) : text.test(at.text())),
      )
      return at.text()
    },
    everything: () => at.text('normal'),
    kill: at.signal,
    ended: at.exited,
  }
}

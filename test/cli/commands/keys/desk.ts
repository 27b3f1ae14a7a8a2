import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, runIn } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { swap } from '../../../support/program.js'

export const PASSWORD = 'tidal vexing mauve lantern'
export const TWELVE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** A home of its own for command lines in this process, in which `pw` is a file with the password. */
export function desk() {
  const home = temporaryFolder('keys')
  const write = (name: string, content: string, mode = 0o600): string => {
    const path = join(home, name)
    writeFileSync(path, content, { mode })
    chmodSync(path, mode)
    return path
  }
  const pw = write('pw', `${PASSWORD}\n`)
  return {
    home,
    pw,
    write,
    read: (name: string) => readFileSync(join(home, name), 'utf8'),
    modeOf: (name: string) => (statSync(join(home, name)).mode & 0o7777).toString(8),
    files: (name = 'keys') => readdirSync(join(home, name)).sort(),
    /** `swap keys ...` in a pipe. */
    keys: (...args: readonly string[]): Promise<Ended> => runIn({ home }, ['keys', ...args]),
    /** A command line with other variables or something on standard input. */
    run: (
      args: readonly string[],
      more: { input?: string; env?: Record<string, string> },
    ): Promise<Ended> => runIn({ home, ...more }, args),
    /** The same as a process of its own. */
    program: (args: readonly string[], env: Record<string, string> = {}): Ended =>
      swap(args, { env: { SWAP_HOME: home, ...env } }),
  }
}

export const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout)

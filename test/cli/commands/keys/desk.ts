import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Ended, swap } from '../../../support/program.js'

export const PASSWORD = 'tidal vexing mauve lantern'
export const TWELVE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

const homes: string[] = []
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

/** The program with a home of its own, in which `pw` is a file with the password. */
export function desk() {
  const home = mkdtempSync(join(tmpdir(), 'swap-keys-'))
  chmodSync(home, 0o700)
  homes.push(home)
  const write = (name: string, content: string, mode = 0o600): string => {
    const path = join(home, name)
    writeFileSync(path, content, { mode })
    chmodSync(path, mode)
    return path
  }
  const pw = write('pw', `${PASSWORD}\n`)
  const env = { SWAP_HOME: home }
  return {
    home,
    pw,
    write,
    read: (name: string) => readFileSync(join(home, name), 'utf8'),
    modeOf: (name: string) => (statSync(join(home, name)).mode & 0o7777).toString(8),
    files: (name = 'keys') => readdirSync(join(home, name)).sort(),
    /** `swap keys ...` in a pipe. */
    keys: (...args: readonly string[]): Ended => swap(['keys', ...args], { env }),
    /** The same with other variables or something on standard input. */
    run: (args: readonly string[], more: { input?: string; env?: Record<string, string> }): Ended =>
      swap(args, { ...more, env: { ...env, ...more.env } }),
  }
}

export const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout)

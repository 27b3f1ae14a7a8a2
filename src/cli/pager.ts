import type { StdioOptions } from 'node:child_process'
import type { Env } from '../config/layers.js'
import { attempt, attemptAsync } from '../platform/attempt.js'
import { withoutPassword } from '../platform/user-command.js'
import { displayWidth } from '../render/width.js'
import { endOf } from './job-control.js'

/** The size of a terminal; zero or missing if it does not know it. */
type Size = { readonly columns?: number; readonly rows?: number }

/**
 * The pager of a terminal: `PAGER`, otherwise `less`. `undefined` in pipes, in CI, on terminals without
 * cursor movement, on Windows, and where `PAGER` is empty or `cat`.
 */
export function pagerOf({ isTTY, rows }: Size & { readonly isTTY?: boolean }, env: Env) {
  const pager = (env['PAGER'] ?? 'less').trim()
  const isCi = env['CI'] !== undefined && !/^(0|false|)$/.test(env['CI'])
  const cannot = env['TERM'] === 'dumb' || isCi || process.platform === 'win32'
  return isTTY !== true || !rows || cannot || pager === '' || pager === 'cat' ? undefined : pager
}

/** Whether a text with the prompt below it is taller than the terminal. */
export function isTallerThan(text: string, { columns, rows = 0 }: Size): boolean {
  let count = 1
  for (const line of text.trimEnd().split('\n')) {
    count += Math.max(1, Math.ceil(displayWidth(line) / (columns || 80)))
    if (count > rows) return true
  }
  return false
}

/**
 * Shows a text with a pager, and settles when the pager has exited.
 *
 * @returns whether the pager could be started; quitting early counts as shown
 */
export async function page(text: string, pager: string, env: Env): Promise<boolean> {
  const { spawn } = await import('node:child_process')
  const options = {
    env: { LESS: 'FRX', LV: '-c', ...withoutPassword(env) },
    stdio: ['pipe', 'inherit', 'inherit'] satisfies StdioOptions,
  }
  // A shell is used only for quoting and the like, so that a missing pager does not print a shell's error.
  const isPlain = /^[\w./=+-]+( +[\w./=+-]+)*$/.test(pager)
  const [program = '', ...args] = pager.split(/ +/)
  const child = attempt(() =>
    isPlain ? spawn(program, args, options) : spawn(pager, { ...options, shell: true }),
  )
  if (child === undefined) return false
  child.stdin?.on('error', () => {}).end(text)
  const status = await attemptAsync(() => endOf(child))
  // The last two are statuses of a shell that does not find it.
  return status !== undefined && status !== 126 && status !== 127
}

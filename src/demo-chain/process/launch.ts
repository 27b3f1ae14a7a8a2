import { type ChildProcess, spawn } from 'node:child_process'
import { errorCodes, SwapError } from '../../engine/errors.js'
import type { DemoStatus } from './status.js'

/** How long a process may take until it answers. */
const PATIENCE_MS = 30_000

/**
 * Starts a process that goes on when this one has ended. It says how it is doing on its standard
 * output: one line with its status once it answers, or with what stands against that.
 *
 * @param command the program and its arguments
 * @throws SwapError of the process, or NOT_READY when it says nothing
 */
export async function launch(command: readonly string[]): Promise<DemoStatus> {
  const [program = '', ...rest] = command
  const child = spawn(program, rest, {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    return statusIn(await firstLine(child))
  } finally {
    child.stdout.destroy()
    child.stderr.destroy()
    child.unref()
  }
}

type Ended = { readonly line: string; readonly complaint: string }

function firstLine(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let [line, complaint] = ['', '']
    const done = () => {
      clearTimeout(timer)
      resolve({ line, complaint })
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      done()
    }, PATIENCE_MS)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      line += text
      if (line.includes('\n')) done()
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.once('error', reject)
    child.once('close', done)
  })
}

type Problem = {
  readonly code?: SwapError['code']
  readonly detail?: string
  readonly hint?: string
  readonly port?: number
  readonly pid?: number
}

function statusIn({ line, complaint }: Ended): DemoStatus {
  const document = parsed(line)
  if (document && 'running' in document) return document as DemoStatus
  const { code, detail, hint, port, pid } = (document ?? {}) as Problem
  if (code && detail !== undefined && errorCodes.includes(code))
    throw new SwapError(code, detail, {
      ...(hint !== undefined && { hint }),
      members: { ...(port !== undefined && { port }), ...(pid !== undefined && { pid }) },
    })
  throw new SwapError('NOT_READY', 'the demo chain did not start', {
    why: complaint.trim().slice(-500) || 'its process ended without a word',
    hint: 'see what it says: swap demo start --foreground',
  })
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { errorCodes, invalidRequest, SwapError } from '../../engine/errors.js'
import { attempt } from '../../platform/attempt.js'
import { recordOf } from '../../platform/json-object.js'
import { faultKinds } from '../faults/catalogue.js'
import type { FaultRequest } from '../faults/fault.js'
import type { Coin } from '../modules/contract.js'
import { type Controls, faucetPayment, remoteControls } from './control.js'
import type { DemoFiles } from './files.js'
import { lastLines, newLines } from './log.js'
import { openDemo } from './open-demo.js'
import { checkAgreement, type StartOptions } from './options.js'
import { findProcess, startedProcess } from './record.js'
import { resetChain, runChain, stopProcess } from './run.js'
import type { DemoStatus } from './status.js'

/** Time limit for the start of a process. */
const PATIENCE_MS = 30_000

/**
 * Starts a process that outlives this one. It reports on its standard output: one line with its
 * status once it answers, or with the reason why it cannot.
 *
 * @param command the program and its arguments
 * @throws SwapError of the process, or NOT_READY when it reports nothing
 */
async function launch(command: readonly string[]): Promise<DemoStatus> {
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

type ChildOutput = { readonly line: string; readonly complaint: string }

function firstLine(child: ChildProcess): Promise<ChildOutput> {
  return new Promise((resolve, reject) => {
    let line = ''
    let complaint = ''
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
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
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

function statusIn({ line, complaint }: ChildOutput): DemoStatus {
  const document: object = recordOf(attempt(() => JSON.parse(line)))
  if ('running' in document) return document as DemoStatus
  const { code, detail, hint, port, pid } = document as Problem
  if (code && detail !== undefined && errorCodes.includes(code))
    throw new SwapError(code, detail, {
      ...(hint !== undefined && { hint }),
      members: { ...(port !== undefined && { port }), ...(pid !== undefined && { pid }) },
    })
  throw new SwapError('NOT_READY', 'the demo chain did not start', {
    why: complaint.trim().slice(-500) || 'its process ended without output',
    hint: 'see what it says: swap demo start --foreground',
  })
}

/**
 * The operations of commands on the demo chain of these files, whether a process runs it or not.
 *
 * @param program the command line of this program: executable and script, without arguments
 */
export const demoCommands = (files: DemoFiles, program: readonly string[]) => ({
  kinds: faultKinds.map(({ kind, group, does, sees, number }) => ({
    kind,
    group,
    does,
    sees,
    ...(number && { number: { meaning: number.meaning, fallback: number.fallback } }),
  })),
  status: () => withControls(files, (controls) => controls.status()),
  start: (start: StartOptions) => startAt(files, program, start),
  run: (start: StartOptions, ready: (status: DemoStatus) => void, signal: AbortSignal) =>
    runChain(files, { start, ready, signal }),
  stop: () => stopProcess(files),
  reset: () => resetChain(files),
  give: (address: string, coins: readonly Coin[]) => giveAt(files, address, coins),
  fail: (request: FaultRequest) => withControls(files, (controls) => controls.fail(request)),
  off: (kind?: string) => withControls(files, (controls) => controls.off(kind)),
  logs: (count: number) => lastLines(files.log, count),
  follow: (signal: AbortSignal) => newLines(files.log, signal),
})

type SharedControls = Pick<Controls, 'status' | 'fail' | 'off'> | ReturnType<typeof remoteControls>

/** Runs work with the controls of the process that runs the chain, or of the chain opened in this one. */
async function withControls<T>(
  files: DemoFiles,
  act: (controls: SharedControls) => T | Promise<T>,
): Promise<T> {
  const demo = await openDemo(files, 'read')
  if (demo.kind === 'running') return act(remoteControls(demo))
  try {
    return await act(demo.controls)
  } finally {
    demo.close()
  }
}

async function giveAt(files: DemoFiles, address: string, coins: readonly Coin[]) {
  const demo = await openDemo(files, 'execute')
  if (demo.kind === 'running') return remoteControls(demo).give(address, coins)
  try {
    const payment = demo.controls.give(address, coins)
    return faucetPayment(payment, demo.makeBlock()?.header.height ?? null)
  } finally {
    demo.close()
  }
}

async function startAt(
  files: DemoFiles,
  program: readonly string[],
  start: StartOptions,
): Promise<{ readonly status: DemoStatus; readonly already: boolean }> {
  const present = await runningAt(files, start)
  if (present) return { status: present, already: true }
  try {
    return { status: await launch([...program, 'demo', 'run', ...flagsOf(start)]), already: false }
  } catch (error) {
    // Another command has started the chain first: wait until it answers.
    if (!(error instanceof SwapError) || error.code !== 'BUSY' || 'port' in error.members)
      throw error
    await startedProcess(files)
    const other = await runningAt(files, start)
    if (other) return { status: other, already: true }
    throw error
  }
}

/** The status of a process that runs already. @throws SwapError when it runs another chain */
async function runningAt(files: DemoFiles, start: StartOptions): Promise<DemoStatus | undefined> {
  const found = findProcess(files)
  if (!found) return undefined
  const status = await remoteControls(found).status()
  checkAgreement(start, {
    seed: status.seed,
    blockTimeMs: status.block_time_ms,
    dialect: status.dialect,
    routerBuild: status.router_build,
    oracles: status.oracles,
  })
  const port = Number(new URL(found.rpc).port)
  if (start.port !== undefined && start.port !== 0 && start.port !== port)
    throw invalidRequest(`the demo chain runs at port ${port} already`, '/port', {
      why: `process ${found.pid} runs it, and ${start.port} was requested`,
      hint: 'end it first: swap demo stop; or use it as it is',
    })
  return status
}

function flagsOf(start: StartOptions): readonly string[] {
  const values = {
    port: start.port,
    'block-time': start.blockTimeMs === undefined ? undefined : `${start.blockTimeMs}ms`,
    seed: start.seed,
    dialect: start.dialect,
    'router-build': start.routerBuild,
  }
  const flags = ['--json', ...(start.oracles ? ['--oracles'] : [])]
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) flags.push(`--${name}`, `${value}`)
  return flags
}

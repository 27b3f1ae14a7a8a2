import { once } from 'node:events'
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { errorText, SwapError } from '../../engine/errors.js'
import { attempt } from '../../platform/attempt.js'
import { pause } from '../../platform/clock.js'
import { processStatus, thisProcess } from '../../platform/process-identity.js'
import type { Chain } from '../blocks/chain.js'
import type { FaultInjection } from '../faults/fault-injection.js'
import { type NodeServer, serveChain } from '../node/server.js'
import { answerControl } from './control.js'
import type { DemoFiles } from './files.js'
import { Log, logBlocks } from './log.js'
import { isFolder, openFaultyChain, refuseFolders } from './open-demo.js'
import { portsOf, type StartOptions } from './options.js'
import { findProcess, lockChain, removeRecord, startedProcess, writeRecord } from './record.js'
import type { DemoStatus } from './status.js'

/** Milliseconds in which a process has to finish its block and release its files, and between two polls of it. */
const PATIENCE_MS = 10_000
const POLL_MS = 20

/** Ends the process that runs or starts the chain; does nothing if there is none. */
export async function stopProcess(files: DemoFiles): Promise<{ readonly pid: number | null }> {
  const found = await startedProcess(files)
  if (!found) return { pid: null }
  signal(found.pid, 'SIGTERM')
  const last = performance.now() + PATIENCE_MS
  while (processStatus(found) === 'running') {
    // It loses at most the block in the making: every other one is in the file.
    if (performance.now() > last) signal(found.pid, 'SIGKILL')
    await wait(POLL_MS)
  }
  findProcess(files)
  return { pid: found.pid }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // The process has ended in the meantime.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Ends the process and removes all files of the chain. */
export async function resetChain(
  files: DemoFiles,
): Promise<{ readonly pid: number | null; readonly removed: readonly string[] }> {
  if (isFolder(files.lock)) rmSync(files.lock, { recursive: true })
  const { pid } = await stopProcess(files)
  const lock = await lockChain(files.lock)
  try {
    const removed = readdirSync(files.folder)
      .filter((name) => !name.startsWith('lock'))
      .map((name) => join(files.folder, name))
      .sort()
    for (const path of removed) rmSync(path, { recursive: true, force: true })
    return { pid, removed }
  } finally {
    lock.release()
    // It is not empty if another process has created files in it.
    attempt(() => rmdirSync(files.folder))
  }
}

/** Delays of the state and of the index after a block, as on a real node. */
const ACCEPT_MS = 6
const INDEX_MS = 6

/**
 * Makes a block every block time until `signal`, unless a fault stops production; then finishes the block in the
 * making. Keeps a fixed schedule: the time that a block takes does not delay the next one.
 */
async function produceBlocks(
  chain: Chain,
  faultInjection: FaultInjection,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { blockTimeMs } = chain.options
  let due = performance.now() + blockTimeMs
  for (;;) {
    await pause(due - performance.now(), signal)
    if (signal.aborted) return
    try {
      if (faultInjection.producing()) await makeBlock(chain, faultInjection)
    } catch (error) {
      log.write('error', { reason: errorText(error) })
    }
    due += blockTimeMs
    // Missed blocks, e.g. after the machine was suspended, are not made up for.
    if (due < performance.now() - blockTimeMs) due = performance.now() + blockTimeMs
  }
}

async function makeBlock(chain: Chain, { blockInjection }: FaultInjection): Promise<void> {
  chain.seal(blockInjection)
  await wait(ACCEPT_MS)
  chain.accept()
  await wait(INDEX_MS)
  chain.index()
}

/** How a chain is run. */
type Running = {
  readonly start: StartOptions
  /** Called once the chain answers. */
  ready(status: DemoStatus): void
  /** Ends it. */
  readonly signal: AbortSignal
}

/**
 * Runs a chain in this process until `signal`; then finishes the block under way.
 *
 * @throws SwapError BUSY when another process makes its blocks or a port is taken, INVALID_REQUEST
 *   when the present chain has other options than requested
 */
export async function runChain(files: DemoFiles, { start, ready, signal }: Running): Promise<void> {
  refuseFolders(files)
  const lock = await lockChain(files.lock)
  const log = new Log(files.log)
  try {
    const open = openFaultyChain(files, start, log)
    try {
      const { real: chain, middleware, faultInjection } = open
      const controls = open.controlsOf(() => record)
      const served = await listening(start, (ports) =>
        serveChain(open.chain, { ...ports, middleware, control: answerControl(chain, controls) }),
      )
      const { rpc, rest } = served
      const record = { ...thisProcess(), rpc, rest, since: new Date().toISOString() }
      const ending = new AbortController()
      let production: Promise<void> | undefined
      const stopLogging = logBlocks(chain, log)
      try {
        writeRecord(files, record)
        log.write('start', { pid: record.pid, rpc, rest, height: chain.height })
        production = produceBlocks(chain, faultInjection, log, ending.signal)
        ready(controls.status())
        if (!signal.aborted) await once(signal, 'abort')
      } finally {
        ending.abort()
        await production
        await served.close()
        stopLogging()
        removeRecord(files)
        log.write('stop', { pid: record.pid, height: chain.height })
      }
    } finally {
      open.close()
    }
  } finally {
    lock.release()
  }
}

type Ports = ReturnType<typeof portsOf>

/** Serves at the requested ports; if the default ones are taken, at free ones. */
async function listening(
  start: StartOptions,
  serve: (ports: Ports) => Promise<NodeServer>,
): Promise<NodeServer> {
  try {
    return await serve(portsOf(start))
  } catch (error) {
    const { code, port } = (error ?? {}) as { readonly code?: unknown; readonly port?: unknown }
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    if (start.port === undefined) return serve(portsOf({ port: 0 }))
    throw new SwapError('BUSY', `port ${String(port)} cannot be used`, {
      why: code === 'EACCES' ? 'it is not allowed here' : 'another program listens there',
      hint: 'take another one: swap demo start --port 26700; 0 takes any free one',
      members: { port: Number(port) },
    })
  }
}

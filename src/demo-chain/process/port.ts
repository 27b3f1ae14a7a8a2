import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SwapError } from '../../engine/errors.js'
import { demoOptions } from '../blocks/options.js'
import type { FaultRequest } from '../faults/fault.js'
import { faultKinds } from '../faults/kinds.js'
import type { Coin } from '../wasm/contract.js'
import { remoteControls } from './client.js'
import { type Given, givenOf } from './control.js'
import { launch } from './launch.js'
import { lastLines, newLines } from './log.js'
import { type EmbeddedDemo, openDemo } from './open-demo.js'
import { checkAgreement, type StartOptions } from './options.js'
import { type Places, placesIn } from './places.js'
import { findProcess } from './record.js'
import { runChain } from './run.js'
import type { DemoStatus } from './status.js'
import { resetChain, stopProcess } from './stop.js'

/** Where the usual demo chain is kept. */
export const placesOfDemo = (stateFolder: string): Places =>
  placesIn(resolve(stateFolder), demoOptions.chainId)

/** How long to look for a process that somebody else has just started. */
const LOOK_MS = 1_000

/**
 * Everything that commands ask of the demo chain in these places, whether a process runs it or not.
 *
 * @param program how this program is called: what stands before its arguments
 */
export const demoPort = (places: Places, program: readonly string[]) => ({
  kinds: faultKinds.map(({ kind, group, does, sees, number }) => ({
    kind,
    group,
    does,
    sees,
    ...(number && { number: { meaning: number.meaning, fallback: number.fallback } }),
  })),
  status: () => statusAt(places),
  start: (start: StartOptions) => startAt(places, program, start),
  run: (start: StartOptions, ready: (status: DemoStatus) => void, signal: AbortSignal) =>
    runChain(places, { start, ready, signal }),
  stop: () => stopProcess(places),
  reset: () => resetChain(places),
  give: (address: string, coins: readonly Coin[]) => giveAt(places, address, coins),
  async fail(request: FaultRequest) {
    const found = findProcess(places)
    if (found) return remoteControls(found).fail(request)
    return embedded(places, 'read', ({ controls }) => controls.fail(request))
  },
  async off(kind?: string) {
    const found = findProcess(places)
    if (found) return remoteControls(found).off(kind)
    return embedded(places, 'read', ({ controls }) => controls.off(kind))
  },
  logs: (count: number) => lastLines(places.log, count),
  follow: (signal: AbortSignal) => newLines(places.log, signal),
})

/** Does something with a chain of this process. A process that was started meanwhile is asked to go on. */
async function embedded<T>(
  places: Places,
  purpose: 'read' | 'execute',
  act: (demo: EmbeddedDemo) => T,
): Promise<T> {
  const demo = await openDemo(places, purpose)
  if (demo.kind === 'running')
    throw new SwapError('BUSY', `process ${demo.pid} has just begun to run the demo chain`, {
      hint: 'try again',
      members: { pid: demo.pid },
    })
  try {
    return act(demo)
  } finally {
    demo.close()
  }
}

async function statusAt(places: Places): Promise<DemoStatus> {
  const found = findProcess(places)
  if (found) return remoteControls(found).status()
  return embedded(places, 'read', ({ controls }) => controls.status())
}

async function giveAt(places: Places, address: string, coins: readonly Coin[]): Promise<Given> {
  const found = findProcess(places)
  if (found) return remoteControls(found).give(address, coins)
  return embedded(places, 'execute', ({ controls, makeBlock }) => {
    const gift = controls.give(address, coins)
    return givenOf(gift, makeBlock()?.header.height ?? null)
  })
}

async function startAt(
  places: Places,
  program: readonly string[],
  start: StartOptions,
): Promise<{ readonly status: DemoStatus; readonly already: boolean }> {
  const present = await runningAt(places, start)
  if (present) return { status: present, already: true }
  try {
    return { status: await launch([...program, 'demo', 'run', ...flagsOf(start)]), already: false }
  } catch (error) {
    // Somebody else was quicker: then it runs, or will in a moment.
    if (!(error instanceof SwapError) || error.code !== 'BUSY' || 'port' in error.members)
      throw error
    for (const last = Date.now() + LOOK_MS; Date.now() < last; await wait(50)) {
      const other = await runningAt(places, start)
      if (other) return { status: other, already: true }
    }
    throw error
  }
}

/** The status of a process that runs already. @throws SwapError when it runs another chain */
async function runningAt(places: Places, start: StartOptions): Promise<DemoStatus | undefined> {
  const found = findProcess(places)
  if (!found) return undefined
  const status = await remoteControls(found).status()
  checkAgreement(start, {
    seed: status.seed,
    blockTimeMs: status.block_time_ms,
    dialect: status.dialect === 'stack' ? 'stack' : 'forward',
  })
  const port = Number(new URL(found.rpc).port)
  if (start.port !== undefined && start.port !== 0 && start.port !== port)
    throw new SwapError('INVALID_REQUEST', `the demo chain runs at port ${port} already`, {
      why: `process ${found.pid} runs it, and ${start.port} was asked for`,
      hint: 'end it first: swap demo stop; or use it as it is',
      members: { errors: [{ pointer: '/port', detail: `it is ${port}` }] },
    })
  return status
}

const flagsOf = ({ port, blockTimeMs, seed, dialect }: StartOptions): readonly string[] => [
  '--json',
  ...(port === undefined ? [] : ['--port', `${port}`]),
  ...(blockTimeMs === undefined ? [] : ['--block-time', `${blockTimeMs}ms`]),
  ...(seed === undefined ? [] : ['--seed', `${seed}`]),
  ...(dialect === undefined ? [] : ['--dialect', dialect]),
]

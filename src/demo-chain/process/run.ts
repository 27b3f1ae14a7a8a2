import { SwapError } from '../../engine/errors.js'
import { FaultBoard, fileShelf } from '../faults/board.js'
import { meddlerOf } from '../faults/fault-injection.js'
import { faultyChain } from '../faults/middleware.js'
import { type Served, serveChain } from '../node/server.js'
import { openChain } from '../open.js'
import { answerControl, controlsOf } from './control.js'
import { firstMarket } from './document.js'
import { self } from './identity.js'
import { logBlocks } from './journal.js'
import { acquireLock } from './lock.js'
import { Log } from './log.js'
import { checkAgreement, optionsOf, portsOf, type StartOptions } from './options.js'
import type { Places } from './places.js'
import { Producer } from './producer.js'
import { removeRecord, writeRecord } from './record.js'
import { type DemoStatus, statusOf } from './status.js'

/** Somebody who runs a chain. */
export type Running = {
  readonly start: StartOptions
  /** Told once the chain answers. */
  ready(status: DemoStatus): void
  /** Ends it. */
  readonly signal: AbortSignal
}

/**
 * Runs a chain in this process until it is told to end; then the block in the making is finished.
 *
 * @throws SwapError BUSY when another process makes its blocks or a port is taken, INVALID_REQUEST
 *   when the present chain is another than was asked for
 */
export async function runChain(places: Places, { start, ready, signal }: Running): Promise<void> {
  const lock = await acquireLock(places.lock)
  const log = new Log(places.log)
  try {
    const options = optionsOf(start)
    const open = openChain(options, () => firstMarket(options.seed), places.state)
    try {
      const { chain } = open
      checkAgreement(start, chain.options)
      const board = new FaultBoard(fileShelf(places.faults))
      const meddler = meddlerOf(chain, board)
      const faulty = faultyChain(chain, board, meddler.accepted)
      const status = () => statusOf(chain, board.active(), record)
      const controls = controlsOf(chain, board, meddler, log, status)
      const served = await listening(start, (ports) =>
        serveChain(faulty.chain, {
          ...ports,
          middleware: faulty.middleware,
          control: answerControl(chain, controls),
        }),
      )
      const { rpc, rest } = served
      const record = { ...self(), rpc, rest, since: new Date().toISOString() }
      const failed = (error: unknown) =>
        log.write('error', { reason: error instanceof Error ? error.message : String(error) })
      const producer = new Producer(chain, meddler, failed)
      const unlog = logBlocks(chain, log)
      try {
        writeRecord(places, record)
        log.write('start', { pid: record.pid, rpc, rest, height: chain.height })
        producer.start()
        ready(status())
        await aborted(signal)
      } finally {
        await producer.stop()
        await served.close()
        unlog()
        removeRecord(places)
        log.write('stop', { pid: record.pid, height: chain.height })
      }
    } finally {
      open.close()
    }
  } finally {
    lock.release()
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

type Ports = ReturnType<typeof portsOf>

/** Serves at the ports that were asked for; the usual ones give way to any free ones. */
async function listening(
  start: StartOptions,
  serve: (ports: Ports) => Promise<Served>,
): Promise<Served> {
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

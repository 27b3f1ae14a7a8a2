import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { errorCode, reasonOf, SwapError } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { buildCommit, buildVersion } from '../../../platform/version.js'
import { flow, sentence } from '../../../render/layout.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import type { FleetRole, NodeState } from '../../../service/feed/market-feed.js'
import type { ServiceLog } from '../../../service/metrics/log.js'
import type { Service } from '../../../service/service.js'
import type { Recorder } from '../../../tape/recorder.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { exitOfSignal } from '../../exit.js'
import { flagRefused } from '../../flags/checked-flag.js'
import { DEFAULT_LISTEN } from '../../flags/command-flags.js'
import { refuseBeside } from '../../invalid-request.js'
import { printAnswer } from '../../print-answer.js'
import {
  feedLogOf,
  logDemo,
  logRole,
  logUncaughtErrors,
  logWarnings,
  nodeLogOf,
} from './log-events.js'
import { type ServeOptions, serveOptionsOf, urlHost } from './options.js'

/** Serves until a signal; requests in flight are answered first. A demo chain keeps running. */
export const runServe: Run = async (context, _args, flags) => {
  const options = serveOptionsOf(flags)
  await requireListenable(options)
  const { clockWatch, lineWriter, serviceLog } = await import('../../../service/metrics/log.js')
  const form = options.log ?? (context.out.noteStyle.tty ? 'text' : 'json')
  const log = serviceLog(form, lineWriter(context.out.stderr))
  const { poolOf } = await import('../../../service/workers/worker-pool.js')
  const { createService } = await import('../../../service/service.js')
  const { setUpForService } = await import('../../../platform/v8-settings.js')
  setUpForService()
  const parts = await context.service()
  const failed = (error: unknown) =>
    log.event('error', 'a thread failed', { reason: reasonOf(error) })
  const threads = { queue: options.maxInflight, spawn: parts.spawn, failed }
  const { autoSlippageBlocks, autoSlippageQuantile, snapshot, database } = context.config.values
  if (options.tape !== undefined && resolve(options.tape) === database)
    throw flagRefused(options.tape, '--tape', 'the history is kept in that file', 'blocks.tape')
  if (snapshot !== undefined) refuseChainFlags(flags)
  /** Closed in reverse order, also if a later one cannot be opened: the feed would keep the process alive. */
  const closings: (() => unknown)[] = []
  try {
    const record = await recordingTo(options.tape, snapshot, log)
    closings.push(record.close)
    const recorded = record.last(autoSlippageBlocks)
    const pool = poolOf({ threads: options.threads ?? parts.threads, ...threads })
    const streamPool = poolOf({ threads: 1, ...threads })
    closings.push(() => Promise.all([pool.close(), streamPool.close()]))
    logWarnings(log)
    logUncaughtErrors(log)
    const watchClock = context.config.network.real ? clockWatch(log) : () => {}
    const feedLog = feedLogOf(log, (market) => {
      watchClock(market)
      record.append(market)
    })
    let role: FleetRole['is'] | undefined
    let nodes: readonly NodeState[] = []
    const logNodes = nodeLogOf(log)
    const feed = await parts.feed({
      ...feedLog,
      maxAge: context.config.values.maxAge,
      leastShare: options.leastShare,
      nodesSeen(now) {
        nodes = now
        logNodes(now)
      },
      fleet: {
        mayLead: options.index,
        roleChanged(now) {
          role = now.is
          logRole(log, now)
        },
      },
    })
    closings.unshift(() => logDemo(log, parts.demoPid?.()))
    closings.push(() => feed.close())
    const history = await parts.history?.({ index: options.index, event: log.event })
    closings.push(() => history?.close())
    const contracts = await parts.contracts?.()
    closings.push(() => contracts?.close())
    const guard = parts.guard()
    closings.push(() => guard.end())
    const service = await createService({
      ...options,
      progress: guard.progress,
      version: buildVersion,
      commit: buildCommit,
      feed,
      history,
      fleetRole: () => role,
      nodes: () => nodes,
      pool,
      streamPool,
      autoSlippage: { blocks: autoSlippageBlocks, quantileBps: autoSlippageQuantile, recorded },
      contracts,
      log,
    })
    feedLog.to(service, feed)
    await serveUntilSignal(context, service, options, log)
  } finally {
    for (const close of closings.reverse()) await close()
  }
}

function refuseChainFlags({ database, index, minBooks }: FlagValues): void {
  const why = 'nothing is executed on it: it has no history'
  refuseBeside('a saved market', '/snapshot', [
    ['--database', database, why],
    ['--no-index', index === false, why],
    ['--min-books', minBooks, 'its pairs are read once, at the start'],
  ])
}

/** Listens until a signal, then drains. */
async function serveUntilSignal(
  context: Context,
  service: Service,
  options: ServeOptions,
  log: ServiceLog,
): Promise<void> {
  try {
    await listen(options, (address) => service.server.listen(address))
    const ending = new AbortController()
    endOnSignals(ending)
    await announce(context, service, options)
    if (!ending.signal.aborted) await once(ending.signal, 'abort')
    await drain(service, options, log)
  } catch (error) {
    // An open port would keep the process alive, serving the market of a closed feed.
    const closing = service.close()
    service.server.server.closeAllConnections()
    await closing
    throw error
  }
}

/** Appends each market to the tape, if given; a failing tape is closed and the service continues. */
async function recordingTo(
  path: string | undefined,
  snapshot: string | undefined,
  log: ServiceLog,
) {
  if (path === undefined) return { last: () => [], append() {}, close() {} }
  const { savedMarket } = await import('../tape/record.js')
  if (snapshot !== undefined) throw savedMarket()
  const { openRecorder } = await import('../../../tape/recorder.js')
  const { lastMarkets, readTape } = await import('../../../tape/tape.js')
  let recorder: Recorder | undefined = await openRecorder(path)
  const { dropped } = recorder
  if (dropped !== undefined) log.event('warn', 'the tape was cut off', { reason: dropped })
  const close = (): void => {
    recorder?.close()
    recorder = undefined
  }
  return {
    /** The last blocks of the tape. */
    last: (count: number): readonly Market[] => lastMarkets(readTape(path), Infinity, count),
    append(market: Market): void {
      try {
        if (market.height !== recorder?.last()) recorder?.append(market)
      } catch (error) {
        log.event('error', 'the tape cannot be continued', { reason: reasonOf(error) })
        close()
      }
    },
    close,
  }
}

/** Listening errors caused by the host of --listen, with their explanations. */
const hostFaults: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine does not have that address',
  EAFNOSUPPORT: 'this machine has no addresses of that kind',
  EINVAL: 'this machine cannot listen at that address',
  ENOTFOUND: 'no address is known for that host',
  EAI_AGAIN: 'the address of that host cannot be looked up now',
}

/** Listening errors caused by the port. */
const portFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'it is not allowed here',
}

/** Checks the address before anything is started: a demo chain would keep running. @throws SwapError, as `listen` */
async function requireListenable(options: ServeOptions): Promise<void> {
  const server = createServer()
  await listen(options, (address) => once(server.listen(address), 'listening'))
  server.close()
}

/** @throws SwapError BUSY for the port, INVALID_REQUEST for the host */
async function listen(
  { host, port }: ServeOptions,
  begin: (address: { readonly host: string; readonly port: number }) => Promise<unknown>,
): Promise<void> {
  try {
    await begin({ host, port })
  } catch (error) {
    const code = errorCode(error) ?? ''
    const address = `${urlHost(host)}:${port}`
    const hostFault = hostFaults[code]
    if (hostFault !== undefined) throw flagRefused(address, '--listen', hostFault, DEFAULT_LISTEN)
    const why = portFaults[code]
    if (why === undefined) throw error
    throw new SwapError('BUSY', `${address} cannot be listened on`, {
      why,
      hint: 'take another port: swap serve --listen 127.0.0.1:8556; 0 takes any free one',
      members: { port },
    })
  }
}

/** Prints the address of the service on standard output. */
async function announce(
  { out, form, config }: Context,
  { server }: Service,
  { host, hosts }: ServeOptions,
): Promise<void> {
  const { port } = server.server.address() as AddressInfo
  const url = `http://${urlHost(host)}:${port}`
  if (!/^(127\.|localhost$|::1$)/.test(host))
    out.note(
      hosts.length > 0
        ? 'other machines can reach it: put a proxy with TLS in front'
        : 'other machines can reach it, but it answers only for loopback names: see --allow-host',
    )
  const what = config.values.snapshot === undefined ? config.values.network : 'a saved market'
  const document = { http: url, docs: `${url}/docs`, pid: process.pid }
  return printAnswer({ out, form }, document, {
    quiet: () => url,
    human: () => renderAddresses(what, url, out.style),
  })
}

export function renderAddresses(what: string, url: string, style: Style): string {
  const { dot } = glyphsOf(style)
  const title = `swap ${buildVersion} serves ${what} ${dot} read-only (it never holds a key)`
  const width = style.tty ? style.width - 2 : Number.POSITIVE_INFINITY
  const addresses = flow([`http  ${url}`, `docs  ${url}/docs`], ' '.repeat(8), width)
  return [sentence(title, style), ...addresses.map((line) => `  ${line}`)].join('\n')
}

/** The first signal shuts down gracefully; the second one ends the process with the signal's status. */
function endOnSignals(ending: AbortController): void {
  const end = (signal: 'SIGTERM' | 'SIGINT') => {
    if (ending.signal.aborted) process.exit(exitOfSignal[signal])
    ending.abort()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
}

async function drain(service: Service, options: ServeOptions, log: ServiceLog): Promise<void> {
  const start = performance.now()
  service.drain()
  log.event('info', 'stopping', { drain_delay_ms: options.drainDelay })
  await wait(options.drainDelay)
  const closing = service.close()
  const late = setTimeout(() => {
    log.event('warn', 'requests in flight are cut off', { grace_ms: options.grace })
    service.server.server.closeAllConnections()
  }, options.grace)
  const streams = await closing
  clearTimeout(late)
  log.event('info', 'bye', { streams, ms: Math.round(performance.now() - start) })
}

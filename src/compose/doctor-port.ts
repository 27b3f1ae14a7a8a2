import { hashIn } from '../chain/market/node-agreement.js'
import { readRouterContract } from '../chain/market/pair-config.js'
import { marketReader } from '../chain/market/read-market.js'
import { queryBatch, required } from '../chain/queries/query-batch.js'
import { ask } from '../chain/rpc/ask.js'
import type { Endpoint } from '../chain/rpc/endpoint.js'
import { NodeFault, unlessFaulty } from '../chain/rpc/faults.js'
import { callAt } from '../chain/rpc/http/json-rpc.js'
import { STATUS_CALLS } from '../chain/rpc/node-status.js'
import { sourceOf } from '../chain/rpc/source.js'
import type { Surroundings } from '../cli/command.js'
import { isOwnDemo } from '../config/configured.js'
import type { Config } from '../config/load.js'
import { openDemoCommands } from '../demo-chain/index.js'
import type { DoctorPort, NodeReport } from '../operations/doctor/doctor-port.js'
import { isObject, memberIn, recordOf } from '../platform/json-object.js'
import { demoPlaces, type OpenAccess, openAccess } from './chain-access.js'

/** A node slower than this counts as unreachable, so that the other nodes are checked as well. */
const PATIENCE_MS = 5_000

/** The doctor's checks, run against the configured nodes. */
export function doctorPort(
  config: Config,
  surroundings: Surroundings,
): DoctorPort & { close(): Promise<void> } {
  const { network, values } = config
  const accesses: OpenAccess[] = []
  const openTracked = async () => {
    const access = await openAccess(config, surroundings)
    accesses.push(access)
    return access
  }
  let accessPromise: Promise<OpenAccess> | undefined
  const probe = async <T>(
    probeEndpoint: (endpoint: Endpoint, deadlineAt: number) => Promise<T>,
  ) => {
    const { nodes } = await (accessPromise ??= openTracked())
    const deadlineAt = nodes.rpc.clock.now() + Math.min(PATIENCE_MS, values.timeout)
    return Promise.all(nodes.rpc.endpoints.map((endpoint) => probeEndpoint(endpoint, deadlineAt)))
  }
  // A separate deadline: slow nodes may have used up the first one.
  const reading = async () => {
    const access = await openTracked()
    const source = sourceOf(access.nodes)
    const reader = marketReader(access.network, source)
    const market = await reader.read()
    return { market, source, report: reader.lastRead() }
  }
  let lastReading: ReturnType<typeof reading> | undefined
  return {
    network: {
      name: network.name,
      chainId: network.chainId,
      real: network.real,
      router: network.router.address,
    },
    now: () => Date.now(),
    nodes: () => probe(reportOf),
    hashes: (height) =>
      probe((endpoint, deadlineAt) =>
        unlessFaulty(async () => {
          const [outcome] = await ask(endpoint, [callAt('commit', height)], deadlineAt)
          return hashIn(outcome)
        }),
      ),
    async router() {
      const { source, market } = await (lastReading ??= reading())
      const { address } = market.router
      const ask = queryBatch(source, network.name, market.height)
      const facts = await required(network.name, () => readRouterContract(ask, address))
      const { codeId, feeBps, affiliates } = facts
      return { address, codeId, feeBps, affiliates: affiliates.size }
    },
    async market() {
      const { market, report } = await (lastReading ??= reading())
      return {
        market,
        reading: report && {
          ms: Math.round(report.ms),
          queries: report.queries,
          fallbacks: report.fallbacks,
        },
      }
    },
    demo: () => demoOf(config, surroundings),
    async close() {
      for (const access of accesses.splice(0)) access.close()
    },
  }
}

async function reportOf(endpoint: Endpoint, deadlineAt: number): Promise<NodeReport> {
  const { shown, clock } = endpoint
  const start = clock.now()
  const failedReport = (fault: string): NodeReport => ({
    endpoint: shown,
    answer: undefined,
    fault,
  })
  try {
    const [status, info] = await ask(endpoint, STATUS_CALLS, deadlineAt)
    const ms = Math.round(clock.now() - start)
    const { node_info: node, sync_info: sync } = recordOf(status?.ok === true && status.result)
    if (!isObject(node) || !isObject(sync)) return failedReport(`${shown} reports no sync status`)
    const state = info?.ok === true ? memberIn(info.result, 'response') : undefined
    const height = Number(memberIn(state, 'last_block_height'))
    const time = Date.parse(String(sync['latest_block_time']))
    if (!Number.isSafeInteger(height) || Number.isNaN(time))
      return failedReport(`${shown} reports no sync status`)
    const earliest = Number(sync['earliest_block_height'])
    return {
      endpoint: shown,
      fault: undefined,
      answer: {
        ms,
        chainId: wordOf(node['network']),
        height,
        earliest: Number.isSafeInteger(earliest) ? earliest : undefined,
        catchingUp: sync['catching_up'] !== false,
        time,
        version: wordOf(node['version']),
      },
    }
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    return failedReport(error.message)
  }
}

/** A text from a node for a line of a report: at most 64 letters, digits, `_`, `.`, `+` and `-`, others as `?`. */
const wordOf = (value: unknown): string =>
  String(value)
    .replace(/[^\w.+-]/g, '?')
    .slice(0, 64)

async function demoOf(config: Config, surroundings: Surroundings) {
  if (!isOwnDemo(config)) return undefined
  const commands = await openDemoCommands(demoPlaces(surroundings), [])
  const { pid, rpc, faults } = await commands.status()
  const words = faults.map(({ kind, n, method }) => {
    const numbered = n === 0 ? kind : `${kind} ${n}`
    return method === null ? numbered : `${numbered} of ${method}`
  })
  return { pid: pid ?? undefined, rpc: rpc ?? undefined, faults: words }
}

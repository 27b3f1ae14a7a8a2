import { NodeFault } from '../chain/rpc/faults.js'
import type { Nodes } from '../chain/rpc/nodes.js'
import { SwapError } from '../engine/errors.js'
import type { ChainPort } from '../operations/chain-port.js'
import type { Access } from './chain-access.js'

/** Shows a line while work takes more than a second. */
export type ShowWaiting = <T>(
  line: (seconds: number) => string,
  work: () => Promise<T>,
) => Promise<T>

/**
 * A chain port that shows what is being read, from which node and for how long; of simultaneous reads the first. Its
 * time-outs name the command's limit.
 */
export function withWaiting(
  port: ChainPort,
  { network, nodes }: Access,
  limitMs: number,
  show: ShowWaiting,
): ChainPort {
  const limit = secondsOf(limitMs)
  let isShown = false
  const waiting = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const line = (seconds: number) =>
      `reading ${what} from ${endpointNames(nodes)}: ${seconds} s of ${limit} s`
    try {
      if (isShown) return await work()
      isShown = true
      return await show(line, work).finally(() => {
        isShown = false
      })
    } catch (error) {
      if (!(error instanceof NodeFault) || error.kind !== 'timeout') throw error
      throw timeOutOf(error, what, limitMs)
    }
  }
  return {
    ...port,
    market: (height) => waiting(`the market of ${network.name}`, () => port.market(height)),
    balances: (...account) => waiting('balances', () => port.balances(...account)),
    simulations: (...query) => waiting('simulations', () => port.simulations(...query)),
    trial: (...messages) => waiting('a simulated transaction', () => port.trial(...messages)),
  }
}

/** The nodes with a pending request, or all of them between two attempts. */
function endpointNames({ rpc, rest }: Nodes): string {
  const endpoints = [...rpc.endpoints, ...rest.endpoints]
  const pendingEndpoints = endpoints.filter(({ pending }) => pending > 0)
  return (pendingEndpoints.length > 0 ? pendingEndpoints : rpc.endpoints)
    .map(({ shown }) => shown)
    .join(', ')
}

function timeOutOf(fault: NodeFault, what: string, limitMs: number): SwapError {
  const { members } = fault
  const { upstreams } = members
  const isSingle = !Array.isArray(upstreams) || upstreams.length < 2
  const limit = secondsOf(limitMs)
  const reason = `${what} took longer than the limit of the command, ${limit} s (--timeout)`
  return new SwapError(
    fault.code,
    isSingle ? `${fault.endpoint} did not answer in time` : fault.message,
    {
      why: isSingle ? reason : `${reason}; ${fault.why}`,
      hint: {
        cli: `raise the limit: --timeout ${2 * Math.ceil(limitMs / 1_000)}s; or name another node: --rpc <url>`,
        http: undefined,
      },
      members,
      cause: fault,
    },
  )
}

const secondsOf = (ms: number): string => `${Math.round(ms / 100) / 10}`

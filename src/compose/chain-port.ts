import { readOraclePrice } from '../chain/market/oracle-price.js'
import { readOrders, readOwnerOrders } from '../chain/market/owner-orders.js'
import { marketReader } from '../chain/market/read-market.js'
import { heldCoins } from '../chain/queries/held-coins.js'
import { type Ask, queryBatch, required, Unreadable } from '../chain/queries/query-batch.js'
import { pairSimulation, routeSimulation } from '../chain/queries/router.js'
import { InvalidChain } from '../chain/rpc/faults.js'
import { openNodes } from '../chain/rpc/nodes.js'
import type { Source } from '../chain/rpc/query-source.js'
import { sourceOf } from '../chain/rpc/source.js'
import { gasPriceOf } from '../chain/tx/gas-price.js'
import { isOutOfGas } from '../chain/tx/refusal.js'
import { simulateTx } from '../chain/tx/simulate-tx.js'
import { MalformedDocument } from '../engine/snapshot/json-cursor.js'
import type {
  ChainPort,
  Contracts,
  OrdersQuery,
  OrdersResult,
  SimulateQuery,
  SimulateResult,
} from '../operations/chain-port.js'
import type { ContractClient } from '../service/answers/contract-limiter.js'
import { type Access, atNodes, type ChainPlace } from './chain-access.js'
import { readAt } from './read-market.js'

/** The chain port of the operations, backed by the network's nodes. */
export function chainPort({ network, nodes }: Access): ChainPort {
  const source = sourceOf(nodes)
  const reader = marketReader(network, source)
  const endpoints = nodes.rpc.endpoints.map(({ shown }) => shown)
  const askAt = (height: number): Ask => queryBatch(source, network.name, height)
  return {
    prefix: network.prefix,
    feeDenom: network.feeDenom,
    gasPrice: () => gasPriceOf(network, source),
    endpoints,
    market: (height) => readAt(reader, source, endpoints.join(', '), height),
    ...contractsThrough(source, network.name),
    async balances(address, height) {
      const ask = askAt(height ?? (await source.newestHeight()))
      return required(network.name, () => heldCoins(ask, address, 'the balances'))
    },
    async trial(from, messages) {
      try {
        return await simulateTx(source, from, messages)
      } catch (error) {
        if (!(error instanceof MalformedDocument)) throw error
        throw new InvalidChain(
          network.name,
          `a simulated transaction: ${error.pointer} ${error.message}`,
        )
      }
    },
  }
}

/** The contract queries alone, through a source. */
export const contractsThrough = (source: Source, network: string): Contracts => ({
  simulations(questions, height) {
    const ask = queryBatch(source, network, height)
    return Promise.all(questions.map((question) => simulateOnce(ask, network, question)))
  },
  ownerOrders(questions, height) {
    const ask = queryBatch(source, network, height)
    return Promise.all(questions.map((question) => ordersOf(source, ask, height, question)))
  },
})

async function ordersOf(
  source: Source,
  ask: Ask,
  height: number,
  { pair, owner, preview }: OrdersQuery,
): Promise<OrdersResult> {
  try {
    if (preview === undefined)
      return { kind: 'answered', orders: { orders: await readOrders(ask, pair, owner) } }
    const { places, oracles } = preview
    const needsOracle = oracles !== null && places.some(({ price }) => 'bps' in price)
    const [orders, oracle] = await Promise.all([
      readOwnerOrders(ask, pair, owner, places),
      needsOracle ? readOraclePrice(source, oracles, height) : undefined,
    ])
    return { kind: 'answered', orders: { ...orders, oracle } }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { kind: 'refused', why: error.message }
  }
}

/**
 * The contracts of a network for the service, over connections of their own.
 *
 * @param timeoutMs upper limit in milliseconds for the nodes, whatever a request allows
 */
export function contractClient(located: ChainPlace, timeoutMs: number): ContractClient {
  const { chainId, name } = located.network
  const { now, close } = atNodes(located, ({ rpc, rest }) =>
    openNodes({ chainId, rpc, rest, deadlineMs: timeoutMs }),
  )
  return {
    within(ms) {
      const nodes = now()
      const deadlineAt = nodes.rpc.clock.now() + Math.min(ms, timeoutMs)
      return contractsThrough(sourceOf({ ...nodes, deadline: () => deadlineAt }), name)
    },
    close,
  }
}

async function simulateOnce(
  ask: Ask,
  network: string,
  { contract, coin, stages }: SimulateQuery,
): Promise<SimulateResult> {
  const reply = await ask(
    stages === undefined ? pairSimulation(contract, coin) : routeSimulation(contract, coin, stages),
  )
  if (reply.kind === 'answered') return { kind: 'answered', ...reply.value }
  if (reply.kind === 'refused')
    return { kind: isOutOfGas(reply.why) ? 'unknown' : 'refused', why: reply.why }
  throw new InvalidChain(network, `the simulation of ${contract} ${reply.why}`)
}

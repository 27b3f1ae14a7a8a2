import { type Decimal, decimal } from '../../engine/math/decimal.js'
import type { Network } from '../networks/network.js'
import { queryBatch } from '../queries/query-batch.js'
import { minimumGasPrices } from '../queries/questions.js'
import { InvalidChain } from '../rpc/faults.js'
import { nodeText } from '../rpc/http/mask.js'
import type { Source } from '../rpc/query-source.js'

/**
 * The fee for a unit of gas: the configured one, otherwise the node's minimum (docs/chain.md#fees-and-gas).
 *
 * @throws NodeFault
 * @throws InvalidChain if the node accepts no fee in the network's denom, or its answer is malformed
 */
export async function gasPriceOf(network: Network, source: Source): Promise<Decimal> {
  if (network.gasPrice !== undefined) return network.gasPrice
  const height = await source.newestHeight()
  const ask = queryBatch(source, network.name, height)
  const reply = await ask(minimumGasPrices)
  const setting = `networks.${network.name}`
  if (reply.kind === 'malformed')
    throw new InvalidChain(
      network.name,
      `the gas price of its node: ${reply.why}`,
      `set gas_price of ${setting}`,
    )
  // A node without this query is assumed to have no minimum.
  if (reply.kind !== 'answered' || reply.value.size === 0) return decimal(0n)
  const price = reply.value.get(network.feeDenom)
  if (price !== undefined) return price
  const denoms = nodeText([...reply.value.keys()].join(', '), [])
  throw new InvalidChain(
    network.name,
    `its node takes fees in ${denoms}, not in ${network.feeDenom}`,
    `set fee_denom and gas_price of ${setting}`,
  )
}

import { SwapError } from '../engine/errors.js'
import type { ChainPort, Contracts } from './chain-port.js'
import type { OperationContext } from './context.js'

/** The chain of a context. @throws SwapError INVALID_REQUEST where there is only a market */
export async function requireChain({ chain }: OperationContext, what: string): Promise<ChainPort> {
  if (chain !== undefined) return chain()
  throw onlyMarket(what)
}

/** Opens the contracts, where there is a chain. */
export const contractsOf = ({
  chain,
  contracts,
}: OperationContext): (() => Promise<Contracts>) | undefined => contracts ?? chain

/** The contracts of a context. @throws SwapError INVALID_REQUEST where there is only a market */
export async function requireContracts(
  context: OperationContext,
  what: string,
): Promise<Contracts> {
  const contracts = contractsOf(context)
  if (contracts !== undefined) return contracts()
  throw onlyMarket(what)
}

const onlyMarket = (what: string): SwapError =>
  new SwapError('INVALID_REQUEST', `${what} needs a chain that can be asked`, {
    why: 'the market that answers was saved, and has no chain behind it',
    hint: {
      cli: 'ask where a network or the demo chain is read, without --snapshot',
      http: 'ask a service that reads a network or the demo chain',
    },
    members: { errors: [{ pointer: '', detail: 'there is no chain' }] },
  })

import { SwapError } from '../../errors.js'
import type { App } from '../app.js'
import type { ChainPort } from './port.js'

/** The chain to ask. @throws SwapError INVALID_REQUEST where there is only a market */
export async function requireChain({ chain }: App, what: string): Promise<ChainPort> {
  if (chain !== undefined) return chain()
  throw new SwapError('INVALID_REQUEST', `${what} needs a chain that can be asked`, {
    why: 'the market that answers comes without one',
    hint: 'ask on the command line, and leave --snapshot out',
    members: { errors: [{ pointer: '', detail: 'there is no chain' }] },
  })
}

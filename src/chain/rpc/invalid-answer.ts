import { SwapError } from '../../engine/errors.js'

/** The chain answers, but not with a market: what is missing or contradicts itself. */
export class InvalidChain extends SwapError {
  /** @param hint the setting to correct, where one would do it */
  constructor(network: string, why: string, hint?: string) {
    super('UPSTREAM_INVALID_DATA', `the market of ${network} cannot be read`, {
      why,
      ...(hint !== undefined && { hint }),
      members: { upstream: network },
    })
  }
}

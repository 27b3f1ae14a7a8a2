import type { HistoryAccess } from '../../app/history/access.js'
import { tokenOfDenom } from '../../chain/denom.js'
import type { Surroundings } from '../../cli/command.js'
import type { Config } from '../../config.js'
import { SwapError } from '../../errors.js'
import { sync } from '../../history/sync.js'
import { demoPlaces, isOwnDemo } from '../chain-access.js'
import { type Indexed, openIndexed } from './chain.js'
import { historyPlace } from './place.js'
import { historyPort, lazyStore } from './store.js'

/** The history of the configured network, for a command. Nothing is opened yet. */
export function historyAccess(config: Config, surroundings: Surroundings): HistoryAccess {
  const { network, values } = config
  if (values.snapshot !== undefined)
    throw new SwapError('INVALID_REQUEST', 'a saved market has no history', {
      why: 'nothing was executed on it',
      hint: 'leave --snapshot out',
    })
  const lazy = lazyStore(historyPlace(config, surroundings))
  return {
    ...historyPort(lazy, network.prefix),
    token: (denom) => network.tokens.get(denom) ?? tokenOfDenom(denom, network.home),
    async index({ from = values.historyFromHeight, anew, ...run }) {
      const store = await lazy.open()
      const leadership = await store.lead()
      const { chain, close } = await openIndexed(indexedOf(config, surroundings))
      try {
        if (anew) await store.reindex(leadership)
        return await sync({ chain, store, leadership, from, ...run })
      } finally {
        close()
        await leadership.release()
      }
    },
    close: () => lazy.close(),
  }
}

/** What a configuration has indexed. */
export const indexedOf = (config: Config, surroundings: Surroundings): Indexed => ({
  network: config.network,
  timeoutMs: config.values.timeout,
  ...(isOwnDemo(config) && { places: demoPlaces(surroundings) }),
})

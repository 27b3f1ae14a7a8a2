import type { Chain } from '../blocks/chain.js'

/** A chain of which some things look different; what is not named is the chain's own. */
export const changedChain = (chain: Chain, changes: Partial<Chain>): Chain =>
  new Proxy(chain, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name)
      const own: unknown = Reflect.get(target, name, target)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })

/** A chain that is found anew at every touch. */
export const currentChain = (current: () => Chain): Chain =>
  new Proxy({} as Chain, {
    get(_target, name) {
      const chain = current()
      const own: unknown = Reflect.get(chain, name, chain)
      return typeof own === 'function' ? own.bind(chain) : own
    },
  })

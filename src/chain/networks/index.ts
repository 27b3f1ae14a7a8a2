import { demo } from './demo.js'
import type { Network } from './network.js'
import { stagenet } from './stagenet.js'
import { thorchain1 } from './thorchain-1.js'

/** The networks that come with the program. */
export const networks: readonly Network[] = [demo, thorchain1, stagenet]

/** A network by its name or an alias of it, in any case. */
export function networkNamed(
  name: string,
  list: readonly Network[] = networks,
): Network | undefined {
  const lowerName = name.toLowerCase()
  return list.find((network) => network.name === lowerName || network.aliases.includes(lowerName))
}

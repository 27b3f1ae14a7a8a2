import { demo } from './demo.js'
import type { Network } from './network.js'
import { stagenet } from './stagenet.js'
import { thorchain1 } from './thorchain-1.js'

/** The networks that come with the program. */
export const networks: readonly Network[] = [demo, thorchain1, stagenet]

/** A network by its name or an alias of it, in any case. */
export function networkNamed(
  name: string,
  among: readonly Network[] = networks,
): Network | undefined {
  const wanted = name.toLowerCase()
  return among.find((network) => network.name === wanted || network.aliases.includes(wanted))
}

import { demo } from '../chain/networks/demo.js'
import { networkNamed, networks } from '../chain/networks/index.js'
import type { Network } from '../chain/networks/network.js'
import { invalidRequest, type SwapError } from '../engine/errors.js'
import { didYouMean } from '../operations/suggest.js'
import { isObject } from '../platform/json-object.js'
import { quote } from '../render/width.js'
import type { Entry } from './layers.js'
import type { Values } from './schema.js'

/** The only chain that the built-in key may sign for. */
export const demoChainId = demo.chainId

/** Every name of the networks that come with the program. */
export const networkNames = (): readonly string[] =>
  networks.flatMap(({ name, aliases }) => [name, ...aliases])

/** Members of a network in the configuration. */
const MEMBERS = (
  'chain_id prefix hd_path fee_denom gas_price gas_limit gas_percent chain usd arbs ' +
  'rpc rest router pairs retired code_ids label contract explorer'
).split(' ')

/** An entry of `networks`, and its place for messages. */
type OwnEntry = Pick<Entry, 'key' | 'value'> & { readonly at: string }

/** An entry of `networks` that cannot be used, and why. */
export type InvalidEntry = { readonly at: string; readonly name: string; readonly error: SwapError }

/**
 * The selected network, with nodes and router replaced by configured ones, and the invalid entries of others.
 *
 * @param own the effective entries of `networks`
 * @throws SwapError INVALID_REQUEST for an unknown name, and for an invalid entry of this name
 */
export async function networkOf(
  values: Values,
  own: readonly OwnEntry[],
): Promise<{ readonly network: Network; readonly invalid: readonly InvalidEntry[] }> {
  const { valid, invalid } = await ownNetworks(own)
  const selected = invalid.find(({ name }) => isSameNetwork(name, values.network))
  if (selected !== undefined) throw selected.error
  const known = [...networks, ...valid]
  const network = networkNamed(values.network, known)
  if (network === undefined) throw unknownNetwork(values.network, known)
  const { rpc = network.rpc, rest = network.rest, routerAddress, routerDialect } = values
  const router = {
    address: routerAddress ?? network.router.address,
    dialect: routerDialect ?? network.router.dialect,
    builds: network.router.builds,
  }
  return { network: { ...network, rpc, rest, router }, invalid }
}

/** Whether two names mean one network. */
export function isSameNetwork(a: string, b: string): boolean {
  const [first, second] = [a, b].map((each) => networkNamed(each)?.name ?? each.toLowerCase())
  return first === second
}

async function ownNetworks(entries: readonly OwnEntry[]) {
  const valid: Network[] = []
  const invalid: InvalidEntry[] = []
  if (entries.length === 0) return { valid, invalid }
  const { InvalidNetwork, ownNetwork } = await import('../chain/networks/own.js')
  const read = (name: string, value: unknown): Network => {
    if (!isObject(value))
      throw new InvalidNetwork(name, '', 'must be a group: chain_id, prefix, rpc and more')
    for (const member of Object.keys(value))
      if (!MEMBERS.includes(member))
        throw new InvalidNetwork(
          name,
          `/${member}`,
          `is not known; ${didYouMean(member, MEMBERS) ?? `the members are ${MEMBERS.join(', ')}`}`,
        )
    return ownNetwork(name, value)
  }
  for (const { key, value, at } of entries) {
    const name = key.slice('networks.'.length)
    try {
      valid.push(read(name, value))
    } catch (error) {
      if (!(error instanceof InvalidNetwork)) throw error
      invalid.push({ at, name, error: error.with({ hint: `correct it in ${at}` }) })
    }
  }
  return { valid, invalid }
}

function unknownNetwork(name: string, known: readonly Network[]): SwapError {
  const names = known.flatMap((network) => [network.name, ...network.aliases])
  return invalidRequest(`no network is called ${quote(name)}`, '/network', {
    why: `the networks are ${names.join(', ')}`,
    hint: didYouMean(name, names) ?? 'describe one of your own under networks in ~/.swaprc',
  })
}

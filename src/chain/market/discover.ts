import {
  isAbsent,
  type JsonCursor,
  MalformedDocument,
  member,
  rootCursor,
  text,
} from '../../engine/snapshot/json-cursor.js'
import type { Network } from '../networks/network.js'
import { type Ask, requireAnswer, Unreadable } from '../queries/query-batch.js'
import { contractsOf, type Page } from '../queries/questions.js'
import { itemsUpTo } from '../queries/wire.js'
import { InvalidChain } from '../rpc/faults.js'
import type { Source } from '../rpc/query-source.js'
import { type ContractLabels, readLabel } from './pair-config.js'

/** Most pages of contracts of one code, a hundred each. */
const PAGES = 100

/**
 * The addresses of a network's pairs as of a height. Tried in this order until one finds pairs: by contract name over
 * REST, by code and label, the list of the configuration.
 *
 * @throws InvalidChain if none finds a pair
 */
export async function discoverPairs(
  network: Network,
  source: Source,
  ask: Ask,
  height: number,
  labels: ContractLabels = new Map(),
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const readAddresses of readersOf(network, source, { ask, height, labels })) {
    try {
      const addresses = (await readAddresses()).filter((address) => hasPrefix(network, address))
      if (addresses.length > 0) return [...new Set(addresses)]
      faults.push('no pair was found')
    } catch (error) {
      if (!(error instanceof Unreadable || error instanceof MalformedDocument)) throw error
      faults.push(error.message)
    }
  }
  throw new InvalidChain(
    network.name,
    `no pairs are known: ${faults.join('; ') || 'no way to find them is configured'}`,
    network.discovery.codes === undefined
      ? `name the codes that they run in networks.${network.name}.code_ids, or their addresses in networks.${network.name}.pairs`
      : `check networks.${network.name}.code_ids and label, or name the pairs in networks.${network.name}.pairs`,
  )
}

type ReadMode = () => Promise<readonly string[]>

function readersOf(
  network: Network,
  source: Source,
  {
    ask,
    height,
    labels,
  }: { readonly ask: Ask; readonly height: number; readonly labels: ContractLabels },
): readonly ReadMode[] {
  const { name, codes, pairs } = network.discovery
  const readers: ReadMode[] = []
  if (name !== undefined && network.rest.length > 0)
    readers.push(() => byName(source, name, height))
  if (codes !== undefined)
    readers.push(async () => {
      const lists = await Promise.all(codes.ids.map((id) => byCode(ask, id, codes.label, labels)))
      return lists.flat()
    })
  if (pairs !== undefined) readers.push(async () => pairs)
  return readers
}

const hasPrefix = ({ prefix }: Network, address: string): boolean =>
  address.startsWith(`${prefix}1`) && /^[a-z0-9]{10,120}$/.test(address)

/** Lists pairs by contract name over REST. @throws Unreadable if REST fails, so that discovery tries the next method */
async function byName(source: Source, name: string, height: number): Promise<readonly string[]> {
  const path = `/thorchain/contracts?contract=${encodeURIComponent(name)}`
  const answer = await source.rest(path, height).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : 'no answer'
    throw new Unreadable(`the list of contracts could not be read: ${why}`)
  })
  return decodeListing(rootCursor(answer))
}

async function byCode(
  ask: Ask,
  codeId: bigint,
  prefix: string,
  labels: ContractLabels,
): Promise<readonly string[]> {
  const addresses: string[] = []
  let key: Uint8Array | undefined = new Uint8Array()
  for (let pages = 0; key !== undefined && pages < PAGES; pages++) {
    const { items, next }: Page<string> = requireAnswer(
      await ask(contractsOf(codeId, key)),
      `the list of contracts of code ${codeId}`,
    )
    if (addresses.length + items.length > MOST)
      throw new Unreadable(`the contracts of code ${codeId} are more than ${MOST}`)
    addresses.push(...items)
    key = next
  }
  const labelled = await Promise.all(
    addresses.map(async (address) => {
      const label = await readLabel(ask, address, labels)
      return label?.startsWith(prefix) ? [address] : []
    }),
  )
  return labelled.flat()
}

/** Longer lists are refused. */
const MOST = 10_000

/** Addresses of the REST route that lists contracts by name, each once. @throws MalformedDocument */
export function decodeListing(node: JsonCursor): readonly string[] {
  const infos = isAbsent(member(node, 'infos')) ? member(node, 'contracts') : member(node, 'infos')
  const list = itemsUpTo(infos, MOST, 'contracts')
  return [...new Set(list.map((info) => text(member(info, 'address'))))]
}

import { SwapError } from '../../engine/errors.js'
import { usualGas } from '../../engine/market/gas.js'
import { AFFILIATE_ROUNDINGS, DIALECTS } from '../../engine/market/market.js'
import {
  amount,
  coin,
  decimalOf,
  entries,
  integer,
  isAbsent,
  items,
  type JsonCursor,
  MalformedDocument,
  member,
  oneOf,
  optional,
  refuse,
  rootCursor,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { addressFault } from '../../operations/address.js'
import { nodeUrl } from '../rpc/http/mask.js'
import { networks } from './index.js'
import { type Discovery, type Network, routerBuilds } from './network.js'

/** A network of `.swaprc` with an invalid member. */
export class InvalidNetwork extends SwapError {
  constructor(name: string, pointer: string, detail: string) {
    super('INVALID_REQUEST', `the network ${name} of the configuration cannot be used`, {
      why: `networks.${name}${pointer.replaceAll('/', '.')} ${detail}`,
      members: { errors: [{ pointer: `/networks/${name}${pointer}`, detail }] },
    })
  }
}

/**
 * The network of one entry of `networks` in `.swaprc`, given as parsed YAML. `chain_id`, `prefix` and `rpc` are
 * required. By default its pairs are found over REST, by the contract name of mainnet's pairs.
 *
 * @throws InvalidNetwork
 */
export function ownNetwork(name: string, entry: unknown): Network {
  try {
    return decodeNetwork(name, rootCursor(entry))
  } catch (error) {
    if (error instanceof MalformedDocument)
      throw new InvalidNetwork(name, error.pointer, error.message)
    throw error
  }
}

function decodeNetwork(name: string, root: JsonCursor): Network {
  if (!/^[a-z0-9][a-z0-9_-]{0,40}$/.test(name))
    return refuse(root, 'must have a name of a-z 0-9 _ -')
  if (networks.some((network) => network.name === name || network.aliases.includes(name)))
    return refuse(root, 'must have another name than the networks that are built in')
  const prefix = text(member(root, 'prefix'))
  if (!/^[a-z]{1,20}$/.test(prefix))
    return refuse(member(root, 'prefix'), 'must be a bech32 prefix')
  return {
    name,
    aliases: [],
    chainId: text(member(root, 'chain_id')),
    rpc: urls(member(root, 'rpc'), true),
    rest: urls(member(root, 'rest'), false),
    prefix,
    hdPath: hdPath(member(root, 'hd_path')),
    feeDenom: optional(member(root, 'fee_denom'), text) ?? 'rune',
    gasPrice: optional(member(root, 'gas_price'), decimalOf),
    gas: gasOf(root),
    home: optional(member(root, 'chain'), text)?.toUpperCase() ?? prefix.toUpperCase(),
    discovery: discovery(root, prefix),
    router: routerOf(member(root, 'router'), prefix),
    arbs: optional(member(root, 'arbs'), items)?.map(coin) ?? [],
    usd: optional(member(root, 'usd'), text),
    tokens: new Map(),
    explorer: optional(member(root, 'explorer'), (each) => urls(each, true)[0]),
    real: true,
  }
}

const MOST_PERCENT = 100_000

function gasOf(root: JsonCursor): Network['gas'] {
  const percent = optional(member(root, 'gas_percent'), (node) => integer(node, 1, MOST_PERCENT))
  return {
    percent: percent === undefined ? usualGas.percent : BigInt(percent),
    limit: optional(member(root, 'gas_limit'), amount),
  }
}

/** The items of a list, or a single value as a list of one. */
const itemsOrSingle = (node: JsonCursor): readonly JsonCursor[] =>
  typeof node.value === 'string' ? [node] : items(node)

function urls(node: JsonCursor, required: boolean): readonly string[] {
  if (isAbsent(node) && !required) return []
  const list = itemsOrSingle(node).map((item) => {
    const url = text(item)
    return nodeUrl(url) === undefined ? refuse(item, 'must be an http or https URL') : url
  })
  return list.length > 0 || !required ? list : refuse(node, 'must name at least one endpoint')
}

const DEFAULT_PATH = "m/44'/118'/0'/0/0"

function hdPath(node: JsonCursor): string {
  if (isAbsent(node)) return DEFAULT_PATH
  const path = text(node)
  return /^m(\/\d{1,10}'?){1,10}$/.test(path)
    ? path
    : refuse(node, `must be a path like ${DEFAULT_PATH}`)
}

function address(node: JsonCursor, prefix: string): string {
  const given = text(node)
  const fault = addressFault(given, prefix)
  return fault === undefined
    ? given
    : refuse(node, `must be an address that begins with ${prefix}1: ${fault}`)
}

function discovery(root: JsonCursor, prefix: string): Discovery {
  const addresses = (name: string) =>
    optional(member(root, name), itemsOrSingle)?.map((item) => address(item, prefix))
  const [pairs, retired] = [addresses('pairs'), addresses('retired')]
  return { ...discoveryOf(root, pairs), ...(retired !== undefined && { retired }) }
}

function discoveryOf(root: JsonCursor, pairs: readonly string[] | undefined): Discovery {
  if (pairs !== undefined) return { pairs }
  const ids = optional(member(root, 'code_ids'), itemsOrSingle)?.map(codeId)
  const label = optional(member(root, 'label'), text) ?? 'rujira-fin'
  const contractName = optional(member(root, 'contract'), text) ?? 'rujira-fin'
  return { name: contractName, ...(ids !== undefined && { codes: { ids, label } }) }
}

function codeId(node: JsonCursor): bigint {
  const { value } = node
  return (typeof value === 'string' || typeof value === 'number') &&
    /^[1-9]\d{0,15}$/.test(`${value}`)
    ? BigInt(value)
    : refuse(node, 'must be the number of a code')
}

function routerOf(node: JsonCursor, prefix: string): Network['router'] {
  if (isAbsent(node)) return { address: undefined, dialect: 'auto', builds: routerBuilds }
  return {
    address: address(member(node, 'address'), prefix),
    dialect:
      optional(member(node, 'dialect'), (each) => oneOf(each, ['auto', ...DIALECTS])) ?? 'auto',
    builds: new Map([
      ...routerBuilds,
      ...(optional(member(node, 'builds'), entries) ?? []).map(buildOf),
    ]),
  }
}

function buildOf([checksum, rounding]: readonly [string, JsonCursor]) {
  if (!/^[0-9a-fA-F]{64}$/.test(checksum))
    return refuse(rounding, 'must be named by a SHA-256 of the code in hex')
  return [checksum.toUpperCase(), oneOf(rounding, AFFILIATE_ROUNDINGS)] as const
}

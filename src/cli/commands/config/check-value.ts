import { isAddressShaped } from '../../../config/address-book.js'
import { type ConfigSources, loadConfig } from '../../../config/load.js'
import { type Setting, settings } from '../../../config/schema.js'
import { foldCase } from '../../../config/suggest.js'
import { SwapError } from '../../../engine/errors.js'
import type { Token } from '../../../engine/market/token.js'
import { quote } from '../../../render/width.js'
import { keyAccount } from '../../accounts/named-accounts.js'
import { resolveToken } from '../../arguments/token-names.js'
import type { Context } from '../../command.js'
import { invalidRequest } from '../../invalid-request.js'
import type { Key } from './key.js'

/**
 * Reads a value as it will be read. With `asks` it is tried as well: an alias has to mean a token of
 * the market, and a node has to be of the network.
 */
export async function checkValue(
  context: Context,
  key: Key,
  value: string,
  { asks, sources }: { readonly asks: boolean; readonly sources: ConfigSources },
): Promise<void> {
  const { cwd } = context.surroundings
  if (key.path[0] === 'book') return checkBookEntry(context, key.path[1]!, value)
  if (key.name === undefined) return asks ? checkAlias(context, key.path[1]!, value) : undefined
  const setting: Setting<unknown> = settings[key.name]
  setting.read(value, { label: key.text, folder: cwd })
  // What else is there cannot be used; whether nodes are of its network is not known then.
  if (context.fault !== undefined) return
  const changed = await loadConfig({ ...sources, flags: { [key.name]: value } })
  if (asks && key.name === 'rpc') await checkNodes(context, changed)
}

/** An entry is an address, of whichever network, and its name is no key's. */
async function checkBookEntry(context: Context, name: string, address: string): Promise<void> {
  const { addressFault } = await import('../../../operations/address.js')
  const fault = isAddressShaped(address)
    ? addressFault(address, address.slice(0, address.lastIndexOf('1')))
    : 'it does not have the form of an address'
  if (fault !== undefined)
    throw new SwapError('INVALID_ADDRESS', `${quote(address)} cannot be used for book.${name}`, {
      why: fault,
      hint: `write e.g. swap config set book.${name} ${context.config.network.prefix}1...`,
      members: { pointer: `/book/${name}` },
    })
  const key = await keyAccount(context, name)
  if (key === undefined) return
  throw invalidRequest(`${name} is the name of a key already`, `/book/${name}`, {
    why: `the key is ${key.address}, and a name means one account`,
    hint: 'take another name for the entry',
    detail: 'is the name of a key',
  })
}

/** An alias may choose among the tokens of a symbol, but not give a symbol to another token. */
async function checkAlias({ app, config }: Context, alias: string, target: string): Promise<void> {
  if (target === '') return
  const tokens = [...(await app.openMarket()).market.tokens.values()]
  const { token } = resolveToken(target, tokens, config.aliases)
  const shadowed = tokens.filter(({ symbol }) => foldCase(symbol) === alias)
  if (shadowed.length === 0 || shadowed.some(({ denom }) => denom === token.denom)) return
  throw shadows(alias, token)
}

const shadows = (alias: string, token: Token): SwapError =>
  invalidRequest(`alias.${alias} would hide the token ${alias.toUpperCase()}`, `/alias/${alias}`, {
    why: `it would mean ${token.symbol} (${token.denom}), and a symbol must not mean another token`,
    hint: 'take another name for the alias',
    detail: 'is a symbol of another token',
  })

/** Every node has to answer, and be of the network. */
async function checkNodes(
  context: Context,
  changed: Awaited<ReturnType<typeof loadConfig>>,
): Promise<void> {
  const { network } = changed
  const reports = await (await context.doctor(changed)).nodes()
  for (const { endpoint, answer, fault } of reports) {
    if (answer === undefined)
      throw new SwapError('UPSTREAM_ERROR', `${endpoint} does not answer as a node`, {
        why: fault ?? 'it did not say why',
        hint: 'write it all the same: --no-check',
        members: { upstream: endpoint },
      })
    if (answer.chainId !== network.chainId)
      throw new SwapError('UPSTREAM_INVALID_DATA', `${endpoint} is a node of another chain`, {
        why: `it is of ${answer.chainId}, and ${network.name} is ${network.chainId}`,
        hint: 'name the network first: swap config set network NAME; or --no-check',
        members: { upstream: endpoint },
      })
  }
}

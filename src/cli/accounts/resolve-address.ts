import { isAddressShaped } from '../../config/naming.js'
import { SwapError } from '../../engine/errors.js'
import { quote } from '../../render/width.js'
import type { FlagValues } from '../command.js'
import type { Accounts, NamedAccount } from './named-accounts.js'

/**
 * The address of a text: an address itself, the name of a key, or an entry of the address book.
 *
 * @param pointer the member of the request, for errors
 * @throws SwapError INVALID_ADDRESS for an unknown name and for an account of another network,
 * INVALID_REQUEST for a name that is both a key and in the address book
 */
export async function resolveAddress(
  context: Accounts,
  text: string,
  pointer: string,
): Promise<string> {
  const account = await accountOrAddress(context, text, pointer)
  return typeof account === 'string' ? account : onNetwork(context, account, pointer)
}

/**
 * The account of a name, on any network, or a text that may be an address.
 *
 * @throws SwapError INVALID_ADDRESS for an unknown name, INVALID_REQUEST as `resolveAddress`
 */
export async function accountOrAddress(
  context: Accounts,
  text: string,
  pointer: string,
): Promise<NamedAccount | string> {
  if (isAddressShaped(text)) return text
  // Loaded on demand: requests with plain addresses need no key files, and the service must load none.
  const { accountNamed, nearestNames } = await import('./named-accounts.js')
  const account = await accountNamed(context, text)
  if (account !== undefined) return account
  const { prefix } = context.config.network
  // The operation reports malformed addresses.
  if (text.startsWith(`${prefix}1`) || text.length > 32) return text
  const near = await nearestNames(context, text)
  // A name often ends in a number: `main1`.
  if (near === undefined && /^[a-z]{2,}1(?!\d*$)/.test(text)) return text
  throw new SwapError('INVALID_ADDRESS', `${quote(text)} is neither an address nor a name`, {
    why: `no key and no entry of the address book is called that, and addresses begin with ${prefix}1`,
    hint: near ?? 'list the keys: swap keys list; add a name: swap config set book.NAME ADDRESS',
    members: { pointer },
  })
}

/** Replaces names in address flags by their addresses. */
export async function withAddresses(
  context: Accounts,
  flags: FlagValues,
  ...names: readonly string[]
): Promise<FlagValues> {
  const resolved: Record<string, string> = {}
  for (const name of names) {
    const text = flags[name]
    if (typeof text === 'string') resolved[name] = await resolveAddress(context, text, `/${name}`)
  }
  return { ...flags, ...resolved }
}

function onNetwork({ config }: Accounts, account: NamedAccount, pointer: string): string {
  const { name, address, kind } = account
  const { prefix, name: network } = config.network
  if (address.startsWith(`${prefix}1`)) return address
  const what = kind === 'key' ? 'the key' : 'the entry'
  throw new SwapError('INVALID_ADDRESS', `${what} ${name} is of another network`, {
    why: `it is ${address}; addresses on ${network} begin with ${prefix}1`,
    hint: kind === 'key' ? 'list the keys: swap keys list' : 'list the book: swap config list',
    members: { pointer },
  })
}

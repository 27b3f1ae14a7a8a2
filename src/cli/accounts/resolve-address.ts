import { isAddressShaped } from '../../config/naming.js'
import { demoChainId } from '../../config/network.js'
import { SwapError } from '../../engine/errors.js'
import { quote } from '../../render/width.js'
import type { FlagValues } from '../command.js'
import { missing } from '../invalid-request.js'
import { type Accounts, demoAccount, type NamedAccount, ownKeys } from './named-accounts.js'

/**
 * The address that a text means: itself, that of a key, or that of the address book.
 *
 * @param pointer the member of the request, for errors
 * @throws SwapError INVALID_ADDRESS for an unknown name and for an account of another network,
 *   INVALID_REQUEST for a name that is a key and in the address book
 */
export async function resolveAddress(
  context: Accounts,
  text: string,
  pointer: string,
): Promise<string> {
  const { prefix } = context.config.network
  if (isAddressShaped(text)) return text
  // Loaded on demand: neither a request in addresses nor the service needs key files.
  const { accountNamed, nearestNames } = await import('./named-accounts.js')
  const account = await accountNamed(context, text)
  if (account !== undefined) return onNetwork(context, account, pointer)
  // The operation says what is wrong with a damaged address.
  if (text.startsWith(`${prefix}1`) || text.length > 32) return text
  const near = await nearestNames(context, text)
  if (near === undefined && /^[a-z]{2,}1/.test(text)) return text
  throw unknownName(context, text, pointer, near)
}

/** Flags with the addresses in place of the names that were given for them. */
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

const unknownName = (
  { config }: Accounts,
  text: string,
  pointer: string,
  near: string | undefined,
): SwapError =>
  new SwapError('INVALID_ADDRESS', `${quote(text)} is neither an address nor a name`, {
    why: `no key and no entry of the address book is called that, and addresses begin with ${config.network.prefix}1`,
    hint: near ?? 'list the keys: swap keys list; add a name: swap config set book.NAME ADDRESS',
    members: { pointer },
  })

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

/** The account of commands that name none. The address of a name is looked up on demand. */
type DefaultSigner = { readonly name: string; address(): Promise<string> }

/**
 * `from` of the configuration, else the only key of the network, else on the demo chain the built-in
 * key. Without any of them the names of the keys to choose from, which may be none.
 */
export async function defaultSigner(context: Accounts): Promise<DefaultSigner | readonly string[]> {
  const { values, network } = context.config
  const { from } = values
  if (from !== undefined)
    return { name: from, address: () => resolveAddress(context, from, '/from') }
  const keys = await ownKeys(context)
  const [only, second] = keys
  if (only !== undefined && second === undefined)
    return { name: only.name, address: async () => only.address }
  if (only === undefined && network.chainId === demoChainId)
    return { name: 'demo', address: async () => (await demoAccount(context)).address }
  return keys.map(({ name }) => name)
}

/**
 * The address that a word or a flag means, else that of the default signer.
 *
 * @throws SwapError INVALID_REQUEST with the call that names one, where there is neither
 */
export async function addressOrDefault(
  context: Accounts,
  word: unknown,
  {
    pointer,
    what,
    call,
  }: { readonly pointer: string; readonly what: string; readonly call: string },
): Promise<string> {
  if (typeof word === 'string') return resolveAddress(context, word, pointer)
  const address = await defaultAddress(context)
  if (address === undefined) throw missing(what, call)
  return address
}

/** The address of the default signer; `undefined` where there is none. */
export async function defaultAddress(context: Accounts): Promise<string | undefined> {
  const signer = await defaultSigner(context)
  return 'name' in signer ? signer.address() : undefined
}

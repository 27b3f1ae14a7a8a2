import { isAddressShaped } from '../../config/naming.js'
import { demoChainId } from '../../config/network.js'
import { suggest } from '../../config/suggest.js'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import { keysFolder } from '../../platform/user-folders.js'
import { quote } from '../../render/width.js'
import { KeyfileNotFound } from '../../wallet/errors.js'
import type { Store } from '../../wallet/store/folder.js'
import type { StoredKey } from '../../wallet/store/keys.js'
import { isKeyName } from '../../wallet/store/name.js'
import type { Context, FlagValues, Surroundings } from '../command.js'
import { missingArgument } from '../invalid-request.js'

/** A named account: a key or an entry of the address book. */
type NamedAccount = {
  readonly name: string
  readonly address: string
  readonly kind: 'key' | 'book'
}

/** What account lookups use of a command's context. */
export type Accounts = Pick<Context, 'config' | 'surroundings'>

/**
 * The key or the address book entry of a name; `undefined` if there is neither.
 *
 * @throws SwapError INVALID_REQUEST if there are both
 */
export async function accountNamed(
  { config, surroundings }: Accounts,
  name: string,
): Promise<NamedAccount | undefined> {
  const entry = config.book.get(name)
  const key = await keyAccount({ config, surroundings }, name)
  if (key !== undefined && entry !== undefined) throw bothNamed(key, entry)
  if (key !== undefined) return key
  return entry === undefined ? undefined : { name, address: entry, kind: 'book' }
}

/** The key of a name, on any network. */
export async function keyAccount(
  { config, surroundings }: Accounts,
  name: string,
): Promise<NamedAccount | undefined> {
  const { DEMO } = await import('../../wallet/demo-key.js')
  if (name === DEMO.name) return demoAccount({ config, surroundings })
  if (!isKeyName(name) || keysFolder(surroundings) === undefined) return undefined
  const stored = await storedKey(surroundings, name)
  return stored && { name, address: stored.document.address, kind: 'key' }
}

/** The key file of a name; `undefined` if there is none. */
export async function storedKey(
  surroundings: Surroundings,
  name: string,
): Promise<StoredKey | undefined> {
  const { loadKey } = await import('../../wallet/store/keys.js')
  try {
    return await loadKey(storeOf(surroundings), name)
  } catch (error) {
    if (error instanceof KeyfileNotFound) return undefined
    throw error
  }
}

/** The built-in key of the demo chain. */
export async function demoAccount({ config }: Accounts): Promise<NamedAccount> {
  const [{ DEMO }, { addressOf }] = await Promise.all([
    import('../../wallet/demo-key.js'),
    import('../../wallet/address.js'),
  ])
  const { chainId, prefix } = config.network
  // The demo chain's address even if another network is selected, whose commands then reject it.
  const own = chainId === demoChainId ? prefix : 'demo'
  const address = addressOf(Buffer.from(DEMO.publicKey, 'hex'), own)
  return { name: DEMO.name, address, kind: 'key' }
}

/** The keys of the selected network without the built-in one. Unreadable files are left out. */
export async function ownKeys({
  config,
  surroundings,
}: Accounts): Promise<readonly { readonly name: string; readonly address: string }[]> {
  if (keysFolder(surroundings) === undefined) return []
  const { listKeys } = await import('../../wallet/store/keys.js')
  const { keys } = await listKeys(storeOf(surroundings)).catch(() => ({ keys: [] }))
  return keys
    .map(({ name, document }) => ({ name, address: document.address }))
    .filter(({ address }) => address.startsWith(`${config.network.prefix}1`))
}

/** Every key of the selected network, the built-in one last, then the entries of the address book. */
export async function namedAccounts(context: Accounts): Promise<readonly NamedAccount[]> {
  const { network, book } = context.config
  const own = (await ownKeys(context)).map((key) => ({ ...key, kind: 'key' as const }))
  const builtIn = network.chainId === demoChainId ? [await demoAccount(context)] : []
  const entries = [...book].map(([name, address]) => ({ name, address, kind: 'book' as const }))
  return [
    ...own,
    ...builtIn,
    ...entries.filter(({ address }) => address.startsWith(`${network.prefix}1`)),
  ]
}

/** The names closest to an unknown one. */
export async function nearestNames(context: Accounts, text: string): Promise<string | undefined> {
  const names = (await namedAccounts(context)).map(({ name }) => name)
  const near = suggest(text, names)
  return near.length === 0 ? undefined : `did you mean ${near.join(', ')}?`
}

/** Refuses a name for a new key that the address book already has. */
export function requireNotInBook({ config }: Pick<Context, 'config'>, name: string): void {
  const entry = config.book.get(name)
  if (entry !== undefined)
    throw invalidRequest(`${name} is a name of the address book already`, '', {
      why: `book.${name} is ${entry}, and a name means one account`,
      hint: `choose another name, or remove the entry: swap config unset book.${name}`,
    })
}

const bothNamed = ({ name, address }: NamedAccount, entry: string): SwapError =>
  invalidRequest(`${name} is a key and a name of the address book`, '', {
    why: `the key is ${address}, book.${name} is ${entry}`,
    hint: `write the address, or remove the entry: swap config unset book.${name}`,
  })

/**
 * The folder of the user's key files.
 *
 * @throws SwapError INVALID_REQUEST where there is none
 */
export function storeOf(surroundings: Surroundings): Store {
  const folder = keysFolder(surroundings)
  if (folder !== undefined) return { folder, home: surroundings.home }
  throw new SwapError('INVALID_REQUEST', 'there is no folder for keys', {
    why: 'none of SWAP_HOME, XDG_DATA_HOME and a home folder is known',
    hint: 'say where to keep them: SWAP_HOME=/some/folder',
  })
}

/** The account of commands that are given none. The address of a name is looked up on demand. */
type DefaultSigner = { readonly name: string; address(): Promise<string> }

/**
 * `from` of the configuration, else the only key of the network, else on the demo chain the built-in key.
 * Without any of them, the names of the keys to choose from (possibly none).
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
 * The address of an argument or a flag, else that of the default signer.
 *
 * @throws SwapError INVALID_REQUEST, with a call that names an address, if there is neither
 */
export async function addressOrDefault(
  context: Accounts,
  word: unknown,
  { pointer, what, call }: { readonly [name in 'pointer' | 'what' | 'call']: string },
): Promise<string> {
  if (typeof word === 'string') return resolveAddress(context, word, pointer)
  const address = await defaultAddress(context)
  if (address === undefined) throw missingArgument(what, call)
  return address
}

/** The address of the default signer; `undefined` where there is none. */
export async function defaultAddress(context: Accounts): Promise<string | undefined> {
  const signer = await defaultSigner(context)
  return 'name' in signer ? signer.address() : undefined
}

/**
 * The address of a text: an address itself, the name of a key, or an entry of the address book.
 *
 * @param pointer the member of the request, for errors
 * @throws SwapError INVALID_ADDRESS for an unknown name and for an account of another network,
 * INVALID_REQUEST for a name that is both a key and in the address book
 */
async function resolveAddress(context: Accounts, text: string, pointer: string): Promise<string> {
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
  const account = await accountNamed(context, text)
  if (account !== undefined) return account
  // The operation reports malformed addresses.
  if (text.startsWith(`${context.config.network.prefix}1`) || text.length > 32) return text
  const near = await nearestNames(context, text)
  if (near === undefined && /^[a-z]{2,}1/.test(text)) return text
  throw unknownName(context, text, pointer, near)
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

import { isAddressShaped } from '../../config/address-book.js'
import { demoChainId } from '../../config/network.js'
import { suggest } from '../../config/suggest.js'
import { SwapError } from '../../engine/errors.js'
import { quote } from '../../render/width.js'
import { KeyfileNotFound, misuse } from '../../wallet/errors.js'
import { keysFolder } from '../../wallet/store/folder.js'
import { isKeyName } from '../../wallet/store/name.js'
import type { Context, FlagValues } from '../command.js'
import { storeOf } from './key-store.js'

/** An account that has a name here: a key, or an entry of the address book. */
export type NamedAccount = {
  readonly name: string
  readonly address: string
  readonly kind: 'key' | 'book'
}

type Accounts = Pick<Context, 'config' | 'surroundings'>

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

/**
 * The key or the entry of the address book of a name; `undefined` where it is neither.
 *
 * @throws SwapError INVALID_REQUEST where it is both
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

/** The key of a name, of whichever network. */
export async function keyAccount(
  { config, surroundings }: Accounts,
  name: string,
): Promise<NamedAccount | undefined> {
  const { DEMO } = await import('../../wallet/demo-key.js')
  if (name === DEMO.name) return demoAccount({ config, surroundings })
  if (!isKeyName(name) || !hasKeyFolder(surroundings)) return undefined
  const { loadKey } = await import('../../wallet/store/keys.js')
  try {
    const { document } = await loadKey(storeOf(surroundings), name)
    return { name, address: document.address, kind: 'key' }
  } catch (error) {
    if (error instanceof KeyfileNotFound) return undefined
    throw error
  }
}

const hasKeyFolder = ({ env, home }: Context['surroundings']): boolean =>
  keysFolder(env, home) !== undefined

/** The key that the demo chain comes with. */
export async function demoAccount({ config }: Accounts): Promise<NamedAccount> {
  const [{ DEMO }, { addressOf }] = await Promise.all([
    import('../../wallet/demo-key.js'),
    import('../../wallet/derive.js'),
  ])
  const { chainId, prefix } = config.network
  // The address of the demo chain, also where another network is selected: it is refused there.
  const own = chainId === demoChainId ? prefix : 'demo'
  const address = addressOf(Buffer.from(DEMO.publicKey, 'hex'), own)
  return { name: DEMO.name, address, kind: 'key' }
}

/** The keys of the selected network without the built-in one. Files that cannot be read are left out. */
export async function ownKeys({
  config,
  surroundings,
}: Accounts): Promise<readonly { readonly name: string; readonly address: string }[]> {
  if (!hasKeyFolder(surroundings)) return []
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

/** The names nearest to one that is neither a key nor in the address book. */
export async function nearestNames(context: Accounts, text: string): Promise<string | undefined> {
  const near = suggest(
    text,
    (await namedAccounts(context)).map(({ name }) => name),
  )
  return near.length === 0 ? undefined : `did you mean ${near.join(', ')}?`
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

/** Refuses the name of a new key that is in the address book. */
export function requireNotInBook({ config }: Pick<Context, 'config'>, name: string): void {
  const entry = config.book.get(name)
  if (entry !== undefined)
    throw misuse(`${name} is a name of the address book already`, {
      why: `book.${name} is ${entry}, and a name means one account`,
      hint: `choose another name, or remove the entry: swap config unset book.${name}`,
    })
}

const bothNamed = ({ name, address }: NamedAccount, entry: string): SwapError =>
  new SwapError('INVALID_REQUEST', `${name} is a key and a name of the address book`, {
    why: `the key is ${address}, book.${name} is ${entry}`,
    hint: `write the address, or remove the entry: swap config unset book.${name}`,
    members: { errors: [{ pointer: '', detail: 'names two accounts' }] },
  })

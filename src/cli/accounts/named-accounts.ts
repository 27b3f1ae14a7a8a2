import { demoChainId } from '../../config/network.js'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import { suggest } from '../../operations/suggest.js'
import { attemptAsync } from '../../platform/attempt.js'
import { keysFolder } from '../../platform/user-folders.js'
import { KeyfileNotFound } from '../../wallet/errors.js'
import type { Store } from '../../wallet/store/folder.js'
import type { StoredKey } from '../../wallet/store/keys.js'
import { isKeyName } from '../../wallet/store/name.js'
import type { Context, Surroundings } from '../command.js'

/** A named account: a key or an entry of the address book. */
export type NamedAccount = {
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
  if (key !== undefined && entry !== undefined)
    throw invalidRequest(`${name} is a key and a name of the address book`, '', {
      why: `the key is ${key.address}, book.${name} is ${entry}`,
      hint: `write the address, or remove the entry: swap config unset book.${name}`,
    })
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
  return attemptAsync(() => loadKey(storeOf(surroundings), name), KeyfileNotFound)
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

/** The keys of the selected network without the built-in one, and why the first unreadable file is left out. */
export async function ownKeys(
  context: Accounts,
): Promise<{ readonly keys: readonly NamedAccount[]; readonly fault?: unknown }> {
  const { surroundings } = context
  if (keysFolder(surroundings) === undefined) return { keys: [] }
  const { listKeys } = await import('../../wallet/store/keys.js')
  const { keys, broken } = await listKeys(storeOf(surroundings)).catch((error: unknown) => ({
    keys: [],
    broken: [{ error }],
  }))
  return {
    keys: keys
      .map(({ name, document }) => ({ name, address: document.address, kind: 'key' as const }))
      .filter(isHere(context)),
    fault: broken[0]?.error,
  }
}

/** Whether an account is of the selected network. */
const isHere =
  ({ config }: Pick<Context, 'config'>) =>
  ({ address }: NamedAccount): boolean =>
    address.startsWith(`${config.network.prefix}1`)

/** Every key of the selected network, the built-in one last, then the entries of the address book. */
export async function namedAccounts(context: Accounts): Promise<readonly NamedAccount[]> {
  const { network, book } = context.config
  const builtIn = network.chainId === demoChainId ? [await demoAccount(context)] : []
  const entries = [...book].map(([name, address]) => ({ name, address, kind: 'book' as const }))
  return [...(await ownKeys(context)).keys, ...builtIn, ...entries.filter(isHere(context))]
}

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

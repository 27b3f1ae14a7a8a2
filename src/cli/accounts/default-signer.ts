import { demoChainId } from '../../config/network.js'
import { missingArgument } from '../invalid-request.js'
import { type Accounts, demoAccount, ownKeys } from './named-accounts.js'
import { resolveAddress } from './resolve-address.js'

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
  const { keys, fault } = await ownKeys(context)
  const [only, second] = keys
  // A file that cannot be read may hold the key that is meant.
  const unlessUnread = (name: string, addressOf: () => string | Promise<string>) => ({
    name,
    async address() {
      if (fault !== undefined) throw fault
      return addressOf()
    },
  })
  if (only !== undefined && second === undefined) return unlessUnread(only.name, () => only.address)
  if (only === undefined && network.chainId === demoChainId)
    return unlessUnread('demo', async () => (await demoAccount(context)).address)
  return keys.map(({ name }) => name)
}

/**
 * The address of an argument or a flag, else that of the default signer.
 *
 * @throws SwapError INVALID_REQUEST, with a call that names an address, if there is neither; the error of a key file
 * that cannot be read if there is at most one other
 */
export async function addressOrDefault(
  context: Accounts,
  word: unknown,
  { pointer, what, call }: { readonly [name in 'pointer' | 'what' | 'call']: string },
): Promise<string> {
  if (typeof word === 'string') return resolveAddress(context, word, pointer)
  const address = await defaultAddress(context)
  if (address !== undefined) return address
  const { keys, fault } = await ownKeys(context)
  throw keys.length === 0 && fault !== undefined ? fault : missingArgument(what, call)
}

/** The address of the default signer; `undefined` where there is none. */
export async function defaultAddress(context: Accounts): Promise<string | undefined> {
  const signer = await defaultSigner(context)
  return 'name' in signer ? signer.address() : undefined
}

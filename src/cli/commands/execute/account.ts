import { demoChainId } from '../../../config/network.js'
import { SwapError } from '../../../engine/errors.js'
import type { Account } from '../../../execution/ports.js'
import type { KeyChoice } from '../../../wallet/signer.js'
import type { Context, FlagValues } from '../../command.js'
import { storeOf } from '../keys/key-store.js'
import { type PasswordPrompt, passwordSource } from '../keys/passwords.js'

/**
 * The account that `--from` or `--key-file` names: a key that can sign, by its name or its address,
 * or an address that can only be looked at. No password is asked for before it is unlocked.
 *
 * @throws SwapError KEYFILE_NOT_FOUND and its like, INVALID_REQUEST where nothing is named
 */
export async function accountOf(
  context: Context,
  flags: FlagValues,
  asking: PasswordPrompt,
): Promise<Account> {
  const { network, values } = context.config
  const file = flags['keyFile']
  const from = typeof flags['from'] === 'string' ? flags['from'] : values.from
  const choice: KeyChoice | string | undefined =
    typeof file === 'string'
      ? { file }
      : from !== undefined && looksLikeAddress(from)
        ? await keyOf(context, from)
        : from === undefined
          ? undefined
          : { name: from }
  if (typeof choice === 'string') return await watchOnlyAccount(choice, network.prefix)
  if (choice === undefined) throw signerMissing(network.chainId === demoChainId)
  const { findKey } = await import('../../../wallet/signer.js')
  const chain = { chainId: network.chainId, prefix: network.prefix, demoChainId }
  const key = await findKey(storeOf(context.surroundings), choice, chain)
  return {
    name: key.name,
    address: key.address,
    publicKey: key.publicKey,
    unlock: async () => {
      try {
        return await key.unlock(passwordSource(asking))
      } finally {
        if (!signsSeveralTimes(flags)) asking.forget()
      }
    },
  }
}

/** Whether each leg is signed apart, so that the password is needed again. */
const signsSeveralTimes = (flags: FlagValues): boolean =>
  flags['mode'] === 'legs' || typeof flags['resume'] === 'string'

/** Too long for the name of a key, and in the shape of bech32. */
const looksLikeAddress = (text: string): boolean => /^[a-z]{1,20}1[a-z0-9]{38,}$/.test(text)

/** The key of an address where it is here, else the address. */
async function keyOf({ config, surroundings }: Context, address: string) {
  const [{ listKeys }, { DEMO }, { addressOf }] = await Promise.all([
    import('../../../wallet/store/keys.js'),
    import('../../../wallet/demo-key.js'),
    import('../../../wallet/derive.js'),
  ])
  const { chainId, prefix } = config.network
  const isDemo = addressOf(Buffer.from(DEMO.publicKey, 'hex'), prefix) === address
  if (isDemo && chainId === demoChainId) return { name: DEMO.name }
  const { keys } = await listKeys(storeOf(surroundings))
  const own = keys.find(({ document }) => document.address === address)
  return own === undefined ? address : { name: own.name }
}

async function watchOnlyAccount(address: string, prefix: string): Promise<Account> {
  const { addressFault: reasonAgainst } = await import('../../../operations/address.js')
  const why = reasonAgainst(address, prefix)
  if (why === undefined) return { name: null, address, publicKey: undefined, unlock: undefined }
  throw new SwapError('INVALID_ADDRESS', `"${address}" is not an account of this network`, {
    why,
    hint: `an address here begins with ${prefix}1`,
    members: { pointer: '/from' },
  })
}

/** An account that can sign. @throws SwapError KEYFILE_NOT_FOUND */
export function requireKey({ address, publicKey, unlock }: Account) {
  if (publicKey !== undefined && unlock !== undefined) return { address, publicKey, unlock }
  throw new SwapError('KEYFILE_NOT_FOUND', `there is no key for ${address}`, {
    why: 'an address was given, and only a key can sign',
    hint: 'name a key: --from <name>; list them: swap keys list',
    members: { path: null },
  })
}

const signerMissing = (isDemo: boolean): SwapError =>
  new SwapError('INVALID_REQUEST', 'it is not said who signs', {
    why: 'neither --from nor from in the configuration names a key',
    hint: isDemo
      ? 'add --from demo: the key that the demo chain comes with'
      : 'add --from <key>; list yours: swap keys list',
    members: { errors: [{ pointer: '/from', detail: 'is missing' }] },
  })

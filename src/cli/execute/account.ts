import type { Account } from '../../app/execute/ports.js'
import { demoChainId } from '../../config/network.js'
import { SwapError } from '../../errors.js'
import type { KeyChoice } from '../../wallet/signer.js'
import type { Context, FlagValues } from '../command.js'
import { type Asking, passwordSource } from '../keys/passwords.js'
import { storeOf } from '../keys/place.js'

/**
 * The account that `--from` or `--key-file` names: a key that can sign, or an address that can only
 * be looked at. No password is asked for before it is unlocked.
 *
 * @throws SwapError KEYFILE_NOT_FOUND and its like, INVALID_REQUEST where nothing is named
 */
export async function accountOf(
  { config, surroundings }: Context,
  flags: FlagValues,
  asking: Asking,
): Promise<Account> {
  const { network, values } = config
  const file = flags['keyFile']
  const from = typeof flags['from'] === 'string' ? flags['from'] : values.from
  if (typeof file !== 'string' && from !== undefined && isAddress(from, network.prefix))
    return await watched(from, network.prefix)
  const choice: KeyChoice | undefined =
    typeof file === 'string' ? { file } : from === undefined ? undefined : { name: from }
  if (choice === undefined) throw nobodyNamed(network.chainId === demoChainId)
  const { findKey } = await import('../../wallet/signer.js')
  const chain = { chainId: network.chainId, prefix: network.prefix, demoChainId }
  const key = await findKey(storeOf(surroundings), choice, chain)
  return {
    name: key.name,
    address: key.address,
    publicKey: key.publicKey,
    unlock: () => key.unlock(passwordSource(asking)),
  }
}

const isAddress = (text: string, prefix: string): boolean =>
  text.startsWith(`${prefix}1`) && text.length > prefix.length + 30

async function watched(address: string, prefix: string): Promise<Account> {
  const { reasonAgainst } = await import('../../app/address.js')
  const why = reasonAgainst(address, prefix)
  if (why === undefined) return { name: null, address, publicKey: undefined, unlock: undefined }
  throw new SwapError('INVALID_ADDRESS', `"${address}" is not an account of this network`, {
    why,
    hint: `an address here begins with ${prefix}1`,
    members: { pointer: '/from' },
  })
}

const nobodyNamed = (isDemo: boolean): SwapError =>
  new SwapError('INVALID_REQUEST', 'it is not said who signs', {
    why: 'neither --from nor from in the configuration names a key',
    hint: isDemo
      ? 'add --from demo: the key that the demo chain comes with'
      : 'add --from <key>; list yours: swap keys list',
    members: { errors: [{ pointer: '/from', detail: 'is missing' }] },
  })

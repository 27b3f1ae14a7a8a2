import { SwapError } from '../../engine/errors.js'
import type { Account } from '../../execution/ports.js'
import { fromHex } from '../../platform/encoding.js'
import { printable } from '../../platform/printable.js'
import { withoutPassword } from '../../platform/user-command.js'
import { quote } from '../../render/width.js'
import { KeyfileNotFound, misuse } from '../../wallet/errors.js'
import { parseSigner, runSigner, type SignerCommand } from '../../wallet/external/run-signer.js'
import type { KeyChoice } from '../../wallet/signer.js'
import { readAnswer, type Signer } from '../../wallet/signing/protocol.js'
import { isExternal, loadKey, type StoredKey } from '../../wallet/store/keys.js'
import { keyAccount, storeOf } from '../accounts/named-accounts.js'
import type { Context, FlagValues } from '../command.js'
import { numberOf } from '../flags/checked-flag.js'
import { signerTimeoutFlag } from '../flags/execution-flags.js'

/**
 * The account of `--signer`, or of a stored key that names a program; `undefined` where neither does. Only
 * the command line and the user's own folder of keys name a program, and nothing that opens a key is
 * loaded.
 *
 * @param choice a key, or an address that no key here has
 */
export async function externalAccount(
  context: Context,
  flags: FlagValues,
  choice: KeyChoice | string,
): Promise<Account | undefined> {
  const { config, surroundings } = context
  const given = flags['signer']
  if (typeof choice !== 'string' && 'file' in choice) {
    if (given === undefined) return undefined
    throw misuse('--signer and --key-file are two signers', {
      why: 'the key of a file signs itself',
      hint: 'leave one of them out; the account of --signer is that of --from',
    })
  }
  const name = typeof choice === 'string' ? undefined : choice.name
  const stored = name === undefined ? undefined : await storedKey(context, name)
  const entry = stored !== undefined && isExternal(stored) ? stored.document : undefined
  if (given === undefined && entry === undefined) return undefined
  const address = name === undefined ? String(choice) : (await keyAccount(context, name))?.address
  // An unknown name is refused with the names that are like it.
  if (address === undefined) return undefined
  // What a stored command names by a relative path is looked for in the folder of keys.
  const command =
    typeof given === 'string'
      ? parseSigner(given, surroundings.cwd)
      : parseSigner(entry!.signer, storeOf(surroundings).folder)
  const pubkey = stored?.document.pubkey ?? (await builtInKey(name))
  return {
    ...(await watchOnlyAccount(address, config.network.prefix)),
    name: name ?? null,
    publicKey: pubkey === undefined ? undefined : fromHex(pubkey),
    isAmino: flags['amino'] === true || entry?.sign_mode === 'amino',
    unlock: async () => signerOf(context, command, address, numberOf(signerTimeoutFlag, flags)),
  }
}

/** A key of the store; `undefined` for the built-in one, and for an unknown name. */
async function storedKey({ surroundings }: Context, name: string): Promise<StoredKey | undefined> {
  try {
    return await loadKey(storeOf(surroundings), name)
  } catch (error) {
    if (error instanceof KeyfileNotFound) return undefined
    throw error
  }
}

async function builtInKey(name: string | undefined): Promise<string | undefined> {
  const { DEMO } = await import('../../wallet/demo-key.js')
  return name === DEMO.name ? DEMO.publicKey : undefined
}

/** A signer whose signatures a program makes. Its standard error is shown line by line. */
function signerOf(
  { out, surroundings }: Context,
  command: SignerCommand,
  address: string,
  timeoutMs: number,
): Signer {
  const env = withoutPassword(surroundings.env)
  const line = (text: string) => out.say(`signer: ${printable(text)}`)
  return {
    name: command.text,
    address,
    isExternal: true,
    async sign(request, interrupt) {
      const bytes = await runSigner(command, request, { env, timeoutMs, line }, interrupt)
      return readAnswer(command.text, bytes, request)
    },
    forget() {},
  }
}

/** An account that can only be looked at. @throws SwapError INVALID_ADDRESS */
export async function watchOnlyAccount(address: string, prefix: string): Promise<Account> {
  await requireAddress(address, prefix, '/from')
  return { name: null, address, publicKey: undefined, unlock: undefined }
}

/** @throws SwapError INVALID_ADDRESS for what is not the address of an account of a network */
export async function requireAddress(
  address: string,
  prefix: string,
  pointer: string,
): Promise<void> {
  const { addressFault } = await import('../../operations/address.js')
  const why = addressFault(address, prefix)
  if (why === undefined) return
  throw new SwapError('INVALID_ADDRESS', `${quote(address)} is not an account of this network`, {
    why,
    hint: `an address here begins with ${prefix}1`,
    members: { pointer },
  })
}

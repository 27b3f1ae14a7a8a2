import { isAddressShaped } from '../../config/naming.js'
import { demoChainId } from '../../config/network.js'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import type { Intent } from '../../execution/journal/intent.js'
import type { Account } from '../../execution/ports.js'
import { requireAddress } from '../../operations/names.js'
import { fromHex } from '../../platform/encoding.js'
import { printable } from '../../platform/printable.js'
import { withoutPassword } from '../../platform/user-command.js'
import { KeyfileNotFound } from '../../wallet/errors.js'
import { parseSigner, runSigner, type SignerCommand } from '../../wallet/external/run-signer.js'
import type { KeyChoice } from '../../wallet/signer.js'
import { readAnswer, type Signer } from '../../wallet/signing/protocol.js'
import { isExternal, listKeys } from '../../wallet/store/keys.js'
import { defaultSigner } from '../accounts/default-signer.js'
import {
  accountNamed,
  demoAccount,
  keyAccount,
  nearestNames,
  storedKey,
  storeOf,
} from '../accounts/named-accounts.js'
import { type PasswordPrompt, passwordSource } from '../accounts/passwords.js'
import type { Context, FlagValues } from '../command.js'
import { textOf } from '../flags/checked-flag.js'
import { executionFlags } from '../flags/execution-flags.js'
import { clashing } from '../invalid-request.js'

/**
 * The account of `--from` or `--key-file`: a key by its name or address, an account of an external signer, or
 * an address that can only be watched. No password is needed before it is unlocked.
 *
 * @throws SwapError KEYFILE_NOT_FOUND and other key errors, INVALID_REQUEST if no account is given, or two
 */
export async function accountOf(
  context: Context,
  flags: FlagValues,
  asking: PasswordPrompt,
): Promise<Account> {
  const { network, values } = context.config
  const file = textOf(flags, 'keyFile')
  const named = textOf(flags, 'from')
  if (file !== undefined && named !== undefined)
    throw clashing('--key-file', '--from', 'each names the account that signs', '/from')
  const from = named ?? values.from
  let choice: KeyChoice | string
  if (file !== undefined) choice = { file }
  else if (from !== undefined) choice = await choiceOf(context, from)
  else throw await signerMissing(context)
  const external = await externalAccount(context, flags, choice)
  if (external !== undefined) return external
  if (typeof choice === 'string') return await watchOnlyAccount(choice, network.prefix)
  // Loaded on demand, so that an external signer's process contains no code that opens keys.
  const { findKey } = await import('../../wallet/signer.js')
  const chain = { chainId: network.chainId, prefix: network.prefix, demoChainId }
  const store = storeOf(context.surroundings)
  const key = await findKey(store, choice, chain).catch(async (error: unknown) => {
    if (!(error instanceof KeyfileNotFound) || !('name' in choice)) throw error
    const near = await nearestNames(context, choice.name)
    throw near === undefined ? error : error.with({ hint: near })
  })
  return {
    name: key.name,
    address: key.address,
    publicKey: key.publicKey,
    isAmino: flags['amino'] === true,
    unlock: async () => {
      try {
        return await key.unlock(passwordSource(asking))
      } finally {
        // Legs that are signed one by one need the password several times.
        if (flags['mode'] !== 'legs' && flags['resume'] === undefined) asking.forget()
      }
    },
  }
}

/**
 * The account of an intent, which signs its rest in the sign mode of its transactions.
 *
 * @throws SwapError INVALID_REQUEST if the flags name another one; as `accountOf`
 */
export async function accountOfIntent(
  context: Context,
  { id, key, address, txs }: Intent,
  flags: FlagValues,
  asking: PasswordPrompt,
): Promise<Account> {
  // A key may have been renamed since.
  const isKept = key !== null && (await keyAccount(context, key))?.address === address
  const own = {
    ...(flags['keyFile'] === undefined && { from: isKept ? key : address }),
    ...(txs.at(-1)?.sign_mode === 'amino' && { amino: true }),
    ...flags,
    mode: 'legs',
  }
  const account = await accountOf(context, own, asking)
  if (account.address === address) return account
  throw invalidRequest(`the rest of ${id} is for another account`, '/from', {
    why: `${address} signed what was sent, and ${account.address} would sign the rest`,
    hint: `sign it with the same account: --from ${address}`,
  })
}

/** The key of a name or an address; the address itself, also from the address book, if it has no key here. */
async function choiceOf(context: Context, from: string): Promise<KeyChoice | string> {
  if (isAddressShaped(from)) return keyOf(context, from)
  const account = await accountNamed(context, from)
  return account?.kind === 'book' ? keyOf(context, account.address) : { name: from }
}

/** The key of an address if it is stored here, else the address. */
async function keyOf(context: Context, address: string) {
  const { name, address: builtIn } = await demoAccount(context)
  if (address === builtIn && context.config.network.chainId === demoChainId) return { name }
  const { keys } = await listKeys(storeOf(context.surroundings))
  const own = keys.find(({ document }) => document.address === address)
  return own === undefined ? address : { name: own.name }
}

/** A single key is suggested but never chosen: the signing account must be explicit. */
async function signerMissing(context: Context): Promise<SwapError> {
  const signer = await defaultSigner(context)
  const only = 'name' in signer ? signer.name : undefined
  return invalidRequest('no signing account was chosen', '/from', {
    why: 'neither --from nor from in the configuration names a key',
    hint: fromHint(only),
  })
}

/** @param only the key that `--from` would name, if there is a single one */
function fromHint(only: string | undefined): string {
  if (only === undefined) return 'add --from <key>; list yours: swap keys list'
  return only === 'demo'
    ? 'add --from demo: the key that the demo chain comes with'
    : `add --from ${only}; or for every command: swap keys use ${only}`
}

/**
 * The account of `--signer` or of a stored external key; `undefined` if there is neither. Only the command
 * line and the user's own key folder may name a program. No code that opens keys is loaded.
 *
 * @param choice a key, or an address without a key here
 */
async function externalAccount(
  context: Context,
  flags: FlagValues,
  choice: KeyChoice | string,
): Promise<Account | undefined> {
  const { config, surroundings } = context
  const given = flags['signer']
  if (typeof choice !== 'string' && 'file' in choice) {
    if (given === undefined) return undefined
    throw invalidRequest('--signer and --key-file are two signers', '', {
      why: 'the key of a file signs itself',
      hint: 'leave one of them out; the account of --signer is that of --from',
    })
  }
  const name = typeof choice === 'string' ? undefined : choice.name
  const stored = name === undefined ? undefined : await storedKey(surroundings, name)
  const entry = stored !== undefined && isExternal(stored) ? stored.document : undefined
  if (given === undefined && entry === undefined) return undefined
  const address = name === undefined ? String(choice) : (await keyAccount(context, name))?.address
  // The caller refuses an unknown name, with suggestions.
  if (address === undefined) return undefined
  // Relative paths of a stored command are resolved against the key folder.
  const command =
    typeof given === 'string'
      ? parseSigner(given, surroundings.cwd)
      : parseSigner(entry!.signer, storeOf(surroundings).folder)
  const { DEMO } = await import('../../wallet/demo-key.js')
  const pubkey = stored?.document.pubkey ?? (name === DEMO.name ? DEMO.publicKey : undefined)
  return {
    ...(await watchOnlyAccount(address, config.network.prefix)),
    name: name ?? null,
    publicKey: pubkey === undefined ? undefined : fromHex(pubkey),
    isAmino: flags['amino'] === true || entry?.sign_mode === 'amino',
    unlock: async () =>
      signerOf(context, command, address, executionFlags.signerTimeout.read(flags)),
  }
}

/** A signer that runs an external program. Its standard error is shown line by line. */
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

/** A watch-only account. @throws SwapError INVALID_ADDRESS */
async function watchOnlyAccount(address: string, prefix: string): Promise<Account> {
  await requireAddress(address, prefix, '/from')
  return { name: null, address, publicKey: undefined, unlock: undefined }
}

import { isAscii } from 'node:buffer'
import { SwapError } from '../../../../engine/errors.js'
import { KeyfileInvalid, WrongPassword } from '../../../../wallet/errors.js'
import { type DecryptedKey, isWeak } from '../../../../wallet/formats/foreign.js'
import { requireUsualCost } from '../../../../wallet/keyfile/kdf-cost.js'
import { InvalidKeyDocument } from '../../../../wallet/keyfile/key-document.js'
import { DecryptionFailed } from '../../../../wallet/keyfile/seal.js'
import { accountOf, type PublicAccount, requireFree, storeKey } from '../../../../wallet/make.js'
import { keepPrivate } from '../../../../wallet/privacy.js'
import { type Secret, wipe } from '../../../../wallet/secret.js'
import type { Store } from '../../../../wallet/store/folder.js'
import { isExternal, listKeys, type SealedKey } from '../../../../wallet/store/keys.js'
import { checkName } from '../../../../wallet/store/name.js'
import { requireNotInBook, storeOf } from '../../../accounts/named-accounts.js'
import { newPassword, type PasswordPrompt, passwordSource } from '../../../accounts/passwords.js'
import type { Context } from '../../../command.js'
import { isYes } from '../../../terminal.js'
import { nextFor, printDone } from '../key-info.js'
import { coinTypePath, hdPathOf, type KeysCall, withPasswords } from '../run.js'
import { importSource, type Source } from './import-source.js'

/** Coin types of Cosmos wallets: THORChain's, Cosmos' and Ethereum's. */
const COIN_TYPES = [931, 118, 60]

/**
 * The account of a mnemonic without an explicit path: `usual`, unless it is unused on the chain and another
 * common path is used. The choice is printed as a note; without a reachable node it is `usual`.
 */
async function accountInUse(
  context: Context,
  secret: Secret,
  usual: string,
): Promise<PublicAccount> {
  const { config, out } = context
  const { prefix } = config.network
  const at = (hdPath: string) => accountOf(secret, { hdPath, prefix })
  const first = await at(usual)
  const others = COIN_TYPES.map(coinTypePath).filter((path) => path !== usual)
  try {
    if (await holds(context, first)) return first
    const used: PublicAccount[] = []
    for (const path of others) {
      const account = await at(path)
      if (await holds(context, account)) used.push(account)
    }
    const [other, ...more] = used
    if (other === undefined) {
      out.note(`nothing is held at ${usual} yet, nor at ${others.join(' or ')}`)
      return first
    }
    const also = more.map(({ address, hdPath }) => `; coins are also at ${hdPath} (${address})`)
    out.note(
      `nothing is at the usual path ${usual} (${first.address}), and coins are at ${other.hdPath}, so that is taken${also.join('')}; choose by --hd-path`,
    )
    return other
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    out.note(
      `whether coins are at ${usual} or at another path could not be queried: ${error.message}`,
    )
    return first
  }
}

async function holds({ app }: Context, { address }: PublicAccount): Promise<boolean> {
  const { requireChain } = await import('../../../../operations/context.js')
  const chain = await requireChain(app, 'keys import')
  return (await chain.balances(address)).length > 0
}

/** Imports a key of another program: reports the detected format, shows the address, then stores it. */
export const runImport = withPasswords(async (call, [name = '', file]) => {
  const { context, flags, asking } = call
  checkName(name)
  const hdPath = hdPathOf(flags)
  const store = storeOf(context.surroundings)
  keepPrivate()
  const source = await importSource(call, file)
  context.out.note(`found: ${source.key.description}`)
  if (source.key.cost) requireUsualCost(source.path, source.key.cost, asking.allowSlowKdf)
  const found = await openKey(source, asking)
  try {
    const account = await accountFound(context, found, hdPath)
    const same = await storedAlready(store, account)
    const hasWords = same?.document.secret === 'mnemonic'
    if (same && (hasWords || found.secret.kind === 'private_key'))
      return await printDone(context, `existing: it is ${same.name} already`, same, {
        members: { existing: true },
      })
    if (same)
      context.out.note(`${same.name} has the same address, and not the words: they are kept apart`)
    requireNotInBook(context, name)
    await requireFree(store, name)
    await confirmAddress(call, name, account)
    const password = await newPassword(asking, 'New password (12 characters or more):')
    try {
      const made = { name, secret: found.secret, account, backup: 'imported' as const }
      const stored = await storeKey(store, made, password)
      if (isWeak(source.key) && file !== undefined && file !== '-')
        context.out.note(`${source.path} protects the key badly or not at all: remove it`)
      await printDone(context, `imported ${name}`, stored, {
        next: nextFor(context.config, name),
        members: { existing: false, imported_from: source.key.format },
      })
    } finally {
      wipe(password)
    }
  } finally {
    wipe(found.secret.bytes)
  }
})

/** Decrypts the secret. Passwords are tried as typed, then in form NFKC. */
async function openKey({ key, path }: Source, asking: PasswordPrompt): Promise<DecryptedKey> {
  if (key.cost === undefined) return key.open(Buffer.alloc(0))
  const source = passwordSource(asking, () => 'Password of the file:')
  for (let attempt = 0; attempt < source.tries; attempt++) {
    const typed = await source.read({ name: path, path }, attempt > 0)
    const normal = isAscii(typed) ? typed : Buffer.from(typed.toString('utf8').normalize('NFKC'))
    try {
      for (const password of normal.equals(typed) ? [typed] : [typed, normal]) {
        const found = await key.open(password).catch((error: unknown) => notOpened(error, path))
        if (found) return found
      }
    } finally {
      wipe(typed, normal)
    }
  }
  throw new WrongPassword(path)
}

function notOpened(error: unknown, path: string): undefined {
  if (error instanceof InvalidKeyDocument)
    throw new KeyfileInvalid(path, error.message, 'import it from another copy')
  if (error instanceof DecryptionFailed) return undefined
  throw error
}

/** The account on this network: at the requested path, the file's, or the network's default. */
async function accountFound(
  context: Context,
  { secret, hdPath: storedPath, otherPaths = [], prefix }: DecryptedKey,
  asked: string | undefined,
): Promise<PublicAccount> {
  const { config, out } = context
  const { network } = config
  const hdPath = secret.kind === 'mnemonic' ? (asked ?? storedPath ?? network.hdPath) : null
  if (asked !== undefined && hdPath === null)
    out.note('the path says nothing here: a private key is not derived')
  if (otherPaths.length > 0 && asked === undefined)
    out.note(
      `the file has ${otherPaths.length + 1} accounts, and this is the first, at ${hdPath}; the others are at ${otherPaths.join(', ')}: choose by --hd-path`,
    )
  if (hdPath !== null && hdPath !== network.hdPath && asked === undefined)
    out.note(
      `the account is at ${hdPath}, as the file says; wallets of ${network.name} use ${network.hdPath}: choose by --hd-path`,
    )
  if (prefix !== undefined && prefix !== network.prefix)
    out.note(
      `the file showed addresses that begin with ${prefix}1; here they begin with ${network.prefix}1`,
    )
  return hdPath === null || (asked ?? storedPath) !== undefined
    ? accountOf(secret, { hdPath, prefix: network.prefix })
    : accountInUse(context, secret, hdPath)
}

/** Shows the address before anything is stored, and asks for confirmation on a terminal. */
async function confirmAddress(
  { context: { config, out }, flags, asking }: KeysCall,
  name: string,
  { address, hdPath }: PublicAccount,
): Promise<void> {
  const at = hdPath === null ? '' : ` (path ${hdPath})`
  const found = `its address on ${config.network.name} is ${address}${at}`
  const terminal = flags['yes'] === true ? undefined : asking.terminal()
  if (terminal === undefined) return out.note(found)
  if (isYes(await terminal.line(`${found}\nStore it as ${name}? [y/N] `))) return
  throw new SwapError('DECLINED', 'the key was not imported', {
    why: 'not confirmed; nothing was stored',
    hint: 'another address? choose the path: --hd-path',
  })
}

/** The stored key of an account; if there are several, the one with a mnemonic. */
async function storedAlready(
  store: Store,
  { address }: PublicAccount,
): Promise<SealedKey | undefined> {
  const { keys } = await listKeys(store)
  const same = keys.filter(
    (key): key is SealedKey => key.document.address === address && !isExternal(key),
  )
  return same.find(({ document }) => document.secret === 'mnemonic') ?? same[0]
}

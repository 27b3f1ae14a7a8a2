import { resolve } from 'node:path'
import { invalidRequest } from '../engine/errors.js'
import { fromBase64 } from '../platform/encoding.js'
import { addressOf } from './address.js'
import { DEMO } from './demo-key.js'
import { KeyfileNotFound, WrongPassword } from './errors.js'
import { ownCost, requireUsualCost } from './keyfile/kdf-cost.js'
import { DecryptionFailed, openKey } from './keyfile/seal.js'
import { keepPrivate } from './privacy.js'
import type { Secret } from './secret.js'
import { wipe } from './secret.js'
import { startSigning } from './signing/process.js'
import type { Signer } from './signing/protocol.js'
import { signatureOf } from './signing/signature.js'
import { readKeyFile } from './store/files.js'
import type { Store } from './store/folder.js'
import { loadSealed, type SealedKey } from './store/keys.js'

/** The chain to sign for. */
export type SigningChain = {
  /** As reported by the node. */
  readonly chainId: string
  /** Of bech32 addresses. */
  readonly prefix: string
  /** The only chain that the built-in key signs for. */
  readonly demoChainId: string
}

export type PasswordSource = {
  /** Whether a derivation may cost more than the format needs: `--allow-slow-kdf`. */
  readonly allowSlowKdf?: boolean
  /** Attempts allowed: more than one only at a prompt. */
  readonly tries: number
  /** UTF-8 as typed; the caller wipes it. `again` after a wrong one. */
  read(key: { readonly name: string; readonly path: string }, again: boolean): Promise<Buffer>
}

/** A key by the unencrypted header of its file, which suffices to quote and to simulate. */
type LockedKey = {
  readonly name: string
  readonly address: string
  /** Compressed secp256k1, 33 bytes. */
  readonly publicKey: Uint8Array
  /**
   * @throws WrongPassword after the last try
   */
  unlock(password: PasswordSource): Promise<Signer>
}

/** A key of the store by name, `demo`, or any file. */
export type KeyChoice = { readonly name: string } | { readonly file: string }

/**
 * Finds a key and checks everything that can be checked without its password: file, owner, modes,
 * and that it is a key of this chain.
 *
 * @throws KeyfileNotFound, KeyfileInvalid, KeyfilePermissions, SwapError INVALID_REQUEST
 */
export async function findKey(
  store: Store,
  choice: KeyChoice,
  chain: SigningChain,
): Promise<LockedKey> {
  if ('name' in choice && choice.name === DEMO.name) return demoKey(chain)
  const stored = 'name' in choice ? await loadSealed(store, choice.name) : await keyAt(choice.file)
  const { name, document } = stored
  if (document.prefix !== chain.prefix) throw otherNetwork(stored, chain)
  return {
    name,
    address: document.address,
    publicKey: Buffer.from(document.pubkey, 'hex'),
    unlock: (password) => unlockApart(stored, chain, password),
  }
}

/**
 * The secret of a stored key; the caller wipes it. Retries a wrong password as often as its source allows.
 *
 * @throws WrongPassword; KeyfileInvalid for an unusual cost of derivation
 */
export async function openStored(key: SealedKey, source: PasswordSource): Promise<Secret> {
  requireOpenable(key, source)
  return withPassword(key, source, async (password) => {
    try {
      return await openKey(key.document, password)
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error
      return undefined
    } finally {
      wipe(password)
    }
  })
}

function requireOpenable({ path, document }: SealedKey, { allowSlowKdf }: PasswordSource): void {
  keepPrivate()
  requireUsualCost(path, ownCost(document.kdf), allowSlowKdf === true)
}

/** Calls `open` with passwords until one is right. @throws WrongPassword after the last try */
async function withPassword<T>(
  { name, path }: SealedKey,
  source: PasswordSource,
  open: (password: Buffer) => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 0; attempt < source.tries; attempt++) {
    const opened = await open(await source.read({ name, path }, attempt > 0))
    if (opened !== undefined) return opened
  }
  throw new WrongPassword(path)
}

/**
 * Opens a key in a child process that makes one signature and exits: the key is never in the memory of
 * this process, and the password is wiped once it is passed on.
 */
async function unlockApart(
  key: SealedKey,
  { chainId }: SigningChain,
  source: PasswordSource,
): Promise<Signer> {
  requireOpenable(key, source)
  // The process loads while the password is typed.
  const signing = startSigning(key.document, chainId)
  try {
    const address = await withPassword(key, source, signing.unlock)
    return signerOf(key.name, address, signing.sign, signing.end)
  } catch (error) {
    signing.end()
    throw error
  }
}

async function keyAt(file: string): Promise<SealedKey> {
  const path = resolve(file)
  const document = await readKeyFile(path)
  if (document === undefined) throw new KeyfileNotFound(`at ${path}`, path)
  if ('signer' in document)
    throw invalidRequest('a key file from elsewhere cannot name a command', '', {
      why: `${path} would start ${document.signer}`,
      hint: 'name the command yourself: --signer exec:...; or keep it: swap keys add-external <name>',
    })
  return { name: path, path, document }
}

function demoKey(chain: SigningChain): LockedKey {
  if (chain.chainId !== chain.demoChainId)
    throw invalidRequest('the key demo signs for the demo chain only', '', {
      why: `its secret is public, and this chain is ${chain.chainId}`,
      hint: 'make a key of your own: swap keys new main',
    })
  const publicKey = Buffer.from(DEMO.publicKey, 'hex')
  return {
    name: DEMO.name,
    address: addressOf(publicKey, chain.prefix),
    publicKey,
    unlock: async () => {
      // The demo key is public.
      const privateKey = Buffer.from(DEMO.privateKey, 'hex')
      const sign: Signer['sign'] = async ({ sign_bytes }) => ({
        publicKey,
        signature: signatureOf(fromBase64(sign_bytes), privateKey, chain.chainId),
      })
      return signerOf(DEMO.name, addressOf(publicKey, chain.prefix), sign, () => {})
    },
  }
}

function signerOf(
  name: string,
  address: string,
  sign: Signer['sign'],
  forget: Signer['forget'],
): Signer {
  let used = false
  return {
    name,
    address,
    async sign(request, interrupt) {
      if (used) throw new Error('a key is opened for one signature')
      used = true
      return sign(request, interrupt)
    },
    forget() {
      used = true
      forget()
    },
  }
}

const otherNetwork = ({ name, document }: SealedKey, { prefix, chainId }: SigningChain) =>
  invalidRequest(`the key ${name} is of another network`, '', {
    why: `its address is ${document.address}; addresses on ${chainId} begin with ${prefix}1`,
    hint: `make one for this network: swap keys new <name>      list yours: swap keys list`,
  })

import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { Secp256k1 } from '@cosmjs/crypto'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { DEMO } from './demo-key.js'
import { addressOf, privateKeyOf } from './derive.js'
import { KeyfileNotFound, misuse, WrongPassword } from './errors.js'
import { NotOpened, openKey } from './keyfile/seal.js'
import { keepPrivate } from './privacy.js'
import type { Secret } from './secret.js'
import { wipe } from './secret.js'
import type { Store } from './store/folder.js'
import { loadKey, type StoredKey } from './store/keys.js'
import { readKeyFile } from './store/read.js'

/** The chain that is signed for. */
export type SigningChain = {
  /** As the node itself tells it. */
  readonly chainId: string
  /** Of bech32 addresses. */
  readonly prefix: string
  /** The only chain that the built-in key signs for. */
  readonly demoChainId: string
}

/** An unlocked key. Who opened it forgets it, whatever happens in between. */
export type Signer = {
  readonly name: string
  readonly address: string
  readonly chainId: string
  /** Compressed secp256k1, 33 bytes. */
  publicKey(): Uint8Array
  /**
   * r and s of the SHA-256 of an encoded `SignDoc`, 32 bytes each, low s, the same for the same
   * document (RFC 6979).
   *
   * @throws SwapError INVALID_REQUEST for a document of another chain
   */
  sign(signDoc: Uint8Array): Uint8Array
  /** Wipes the private key; signing afterwards is a bug. */
  forget(): void
}

/** Where a password comes from. */
export type PasswordSource = {
  /** How often it may be asked: more than once only where a person types. */
  readonly tries: number
  /** UTF-8 as it was typed; who asks wipes it. `again` after a wrong one. */
  read(key: { readonly name: string; readonly path: string }, again: boolean): Promise<Buffer>
}

/** A key that is there, known by what stands in the clear: enough to quote and to simulate. */
export type LockedKey = {
  readonly name: string
  readonly address: string
  /** Compressed secp256k1, 33 bytes. */
  readonly publicKey: Uint8Array
  /** The built-in key has none. */
  readonly needsPassword: boolean
  /**
   * @throws WrongPassword after the last try
   */
  unlock(password: PasswordSource): Promise<Signer>
}

/** Which key is meant: one of the store by its name, `demo`, or a file anywhere. */
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
  const stored = 'name' in choice ? await loadKey(store, choice.name) : await keyAt(choice.file)
  const { name, document } = stored
  if (document.prefix !== chain.prefix) throw otherNetwork(stored, chain)
  return {
    name,
    address: document.address,
    publicKey: Buffer.from(document.pubkey, 'hex'),
    needsPassword: true,
    unlock: async (password) => {
      const secret = await openStored(stored, password)
      try {
        const privateKey = await privateKeyOf(secret, document.hd_path)
        return signerOf(name, privateKey, Buffer.from(document.pubkey, 'hex'), chain)
      } finally {
        wipe(secret.bytes)
      }
    },
  }
}

/** Finds a key and unlocks it. */
export async function openSigner(
  request: { readonly store: Store; readonly key: KeyChoice; readonly password: PasswordSource },
  chain: SigningChain,
): Promise<Signer> {
  const key = await findKey(request.store, request.key, chain)
  return key.unlock(request.password)
}

/**
 * The secret of a stored key; the caller wipes it. A wrong password may be corrected as often as its
 * source allows.
 *
 * @throws WrongPassword
 */
export async function openStored(
  { name, path, document }: StoredKey,
  source: PasswordSource,
): Promise<Secret> {
  keepPrivate()
  for (let attempt = 0; attempt < source.tries; attempt++) {
    const password = await source.read({ name, path }, attempt > 0)
    try {
      return await openKey(document, password)
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error
    } finally {
      wipe(password)
    }
  }
  throw new WrongPassword(path)
}

async function keyAt(file: string): Promise<StoredKey> {
  const path = resolve(file)
  const document = await readKeyFile(path)
  if (document === undefined) throw new KeyfileNotFound(`at ${path}`, path, [])
  return { name: path, path, document }
}

function demoKey(chain: SigningChain): LockedKey {
  if (chain.chainId !== chain.demoChainId)
    throw misuse('the key demo signs for the demo chain only', {
      why: `everybody has its secret, and this chain is ${chain.chainId}`,
      hint: 'make a key of your own: swap keys new main',
    })
  const publicKey = Buffer.from(DEMO.publicKey, 'hex')
  return {
    name: DEMO.name,
    address: addressOf(publicKey, chain.prefix),
    publicKey,
    needsPassword: false,
    unlock: async () => signerOf(DEMO.name, Buffer.from(DEMO.privateKey, 'hex'), publicKey, chain),
  }
}

function signerOf(
  name: string,
  privateKey: Buffer,
  publicKey: Uint8Array,
  { prefix, chainId }: SigningChain,
): Signer {
  let forgotten = false
  return {
    name,
    address: addressOf(publicKey, prefix),
    chainId,
    publicKey: () => Uint8Array.from(publicKey),
    sign(signDoc) {
      if (forgotten) throw new Error('the key was forgotten already')
      const meant = SignDoc.decode(signDoc).chainId
      if (meant !== chainId) throw otherChain(meant, chainId)
      const digest = createHash('sha256').update(signDoc).digest()
      const made = Secp256k1.createSignature(digest, privateKey)
      return Uint8Array.from([...made.r(32), ...made.s(32)])
    },
    forget() {
      forgotten = true
      wipe(privateKey)
    },
  }
}

const otherChain = (meant: string, chainId: string) =>
  misuse(`this transaction is for the chain ${meant.slice(0, 64)}`, {
    why: `the key was opened for ${chainId}`,
    hint: 'build the transaction for the chain that it is signed for',
  })

const otherNetwork = ({ name, document }: StoredKey, { prefix, chainId }: SigningChain) =>
  misuse(`the key ${name} is of another network`, {
    why: `its address is ${document.address}; addresses on ${chainId} begin with ${prefix}1`,
    hint: `make one for this network: swap keys new <name>      list yours: swap keys list`,
  })

import type { KdfCost } from '../keyfile/kdf-cost.js'
import type { Secret } from '../secret.js'

/** The formats that keys come in, as `--format` names them. */
export const formatNames = [
  'swap',
  'cosmjs',
  'armor',
  'xchain',
  'keystore',
  'mnemonic',
  'hex',
] as const
export type FormatName = (typeof formatNames)[number]

/** What was inside a file of another program. Whoever holds it wipes the secret. */
export type DecryptedKey = {
  readonly secret: Secret
  /** Where the other program derived its account, if it says so. */
  readonly hdPath?: string
  /** Of the address that the other program showed, if it says so. */
  readonly prefix?: string
}

/** A key as another program keeps it, recognised; nothing derived yet. */
export type ForeignKey = {
  readonly format: FormatName
  /** For people: what it is and how it is protected, e.g. `cosmjs wallet, argon2id 12 MiB`. */
  readonly description: string
  /** Protected worse than a key file should be today, or not at all. */
  readonly weak: boolean
  /** Whether there is a password to ask for. */
  readonly encrypted: boolean
  /** What opening it takes; to be checked before. Missing where nothing is derived. */
  readonly cost?: KdfCost
  /** @throws NotOpened, NoKeyDocument */
  open(password: Uint8Array): Promise<DecryptedKey>
}

/** A key to be written in another program's format. The private key is the derived one. */
export type KeyExport = {
  readonly secret: Secret
  /** 32 bytes. */
  readonly privateKey: Buffer
  readonly hdPath: string | null
  readonly prefix: string
}

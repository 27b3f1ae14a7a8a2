import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  type DocumentOf,
  flagOf,
  objectOf,
  objectsOf,
  optionals,
  orNull,
  textOf,
  textOrNull,
} from '../../../operations/document-schema.js'

/** A key as `--json` prints it, without secrets. */
export const KeyAnswer = closedObject({
  name: textOf('Name of the key.'),
  address: textOf('Its address on the configured network.'),
  pubkey: textOrNull(
    'Compressed secp256k1 public key, hexadecimal; null where of an external key the address alone is known.',
  ),
  path: textOrNull('BIP-32 path; null for a private key without a mnemonic.'),
  format: textOf('Format of the key file, or built-in.'),
  kdf: orNull(
    objectOf('How the key is derived from the password; null where no file holds one.', {
      name: textOf('Key derivation function.'),
      n: countOf('Cost.'),
      r: countOf('Block size.'),
      p: countOf('Parallelism.'),
    }),
  ),
  weak: flagOf('Whether it costs less than a new key file would.'),
  created_at: textOrNull('RFC 3339; null for the built-in key.'),
  default: flagOf('Whether the configuration names it.'),
  limits: objectOf('Limits of unattended executions; null where not set.', {
    per_tx_usd: textOrNull('Dollars that one unattended swap may sell.'),
    per_day_usd: textOrNull('Dollars that unattended swaps may sell in a day.'),
  }),
  backup: textOrNull('checked, written or imported; null for the built-in key.'),
  file: textOrNull('Path of the key file.'),
  signer: Type.Optional(textOf('Of an external key: exec: and the command that signs.')),
  sign_mode: Type.Optional(
    Type.Enum(['direct', 'amino'], {
      description: 'Of an external key: the mode that it signs in.',
    }),
  ),
})
export type KeyAnswer = DocumentOf<typeof KeyAnswer>

/** The answer of `swap keys list`. */
export const KeysAnswer = closedObject({
  keys: Type.Array(KeyAnswer, { description: 'Keys that can be used.' }),
  unusable: objectsOf('Key files that cannot be used.', {
    name: textOf('Name of the key.'),
    file: textOf('Path of the key file.'),
    code: textOf('Code of the error.'),
    detail: textOf('Why the file cannot be used.'),
  }),
})

const changeMembers = optionals({
  mnemonic_file: textOf('Of a new key: path of the file with its words.'),
  existing: flagOf('Of an import: whether the key was there already.'),
  imported_from: textOf('Of an import: the format that was read.'),
  ok: flagOf('Of a check: true, since the password opens the key.'),
  renamed_from: textOf('Of a key with a new name: the name before.'),
  deleted: flagOf('Of a deleted key: true.'),
})

/** The answer of commands that create, change or delete a key: the key, and the action. */
export const KeyChange = closedObject({ ...KeyAnswer.properties, ...changeMembers })
export type KeyChange = DocumentOf<typeof KeyChange>

/** The answer of `swap keys export` to a file. */
export const KeyExported = closedObject({
  name: textOf('Name of the key.'),
  format: textOf('Format of the file.'),
  file: textOf('Path of the file.'),
})

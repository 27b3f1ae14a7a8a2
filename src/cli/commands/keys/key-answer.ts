import * as Type from 'typebox'
import * as Doc from '../../../operations/document-schema.js'

/** A key as `--json` prints it, without secrets. */
export const KeyAnswer = Doc.closedObject({
  name: Doc.text('Name of the key.'),
  address: Doc.text('Its address on the configured network.'),
  pubkey: Doc.textOrNull(
    'Compressed secp256k1 public key, hexadecimal; null where of an external key the address alone is known.',
  ),
  path: Doc.textOrNull('BIP-32 path; null for a private key without a mnemonic.'),
  format: Doc.text('Format of the key file, or built-in.'),
  kdf: Doc.orNull(
    Doc.object('How the key is derived from the password; null where no file holds one.', {
      name: Doc.text('Key derivation function.'),
      n: Doc.count('Cost.'),
      r: Doc.count('Block size.'),
      p: Doc.count('Parallelism.'),
    }),
  ),
  weak: Doc.flag('Whether it costs less than a new key file would.'),
  created_at: Doc.textOrNull('RFC 3339; null for the built-in key.'),
  default: Doc.flag('Whether the configuration names it.'),
  limits: Doc.object('Limits of unattended executions; null where not set.', {
    per_tx_usd: Doc.textOrNull('Dollars that one unattended swap may sell.'),
    per_day_usd: Doc.textOrNull('Dollars that unattended swaps may sell in a day.'),
  }),
  backup: Doc.textOrNull('checked, written or imported; null for the built-in key.'),
  file: Doc.textOrNull('Path of the key file.'),
  signer: Type.Optional(Doc.text('Of an external key: exec: and the command that signs.')),
  sign_mode: Type.Optional(
    Type.Enum(['direct', 'amino'], {
      description: 'Of an external key: the mode that it signs in.',
    }),
  ),
})
export type KeyAnswer = Doc.DocumentOf<typeof KeyAnswer>

/** The answer of `swap keys list`. */
export const KeysAnswer = Doc.closedObject({
  keys: Doc.listOf('Keys that can be used.', KeyAnswer),
  unusable: Doc.objects('Key files that cannot be used.', {
    name: Doc.text('Name of the key.'),
    file: Doc.text('Path of the key file.'),
    code: Doc.text('Code of the error.'),
    detail: Doc.text('Why the file cannot be used.'),
  }),
})

const changeMembers = Doc.optionals({
  mnemonic_file: Doc.text('Of a new key: path of the file with its words.'),
  existing: Doc.flag('Of an import: whether the key was there already.'),
  imported_from: Doc.text('Of an import: the format that was read.'),
  ok: Doc.flag('Of a check: true, since the password opens the key.'),
  renamed_from: Doc.text('Of a key with a new name: the name before.'),
  deleted: Doc.flag('Of a deleted key: true.'),
})

/** The answer of commands that create, change or delete a key: the key, and the action. */
export const KeyChange = Doc.closedObject({ ...KeyAnswer.properties, ...changeMembers })
export type KeyChange = Doc.DocumentOf<typeof KeyChange>

/** The answer of `swap keys export` to a file. */
export const KeyExported = Doc.closedObject({
  name: Doc.text('Name of the key.'),
  format: Doc.text('Format of the file.'),
  file: Doc.text('Path of the file.'),
})

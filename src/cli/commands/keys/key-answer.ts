import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  type DocumentOf,
  flagOf,
  orNull,
  textOf,
  textOrNull,
} from '../../../operations/document-schema.js'

/** A key as `--json` prints it. Nothing in it is secret. */
export const KeyAnswer = closedObject({
  name: textOf('Name of the key.'),
  address: textOf('Its address on the configured network.'),
  pubkey: textOrNull(
    'Compressed secp256k1 public key, hexadecimal; null where of an external key the address alone is known.',
  ),
  path: textOrNull('BIP-32 path; null for a private key without a mnemonic.'),
  format: textOf('Format of the key file, or built-in.'),
  kdf: orNull(
    closedObject({
      name: textOf('Key derivation function.'),
      n: countOf('Cost.'),
      r: countOf('Block size.'),
      p: countOf('Parallelism.'),
    }),
  ),
  weak: flagOf('Whether it costs less than a new key file would.'),
  created_at: textOrNull('RFC 3339; null for the built-in key.'),
  default: flagOf('Whether the configuration names it.'),
  limits: closedObject({
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

import { Secp256k1 } from '@cosmjs/crypto'
import { invalidRequest } from '../../../engine/errors.js'
import { withoutCapitals } from '../../../operations/address.js'
import { requireAddress } from '../../../operations/names.js'
import { attempt } from '../../../platform/attempt.js'
import { fromBase64, fromHex, toHex } from '../../../platform/encoding.js'
import { addressOf } from '../../../wallet/address.js'
import { parseSigner, requireFixedProgram } from '../../../wallet/external/run-signer.js'
import { storeExternal } from '../../../wallet/make.js'
import { requireNotInBook, storeOf } from '../../accounts/named-accounts.js'
import { missingArgument } from '../../invalid-request.js'
import { nextFor, printDone } from './key-info.js'
import { withPasswords } from './run.js'

const CALL =
  'swap keys add-external <name> --signer "exec:my-signer --account 0" --address thor1...'

/** Stores the account of a device with the command that signs for it. The command is not started. */
export const runAddExternal = withPasswords(async ({ context, flags }, [name = '']) => {
  const { network } = context.config
  const store = storeOf(context.surroundings)
  requireNotInBook(context, name)
  const { signer, address: given, publicKey: key } = flags
  if (typeof signer !== 'string') throw missingArgument('the command that signs', CALL)
  requireFixedProgram(parseSigner(signer, store.folder))
  const publicKey = typeof key === 'string' ? publicKeyIn(key) : undefined
  const derived = publicKey && addressOf(publicKey, network.prefix)
  const address = typeof given === 'string' ? withoutCapitals(given) : derived
  if (address === undefined) throw missingArgument('the address or the public key', CALL)
  await requireAddress(address, network.prefix, '/address')
  if (derived !== undefined && derived !== address)
    throw invalidRequest('the address is not that of the public key', '', {
      why: `the key has ${derived}`,
      hint: 'leave --address out, or see which account the device shows',
    })
  const stored = await storeExternal(store, name, {
    format: 'swap.external/1',
    created_at: new Date().toISOString(),
    address,
    pubkey: publicKey === undefined ? null : toHex(publicKey),
    prefix: network.prefix,
    sign_mode: flags['amino'] === true ? 'amino' : 'direct',
    signer,
  })
  await printDone(context, `${name} signs by ${signer}`, stored, {
    next: nextFor(context.config, name),
  })
})

/** A compressed public key: 33 bytes, a point of the curve. */
function publicKeyIn(text: string): Uint8Array {
  const bytes = /^[0-9a-f]{66}$/i.test(text) ? fromHex(text) : fromBase64(text)
  if (bytes.length === 33 && attempt(() => Secp256k1.uncompressPubkey(bytes))?.length === 65)
    return bytes
  throw invalidRequest('--public-key takes a compressed secp256k1 key', '', {
    why: 'this is not 33 bytes, in hexadecimal or base64, of a point of the curve',
    hint: 'the device, or the explorer of the chain, shows it',
  })
}

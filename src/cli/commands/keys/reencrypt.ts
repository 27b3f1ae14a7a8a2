import { misuse } from '../../../wallet/errors.js'
import { COST } from '../../../wallet/keyfile/limits.js'
import { resealKey } from '../../../wallet/make.js'
import { wipe } from '../../../wallet/secret.js'
import { openStored } from '../../../wallet/signer.js'
import { loadSealed } from '../../../wallet/store/keys.js'
import { storeOf } from '../../accounts/key-store.js'
import { newPassword, passwordSource } from '../../accounts/passwords.js'
import type { FlagValues } from '../../command.js'
import { keyInfoOf, printDone } from './key-info.js'
import type { KeysRun } from './run.js'

/** Encrypts a key file again: with another password, or the same one at today's cost with a fresh salt. */
export const runReencrypt: KeysRun = async (context, [name = ''], flags, asking) => {
  const n = costOf(flags['scryptCost'])
  const stored = await loadSealed(storeOf(context.surroundings), name)
  const secret = await openStored(stored, passwordSource(asking))
  try {
    const password = await newPassword(asking, 'New password (12 characters or more):')
    try {
      const resealed = await resealKey(stored, secret, password, n)
      const answer = keyInfoOf(context, resealed)
      await printDone(context, `encrypted ${name} anew`, answer, {
        next: 'destroy copies of the old file: the old password still opens them',
      })
    } finally {
      wipe(password)
    }
  } finally {
    wipe(secret.bytes)
  }
}

function costOf(given: FlagValues[string]): number {
  if (given === undefined) return COST.n
  if (['17', '18', '19', '20'].includes(String(given))) return 2 ** Number(given)
  throw misuse('--scrypt-cost is a whole number from 17 to 20', {
    why: 'it is a power of two: 17 takes 128 MiB, 20 takes 1 GiB and eight times as long',
    hint: 'leave it out, or write --scrypt-cost 18',
  })
}

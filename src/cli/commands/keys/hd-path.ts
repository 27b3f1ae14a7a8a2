import { isHdPath } from '../../../wallet/address.js'
import { misuse } from '../../../wallet/errors.js'
import type { FlagValues } from '../../command.js'

/** The first account of a coin type, where BIP-44 puts it. */
export const coinTypePath = (coinType: number): string => `m/44'/${coinType}'/0'/0/0`

/** The path of `--hd-path` or `--coin-type`, if one was given. @throws SwapError INVALID_REQUEST */
export function hdPathOf(flags: FlagValues): string | undefined {
  const { hdPath: path, coinType } = flags
  if (typeof coinType === 'string') {
    if (path === undefined && isCoinType(coinType)) return coinTypePath(Number(coinType))
    throw misuse('--coin-type takes the number of a coin, without --hd-path', {
      why: path === undefined ? 'what was given is not one' : 'both say where the account is',
      hint: 'write e.g. --coin-type 931: THORChain; 118 is Cosmos, 60 Ethereum',
    })
  }
  if (typeof path !== 'string') return undefined
  if (isHdPath(path)) return path
  throw misuse('--hd-path takes a path of BIP-32', {
    why: 'what was given is not one',
    hint: "write e.g. --hd-path \"m/44'/931'/0'/0/0\"",
  })
}

/** Of SLIP-44: hardened, so below 2^31. */
const isCoinType = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31

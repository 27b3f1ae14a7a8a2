import { misuse } from '../errors.js'
import { isCommon } from './common.js'

/** Characters of a new password at least, and bytes at most. */
const LEAST = 12
export const MOST = 1024

/**
 * Why a password cannot protect a new key file, for the person who chose it; `undefined` if it can.
 * Characters are counted in form NFKC. Errors reveal nothing of the password.
 */
export function weakness(password: Uint8Array): string | undefined {
  if (password.length > MOST) return `it is longer than ${MOST} bytes`
  const text = Buffer.from(password).toString('utf8').normalize('NFKC')
  // Its line break at the end would not come back from a file.
  if (/\p{Cc}/u.test(text)) return 'it has a line break or another control character'
  if ([...text].length < LEAST) return `it has fewer than ${LEAST} characters`
  if (isCommon(text)) return 'it is one of those that are guessed first'
  return undefined
}

/** @throws SwapError INVALID_REQUEST */
export function requireStrong(password: Uint8Array): void {
  const why = weakness(password)
  if (why === undefined) return
  throw misuse('this password cannot protect a key', {
    why,
    hint: `choose ${LEAST} characters or more that are hard to guess: several random words are good`,
  })
}

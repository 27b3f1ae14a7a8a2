import { invalidRequest } from '../../engine/errors.js'

/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Whether a text can be the name of a key file. */
export const isKeyName = (text: string): boolean =>
  /^[a-z0-9][a-z0-9_-]{0,31}$/.test(text) && !DEVICE.test(text)

/**
 * Refuses an invalid name of a key file. The error does not repeat the text, which may be a secret passed by mistake.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function checkName(text: string): void {
  if (isKeyName(text)) return
  throw invalidRequest('this cannot be the name of a key', '', {
    why: DEVICE.test(text)
      ? 'Windows keeps that name for a device'
      : 'a name has 1 to 32 of a-z 0-9 _ - and begins with a letter or a digit',
    hint: 'names are like main; list yours: swap keys list',
  })
}

import { SwapError } from '../engine/errors.js'

/** Why a request cannot be used; `detail` is that of the member in the document, by default the reason. */
type Reason = { readonly why: string; readonly hint: string; readonly detail?: string }

/** The error of a member of a request, which `pointer` names, that cannot be used. */
export const invalidRequest = (
  message: string,
  pointer: string,
  { why, hint, detail = why }: Reason,
): SwapError =>
  new SwapError('INVALID_REQUEST', message, {
    why,
    hint,
    members: { errors: [{ pointer, detail }] },
  })

/** The error of two flags that exclude each other, of which the other one is to be left out. */
export const clashing = (flag: string, other: string, why: string, pointer: string): SwapError =>
  invalidRequest(`${flag} does not go with ${other}`, pointer, { why, hint: `leave ${other} out` })

/** Reads an amount of a flag, which its error then names. */
export function inFlag<T>(flag: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SwapError) || error.code !== 'INVALID_AMOUNT') throw error
    const { code, message, why, hint, members } = error
    throw new SwapError(code, `${flag}: ${message}`, {
      members,
      ...(why !== undefined && { why }),
      ...(hint !== undefined && { hint }),
    })
  }
}

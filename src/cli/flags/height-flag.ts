import { SwapError } from '../../engine/errors.js'
import { quote } from '../../render/width.js'
import type { Flag, FlagValues } from '../command.js'

/** The flag of every command that answers from a market. */
export const heightFlag: Flag = {
  flags: '--height <n>',
  meaning: 'as of this block, where the node still has it (default: the newest)',
  isRare: true,
}

/** The block that was asked for. */
export function heightOf(flags: FlagValues): number | undefined {
  const text = flags['height']
  if (typeof text !== 'string') return undefined
  const digits = text.replaceAll('_', '')
  if (/^[1-9]\d{0,14}$/.test(digits)) return Number(digits)
  throw new SwapError('INVALID_REQUEST', `${quote(text)} is no block`, {
    why: 'a height is a whole number from 1',
    hint: 'write e.g. --height 120',
    members: { errors: [{ pointer: '/height', detail: 'not a height' }] },
  })
}

import { quote } from '../../render/width.js'
import type { Flag, FlagValues } from '../command.js'
import { invalidRequest } from '../invalid-request.js'

/** The flag of every command that answers from a market. */
export const heightFlag: Flag = {
  flags: '--height <n>',
  meaning: 'as of this block, where the node still has it (default: the newest)',
  isRare: true,
}

/** The recorded blocks that `--at` and `--slippage auto` read. */
export const tapeFlag: Flag = {
  flags: '--tape <file>',
  meaning: 'a tape: quote from it with --at; with --slippage auto what was recorded counts',
  value: 'file',
  isRare: true,
}

/** A recorded block in place of the network. */
export const atFlags: readonly Flag[] = [
  tapeFlag,
  {
    flags: '--at <height>',
    meaning: 'with --tape: as of this recorded block, or last',
    isRare: true,
  },
]

/** The block that a command answers from. */
export const blockFlags: readonly Flag[] = [heightFlag, ...atFlags]

/** The tape that a command answers from: `--tape` with `--at`. @throws SwapError INVALID_REQUEST */
export function tapeOf({ tape, at, slippage }: FlagValues): string | undefined {
  if (typeof at === 'string') {
    if (typeof tape === 'string') return tape
    const why = 'it names a recorded block'
    throw invalidRequest('--at goes with --tape', '/at', { why, hint: 'add --tape FILE' })
  }
  if (typeof tape !== 'string' || slippage === 'auto') return undefined
  throw invalidRequest('--tape goes with --at or --slippage auto', '/tape', {
    why: 'nothing reads it',
    hint: 'add --at <height>, or --at last',
  })
}

/** The block that was asked for. */
export function heightOf(flags: FlagValues): number | undefined {
  const name = flags['at'] === undefined ? 'height' : 'at'
  const text = flags[name]
  if (typeof text !== 'string' || (name === 'at' && text === 'last')) return undefined
  const digits = text.replaceAll('_', '')
  if (/^[1-9]\d{0,14}$/.test(digits)) return Number(digits)
  throw invalidRequest(`${quote(text)} is no block`, `/${name}`, {
    why: 'a height is a whole number from 1',
    hint: `write e.g. --${name} 120${name === 'at' ? ', or --at last' : ''}`,
    detail: 'not a height',
  })
}

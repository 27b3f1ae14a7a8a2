import { SwapError } from '../../engine/errors.js'
import { quote } from '../../render/width.js'
import type { Flag, FlagValues } from '../command.js'

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
    throw misused('--at goes with --tape', 'it names a recorded block', 'add --tape FILE', '/at')
  }
  if (typeof tape !== 'string' || slippage === 'auto') return undefined
  const hint = 'add --at <height>, or --at last'
  throw misused('--tape goes with --at or --slippage auto', 'nothing reads it', hint, '/tape')
}

const misused = (message: string, why: string, hint: string, pointer: string): SwapError =>
  new SwapError('INVALID_REQUEST', message, {
    why,
    hint,
    members: { errors: [{ pointer, detail: why }] },
  })

/** The block that was asked for. */
export function heightOf(flags: FlagValues): number | undefined {
  const name = flags['at'] === undefined ? 'height' : 'at'
  const text = flags[name]
  if (typeof text !== 'string' || (name === 'at' && text === 'last')) return undefined
  const digits = text.replaceAll('_', '')
  if (/^[1-9]\d{0,14}$/.test(digits)) return Number(digits)
  throw new SwapError('INVALID_REQUEST', `${quote(text)} is no block`, {
    why: 'a height is a whole number from 1',
    hint: `write e.g. --${name} 120${name === 'at' ? ', or --at last' : ''}`,
    members: { errors: [{ pointer: `/${name}`, detail: 'not a height' }] },
  })
}

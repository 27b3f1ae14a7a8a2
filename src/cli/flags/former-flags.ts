import { Option } from 'commander'
import type { SwapError } from '../../engine/errors.js'
import type { FlagValues, FormerFlag } from '../command.js'
import { invalidRequest } from '../invalid-request.js'

/** `--slippage` in whole basis points. */
export const slippageBpsFlag: FormerFlag = {
  flags: '--slippage-bps <n>',
  now: (text) => ({ slippage: /^\d+$/.test(text) ? `${text}bps` : text }),
}

/** `--to` of commands that quote. */
export const recipientFlag: FormerFlag = { flags: '--recipient <address>', now: (to) => ({ to }) }

/** Part of `--explain`. */
export const frontierFlag: FormerFlag = { flags: '--frontier', now: () => ({ explain: true }) }

/** `--watch=10s`, which is spelled with it before it is parsed. */
export const everyFlag: FormerFlag = { flags: '--every <10s>' }

/** Shares of any size, as a split has them without `--split-step`. */
export const gridFlag: FormerFlag = { flags: '--no-grid' }

/** `swap tx resume`. */
export const resumeFlag: FormerFlag = { flags: '--resume <id>' }

/** `--csv` of the journal. */
export const exportFlag: FormerFlag = {
  flags: '--export <form>',
  now: (output) => ({ output }),
}

/** Flags with those of earlier releases replaced. @throws SwapError INVALID_REQUEST where both are given */
export function presentFlags(flags: FlagValues, former: readonly FormerFlag[] = []): FlagValues {
  return former.reduce((given, { flags: spelled, now }) => {
    const option = new Option(spelled)
    const { [option.attributeName()]: value, ...rest } = given
    if (now === undefined || value === undefined) return given
    const present = now(String(value))
    for (const [name, meant] of Object.entries(present))
      if (rest[name] !== undefined && rest[name] !== meant) throw bothGiven(option.long!, name)
    return { ...rest, ...present }
  }, flags)
}

const bothGiven = (former: string, name: string): SwapError =>
  invalidRequest(`${former} and --${name} are the same flag`, '', {
    why: `${former} is its name of earlier releases, and the values differ`,
    hint: `give --${name} alone`,
    detail: 'is given twice',
  })

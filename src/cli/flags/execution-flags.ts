import type { Flag } from '../command.js'
import { choices } from '../command-tree.js'
import { passwordFlags } from './password-flags.js'

/** Whose key signs. */
export const signerFlags: readonly Flag[] = [
  { flags: '--from <name>', meaning: 'the key that signs, by name or address', value: 'account' },
  { flags: '--key-file <path>', meaning: 'a key file anywhere', value: 'file', isRare: true },
  ...passwordFlags,
]

export const lockWaitFlag: Flag = {
  flags: '--lock-wait <time>',
  meaning: 'wait for another process with this account, e.g. 30s',
  isRare: true,
}

/** How long to wait for what. */
export const waitFlags: readonly Flag[] = [
  {
    flags: '--wait <what>',
    meaning: 'included (default), accepted or none',
    value: choices('included', 'accepted', 'none'),
  },
  {
    flags: '--wait-timeout <time>',
    meaning: 'wait no longer, e.g. 90s; its status is then unknown (default: until it is certain)',
  },
  lockWaitFlag,
]

/** What bounds the price. */
export const slippageFlag: Flag = {
  flags: '--slippage <0.5%|50bps>',
  meaning: 'accept this much less than quoted; the chain refuses below it',
}

/** Signing without a person. */
export const yesFlag: Flag = {
  flags: '-y, --yes',
  meaning: 'do not ask for confirmation; needs a price guard and respects the limits',
}

/** A confirmation that was given beforehand. */
export const confirmFlag: Flag = {
  flags: '--confirm <symbol>',
  meaning: '--yes for this symbol of what is received alone',
}

export const affiliateFlag: Flag = {
  flags: '--affiliate <code>',
  meaning: 'a code registered with the router',
  isRare: true,
}

/** What bounds signing without a person. */
export const limitFlags: readonly Flag[] = [
  { flags: '--limits-per-tx-usd <usd>', meaning: 'what --yes may sell at most, in dollars' },
  { flags: '--limits-per-day-usd <usd>', meaning: 'the same in 24 hours' },
]

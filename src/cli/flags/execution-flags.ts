import type { Flag } from '../command.js'
import { choices } from '../command-tree.js'
import { passwordFlags } from './password-flags.js'

/** Whose key signs. */
export const signerFlags: readonly Flag[] = [
  { flags: '--from <name>', meaning: 'the key that signs, by name or address', value: 'key' },
  { flags: '--key-file <path>', meaning: 'a key file anywhere', value: 'file' },
  ...passwordFlags,
]

export const lockWaitFlag: Flag = {
  flags: '--lock-wait <time>',
  meaning: 'wait for another process with this account, e.g. 30s',
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

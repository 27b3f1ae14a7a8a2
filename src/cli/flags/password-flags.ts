import type { Flag } from '../command.js'

/** Sources of a password without a terminal; flags of every command that opens a key. */
export const passwordFlags: readonly Flag[] = [
  {
    flags: '--password-file <file>',
    meaning: 'holds the password, closed to others (0600); - reads standard input',
    value: 'file',
  },
  { flags: '--password-fd <n>', meaning: 'the password from an open descriptor', isRare: true },
  {
    flags: '--allow-slow-kdf',
    meaning: 'open a key file whose derivation costs more than its format needs',
    isRare: true,
  },
  { flags: '--no-input', meaning: 'never ask', isRare: true },
]

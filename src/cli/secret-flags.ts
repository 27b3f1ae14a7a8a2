import type { SwapError } from '../engine/errors.js'
import { invalidRequest } from './invalid-request.js'

/** Flags by which other programs take secrets. Arguments are visible to every user in `ps`. */
const SECRETS = new Map([
  ['--password', '--password-file <file>, --password-fd <n>, or be asked'],
  ['--passphrase', '--password-file <file>, --password-fd <n>, or be asked'],
  ['--mnemonic', 'swap keys import <name>, which asks for it, or reads a file'],
  ['--seed-phrase', 'swap keys import <name>, which asks for it, or reads a file'],
  ['--private-key', 'swap keys import <name>, which asks for it, or reads a file'],
  ['--privkey', 'swap keys import <name>, which asks for it, or reads a file'],
])

/** They are parsed so that they can be refused. */
export const secretFlags: readonly string[] = [...SECRETS.keys()]

/** The error for a secret on the command line; it repeats nothing of it. */
export const secretRefused = (flag: string): SwapError =>
  invalidRequest(`no flag takes a secret, so there is no ${flag}`, '', {
    why: 'what is typed there is in ps for every user, and in the history of your shell',
    hint: `use ${SECRETS.get(flag)}; then remove the line from your shell's history`,
    detail: `${flag} is refused`,
  })

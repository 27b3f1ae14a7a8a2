import { type Command as Commander, Option } from 'commander'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import type { FormerFlag } from '../command.js'

/** Declares a flag to commander. An empty value is refused, since an unset variable produces one. */
export function addFlag(program: Commander, { flags, many }: FormerFlag): void {
  const option = new Option(flags)
  if (option.required)
    option.argParser<string | readonly string[]>((text, before = []) => {
      if (text.trim() === '') throw emptyValue(option.long ?? flags)
      return many ? [...before, text] : text
    })
  program.addOption(option)
}

export const emptyValue = (flag: string): SwapError =>
  invalidRequest(`the value of ${flag} is empty`, `/${flag.slice(2).replaceAll('-', '_')}`, {
    why: 'a variable of the shell without a value has this effect',
    hint: `write a value, or leave ${flag} out`,
  })

/** Flags of other programs for secrets. Arguments are visible to every user in `ps`. */
const PASSWORDS = ['--password', '--passphrase']
const KEYS = ['--mnemonic', '--seed-phrase', '--private-key', '--privkey']

/** Declared so that they can be refused. */
export const secretFlags: readonly string[] = [...PASSWORDS, ...KEYS]

/** The error for a secret on the command line, which does not repeat it. */
export const secretRefused = (flag: string): SwapError =>
  invalidRequest(`no flag takes a secret, so there is no ${flag}`, '', {
    why: 'what is typed there is in ps for every user, and in the history of your shell',
    hint: `use ${
      PASSWORDS.includes(flag)
        ? '--password-file <file>, --password-fd <n>, or be asked'
        : 'swap keys import <name>, which asks for it, or reads a file'
    }; then remove the line from your shell's history`,
  })

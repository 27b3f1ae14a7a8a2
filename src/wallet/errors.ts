import { SwapError } from '../engine/errors.js'
import { DEMO } from './demo-key.js'

/** A key file does not exist. `known` are the names of the existing ones; a file of `--key-file` has none. */
export class KeyfileNotFound extends SwapError {
  constructor(what: string, path: string, known?: readonly string[]) {
    super('KEYFILE_NOT_FOUND', `there is no key ${what}`, {
      why: whyNotFound(what, known),
      hint: 'list them: swap keys list      make one: swap keys new <name>',
      members: { path },
    })
  }
}

function whyNotFound(what: string, known?: readonly string[]): string {
  if (known === undefined) return 'there is no such file'
  if (what === DEMO.name) return 'the key of the demo chain is built in and has no file'
  return known.length > 0 ? `the key files are ${known.join(', ')}` : 'there are no key files yet'
}

/** A key file, or a file to import, is invalid. Errors never repeat its content. */
export class KeyfileInvalid extends SwapError {
  constructor(path: string, why: string, hint = 'restore it from a copy, or import the key again') {
    super('KEYFILE_INVALID', `the key file ${path} cannot be used`, {
      why,
      hint,
      members: { path },
    })
  }
}

/** Other users could read or replace a secret file. */
export class KeyfilePermissions extends SwapError {
  constructor(path: string, why: string, hint: string) {
    super('KEYFILE_PERMISSIONS', `${path} is not safe to use`, { why, hint, members: { path } })
  }
}

/** Decryption failed. A wrong password and a damaged file cannot be distinguished. */
export class WrongPassword extends SwapError {
  constructor(path: string) {
    super('WRONG_PASSWORD', 'wrong password or damaged file', {
      why: `the password does not open ${path}`,
      hint: 'give the password of this key; nothing was changed',
      members: { path },
    })
  }
}

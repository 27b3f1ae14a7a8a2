import { existsSync } from 'node:fs'
import { SwapError } from '../../engine/errors.js'
import { weakness } from '../../wallet/passwords/rules.js'
import {
  type PasswordOptions,
  type SuppliedPassword,
  suppliedPassword,
} from '../../wallet/passwords/supplied.js'
import { copyOf, wipe } from '../../wallet/secret.js'
import type { PasswordSource } from '../../wallet/signer.js'
import type { Context, FlagValues } from '../command.js'
import { textOf, valueName } from '../flags/checked-flag.js'
import { clashing } from '../invalid-request.js'
import { noTerminal, openTerminal, type Terminal } from '../terminal.js'

/** Attempts at typing a password, or at choosing one. */
const TRIES = 3

/** The terminal and the passwords of one run, opened and read on first use. */
export type PasswordPrompt = {
  /** `--allow-slow-kdf` */
  readonly allowSlowKdf: boolean
  /** `undefined` without a terminal. Opened once. */
  readonly terminal: () => Terminal | undefined
  /** The key's password from flags and variables, which the caller wipes; otherwise `undefined`. */
  readonly given: () => Promise<SuppliedPassword | undefined>
  /** The password of `--new-password-file` and `--new-password-fd`. */
  readonly suppliedNew: () => Promise<SuppliedPassword | undefined>
  /** Wipes passwords read from a pipe, which are kept because a pipe cannot be read twice. */
  forget(): void
  close(): void
}

/** @param interrupt ends open prompts and the wait for a pipe, if signals do not end the process at once */
export function passwordPromptOf(
  { surroundings, out }: Context,
  flags: FlagValues,
  interrupt?: AbortSignal,
): PasswordPrompt {
  const { env, stdin } = surroundings
  const mayAsk =
    flags['input'] !== false && !['1', 'true', 'yes'].includes(env['SWAP_NO_INPUT'] ?? '')
  let terminal: Terminal | undefined
  const kept: Buffer[] = []
  let forgotten = false
  let isWarned = false
  /** Sources that can be read again are, so that their password need not be kept. */
  const reading = (kind: 'password' | 'new-password', variables?: PasswordOptions['env']) => {
    const spelled = { file: `--${kind}-file`, fd: `--${kind}-fd` }
    const file = textOf(flags, valueName(spelled.file))
    const fd = textOf(flags, valueName(spelled.fd))
    if (file !== undefined && fd !== undefined)
      throw clashing(spelled.file, spelled.fd, 'both say where one password is', `/${kind}-file`)
    const asked = { file, fd, flags: spelled, env: variables, stdin, interrupt }
    let piped: SuppliedPassword | undefined
    return async () => {
      if (piped === undefined) {
        const given = warned(await suppliedPassword(asked))
        if (!given?.once) return given
        piped = given
        kept.push(given.password)
      }
      if (forgotten) throw readOnce(piped.from)
      return { ...piped, password: copyOf(piped.password) }
    }
  }
  const warned = (given: SuppliedPassword | undefined) => {
    if (given?.from === 'SWAP_PASSWORD' && !isWarned) {
      isWarned = true
      out.note(
        'the password is that of SWAP_PASSWORD, which cannot be wiped from memory: a file is safer',
      )
      if (existsSync(env['SWAP_PASSWORD'] ?? ''))
        out.note('SWAP_PASSWORD looks like the name of a file: that goes into SWAP_PASSWORD_FILE')
    }
    return given
  }
  return {
    allowSlowKdf: flags['allowSlowKdf'] === true,
    terminal() {
      if (mayAsk) terminal ??= openTerminal(surroundings, interrupt)
      return terminal
    },
    given: reading('password', env),
    suppliedNew: reading('new-password'),
    forget() {
      forgotten = true
      wipe(...kept)
    },
    close() {
      wipe(...kept)
      terminal?.close()
    },
  }
}

/** The password of an existing key: supplied once, or typed in up to three attempts. */
export const passwordSource = (
  asking: PasswordPrompt,
  question: (name: string) => string = (name) => `Password of ${name}:`,
): PasswordSource => {
  // A supplied password is the same every time; only a typed one can be corrected.
  let tries = 1
  return {
    allowSlowKdf: asking.allowSlowKdf,
    get tries() {
      return tries
    },
    async read({ name }, again) {
      const given = await asking.given()
      if (given) return given.password
      const terminal = requireTerminal(asking, 'the password', '--password-file')
      tries = TRIES
      if (again) terminal.say('Wrong password or damaged file.')
      return terminal.secret(question(name))
    },
  }
}

/**
 * The password for a new key file: supplied, or typed twice. The caller wipes it.
 *
 * @throws SwapError INVALID_REQUEST for a password that is too weak
 */
export async function newPassword(asking: PasswordPrompt, question: string): Promise<Buffer> {
  const given = (await asking.suppliedNew()) ?? (await asking.given())
  if (given) {
    const { requireStrong } = await import('../../wallet/passwords/rules.js')
    requireStrong(given.password)
    return given.password
  }
  return typedTwice(requireTerminal(asking, 'a password', '--password-file'), question)
}

/** Has a new password typed twice, in up to three attempts. */
async function typedTwice(terminal: Terminal, question: string): Promise<Buffer> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const first = await terminal.secret(question)
    const why = weakness(first)
    if (why !== undefined) {
      terminal.say(`Not this one: ${why}.`)
      continue
    }
    const second = await terminal.secret('Again:')
    const same = first.equals(second)
    wipe(second)
    if (same) return first
    wipe(first)
    terminal.say('The two are not the same.')
  }
  throw new SwapError('DECLINED', 'no password was chosen', {
    why: `none of ${TRIES} could be used; nothing was written`,
    hint: 'choose 12 characters or more that are hard to guess',
  })
}

const readOnce = (from: string): SwapError =>
  new SwapError('CONFIRMATION_REQUIRED', `the password of ${from} is needed a second time`, {
    why: 'a pipe can be read once, and what it gave was wiped after the first signature',
    hint: 'run the command again; a plain file can be read as often as needed: --password-file <file>',
  })

/** The terminal to ask at for `what`. @throws SwapError CONFIRMATION_REQUIRED without one; `flag` would give it */
export function requireTerminal(
  { terminal }: Pick<PasswordPrompt, 'terminal'>,
  what: string,
  flag: string,
): Terminal {
  const opened = terminal()
  if (opened !== undefined) return opened
  throw noTerminal(`${what} is needed`, `give it by ${flag}`)
}

import { resolve } from 'node:path'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { unwritableFile } from '../../../platform/atomic-file.js'
import { isHdPath } from '../../../wallet/address.js'
import { writeNew } from '../../../wallet/store/files.js'
import { type PasswordPrompt, passwordPromptOf, requireTerminal } from '../../accounts/passwords.js'
import type { Context, FlagValues, Run } from '../../command.js'

/** A call of a command that may read passwords and the terminal. */
export type KeysCall = {
  readonly context: Context
  readonly flags: FlagValues
  readonly asking: PasswordPrompt
}

/** A command of `swap keys`; when it has ended, the terminal is closed and passwords are wiped. */
export const withPasswords =
  (run: (call: KeysCall, args: readonly string[]) => Promise<void>): Run =>
  async (context, args, flags) => {
    if (process.platform === 'win32')
      context.out.note('on Windows the permissions of key files are not checked')
    const asking = passwordPromptOf(context, flags)
    try {
      await run({ context, flags, asking }, args)
    } finally {
      asking.close()
    }
  }

/**
 * Requires the key's name, typed or by `--confirm`, before an irreversible action.
 *
 * @throws SwapError DECLINED, CONFIRMATION_REQUIRED
 */
export async function confirmName({ flags, asking }: KeysCall, name: string, action: string) {
  const terminal = () =>
    requireTerminal(asking, 'the name of the key once more', `--confirm ${name}`)
  const typed = flags['confirm'] ?? (await terminal().line(`Type ${name} to ${action}: `))
  if (String(typed).trim() === name) return
  throw new SwapError('DECLINED', 'nothing was done', {
    why: 'another name was given than that of the key',
    hint: `the name is ${name}`,
  })
}

/**
 * Writes a secret to a new file with mode 0600, synced to disk before this returns.
 *
 * @returns its absolute path
 * @throws SwapError INVALID_REQUEST if the file exists, what `unwritableFile` returns if it cannot be written
 */
export async function writeSecret(file: string, cwd: string, text: Uint8Array): Promise<string> {
  const path = resolve(cwd, file)
  try {
    if (await writeNew(path, text)) return path
  } catch (error) {
    throw unwritableFile(path, error)
  }
  throw invalidRequest(`${path} is there already`, '', {
    why: 'no file is ever overwritten with a secret',
    hint: 'name a new file',
  })
}

/** The format of `--format`, by default the first one. @throws SwapError INVALID_REQUEST, which does not repeat the value */
export function formatIn<Name extends string>(
  { format: given }: FlagValues,
  formats: readonly Name[],
  { what, hint }: { readonly what: string; readonly hint: string },
): Name {
  const format = formats.find((each) => each === (given ?? formats[0]))
  if (format !== undefined) return format
  const why = `the formats are ${formats.join(', ')}`
  throw invalidRequest(`there is no such format ${what}`, '', { why, hint })
}

/** The BIP-44 path of the first account of a coin type. */
export const coinTypePath = (coinType: number): string => `m/44'/${coinType}'/0'/0/0`

/** The path of `--hd-path` or `--coin-type`, if given. @throws SwapError INVALID_REQUEST */
export function hdPathOf(flags: FlagValues): string | undefined {
  const { hdPath: path, coinType } = flags
  if (typeof coinType === 'string') {
    // A SLIP-44 coin type is hardened, so below 2^31.
    const isCoinType = /^\d{1,10}$/.test(coinType) && Number(coinType) < 2 ** 31
    if (path === undefined && isCoinType) return coinTypePath(Number(coinType))
    throw invalidRequest('--coin-type takes the number of a coin, without --hd-path', '', {
      why: path === undefined ? 'what was given is not one' : 'both say where the account is',
      hint: 'write e.g. --coin-type 931: THORChain; 118 is Cosmos, 60 Ethereum',
    })
  }
  if (typeof path !== 'string') return undefined
  if (isHdPath(path)) return path
  throw invalidRequest('--hd-path takes a path of BIP-32', '', {
    why: 'what was given is not one',
    hint: "write e.g. --hd-path \"m/44'/931'/0'/0/0\"",
  })
}

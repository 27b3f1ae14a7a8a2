import { encode } from 'uqr'
import { invalidRequest } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { balances } from '../../../operations/account/balances.js'
import { formatDollarsAndCents } from '../../../render/amount.js'
import { csv } from '../../../render/csv.js'
import { sentence } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { DEMO } from '../../../wallet/demo-key.js'
import { COST } from '../../../wallet/keyfile/key-document.js'
import { removeKey, renameKey, resealKey } from '../../../wallet/make.js'
import { wipe } from '../../../wallet/secret.js'
import { openStored } from '../../../wallet/signer.js'
import { listKeys, loadKey, loadSealed, type StoredKey } from '../../../wallet/store/keys.js'
import { requireNotInBook, storeOf } from '../../accounts/named-accounts.js'
import { newPassword, passwordSource } from '../../accounts/passwords.js'
import type { Context, FlagValues } from '../../command.js'
import { clashing } from '../../invalid-request.js'
import { pipeLines, printAnswer } from '../../print-answer.js'
import { setConfig } from '../config/change.js'
import {
  builtInKeyInfo,
  isBuiltInHere,
  keyColumns,
  keyInfoOf,
  printDone,
  renderKey,
  renderKeys,
} from './key-info.js'
import { confirmName, withPasswords } from './run.js'

/** Lists the keys from the unencrypted members of their files. */
export const runList = withPasswords(async ({ context }) => {
  const { out, config } = context
  const { keys: stored, broken } = await listKeys(storeOf(context.surroundings))
  const builtIn = isBuiltInHere(config) ? [builtInKeyInfo(context)] : []
  const keys = [...builtIn, ...stored.map((key) => keyInfoOf(context, key))]
  for (const { name, error } of broken)
    out.note(`${name} is left out: ${error.why ?? error.message}; ${error.hint ?? ''}`)
  const unusable = broken.map(({ name, path: file, error }) => {
    return { name, file, code: error.code, detail: error.why ?? error.message }
  })
  const document = { keys, unusable }
  return printAnswer(context, document, {
    quiet: () => keys.map(({ name }) => name).join('\n'),
    csv: () => csv(keys, keyColumns),
    human: () => renderKeys(keys, out.style),
  })
})

export const runShow = withPasswords(async ({ context, flags }, [name = '']) => {
  const { form, out, surroundings } = context
  const key =
    name === DEMO.name
      ? builtIn(context)
      : keyInfoOf(context, await loadKey(storeOf(surroundings), name))
  if (flags['pubkey'] && flags['qr']) throw clashing('--pubkey', '--qr', 'each prints alone', '')
  if (flags['pubkey'] === true && form.kind === 'human' && form.quiet < 2) {
    if (key.pubkey === null) out.note(`the public key of ${name} is not known yet`)
    return out.result(key.pubkey ?? '')
  }
  if (flags['qr'] === true && form.kind === 'human' && form.quiet === 0)
    return out.result([key.address, ...qrLines(key.address, out.style)].join('\n'))
  return printAnswer(context, key, {
    quiet: () => key.address,
    human: () => (out.style.tty ? renderKey(key, context) : pipeLines(key)),
  })
})

/** Width of the quiet zone in modules, which is enough for QR readers. */
const BORDER = 2

/**
 * A QR code as lines of text. With colour it is black on white whatever the terminal's colours are; without
 * colour the light modules are drawn, as for a dark screen.
 */
export function qrLines(text: string, style: Style): readonly string[] {
  const { data, size } = encode(text, { border: BORDER })
  const isDark = (y: number, x: number): boolean => data[y]?.[x] ?? false
  const columns = Array.from({ length: size }, (_, x) => x)
  if (style.ascii)
    return data.map((_, y) => columns.map((x) => (isDark(y, x) ? '  ' : '##')).join(''))
  // Below an odd last row is the quiet zone, which is light.
  const isDrawn = (y: number, x: number): boolean => isDark(y, x) === style.color
  return data.flatMap((_, y) => {
    if (y % 2 === 1) return []
    const line = columns.map((x) => half(isDrawn(y, x), isDrawn(y + 1, x))).join('')
    return [style.paper(line)]
  })
}

/** Two modules, one above the other, in one character. */
const half = (upper: boolean, lower: boolean): string =>
  upper ? (lower ? '█' : '▀') : lower ? '▄' : ' '

function builtIn(context: Context) {
  if (isBuiltInHere(context.config)) return builtInKeyInfo(context)
  throw invalidRequest('the key demo belongs to the demo network', '', {
    why: `the network here is ${context.config.network.name}`,
    hint: 'show it there: swap keys show demo -n demo',
  })
}

/** Opens a key to check its file, owner, modes, password and address; nothing is kept. */
export const runCheck = withPasswords(async ({ context, asking }, [name = '']) => {
  const stored = await loadSealed(storeOf(context.surroundings), name)
  const secret = await openStored(stored, passwordSource(asking))
  wipe(secret.bytes)
  await printDone(context, `the password opens ${name}`, stored, { members: { ok: true } })
})

/** Renames a key. The file's content does not change, so no password is needed. */
export const runRename = withPasswords(async ({ context }, [old = '', name = '']) => {
  requireNotInBook(context, name)
  const store = storeOf(context.surroundings)
  const renamed = await renameKey(store, await loadKey(store, old), name)
  const { config, out } = context
  const isDefault = config.values.from === old
  if (isDefault) out.note(`from is still ${old}, which is no longer a key`)
  await printDone(context, `${old} is called ${name} now`, renamed, {
    members: { renamed_from: old },
    ...(isDefault && { next: `swap keys use ${name}` }),
  })
})

/** Makes a key the default signer: sets `from` in the user's `.swaprc`. */
export const runUse = withPasswords(async ({ context, flags }, [name = '']) => {
  if (name !== DEMO.name) await loadKey(storeOf(context.surroundings), name)
  await setConfig(context, ['from', name], flags)
})

/** Encrypts a key file again, with another password or with the current cost and a fresh salt. */
export const runReencrypt = withPasswords(async ({ context, flags, asking }, [name = '']) => {
  const n = costOf(flags['scryptCost'])
  const stored = await loadSealed(storeOf(context.surroundings), name)
  const secret = await openStored(stored, passwordSource(asking))
  try {
    const password = await newPassword(asking, 'New password (12 characters or more):')
    try {
      const resealed = await resealKey(stored, secret, password, n)
      await printDone(context, `encrypted ${name} again`, resealed, {
        next: 'destroy copies of the old file: the old password still opens them',
      })
    } finally {
      wipe(password)
    }
  } finally {
    wipe(secret.bytes)
  }
})

function costOf(given: FlagValues[string]): number {
  if (given === undefined) return COST.n
  if (['17', '18', '19', '20'].includes(String(given))) return 2 ** Number(given)
  throw invalidRequest('--scrypt-cost is a whole number from 17 to 20', '', {
    why: 'it is a power of two: 17 takes 128 MiB, 20 takes 1 GiB and eight times as long',
    hint: 'leave it out, or write --scrypt-cost 18',
  })
}

/** Removes a key file, after stating what would be lost. */
export const runDelete = withPasswords(async (call, [name = '']) => {
  const { context } = call
  const stored = await loadKey(storeOf(context.surroundings), name)
  await warnBeforeDelete(context, stored)
  await confirmName(call, name, 'delete its key file')
  await removeKey(stored)
  const { config, form, out } = context
  if (config.values.from === name)
    out.note(`from is still ${name}, which is no longer a key: swap config unset from`)
  if (form.kind !== 'human' || form.quiet > 0)
    return printDone(context, '', stored, { members: { deleted: true } })
  return out.result(sentence(`deleted ${name}, the key of ${stored.document.address}`, out.style))
})

async function warnBeforeDelete(context: Context, { name, document }: StoredKey): Promise<void> {
  const { out } = context
  const where =
    'signer' in document ? `its secret stays with ${document.signer}` : backups[document.backup]
  out.note(`${name} is ${document.address}; ${where}`)
  const worth = await holdings(context, document.address, document.prefix)
  if (worth !== undefined) out.note(worth)
}

const backups = {
  checked: 'three of its words were typed back when it was made, so they should be written down',
  written:
    'its words were written to a file when it was made; whether the file still exists was not checked',
  imported: 'it was imported; no copy of it was ever checked here',
} as const

/** The balance of the account, if known. An unreachable node does not prevent the removal. */
async function holdings(
  { app, config }: Context,
  address: string,
  prefix: string,
): Promise<string | undefined> {
  const { network } = config
  if (prefix !== network.prefix)
    return `what it holds is not known: it is not a key of ${network.name}; ask with -n <network>`
  try {
    const held = await balances(app, address)
    const count = held.balances.length
    if (count === 0) return undefined
    const dollars = formatDollarsAndCents(held.total_usd, { tty: true })
    const worth = held.total_usd === null ? '' : `, worth about ${dollars}`
    return `it still holds ${counted(count, 'coin')} on ${network.name}${worth}`
  } catch {
    return `what it holds on ${network.name} could not be read`
  }
}

import { counted } from '../../../engine/math/counted.js'
import { balances } from '../../../operations/account/balances.js'
import { sentence } from '../../../render/layout.js'
import { removeKey } from '../../../wallet/make.js'
import { loadKey, type StoredKey } from '../../../wallet/store/keys.js'
import { storeOf } from '../../accounts/key-store.js'
import type { Context } from '../../command.js'
import { keyInfoOf, printDone } from './key-info.js'
import { confirmName, type KeysRun } from './run.js'

/** Removes a key file, after saying what would be lost with it. */
export const runDelete: KeysRun = async (context, [name = ''], flags, asking) => {
  const stored = await loadKey(storeOf(context.surroundings), name)
  await warnBeforeDelete(context, stored)
  await confirmName(name, 'delete its key file', flags, asking)
  await removeKey(stored)
  await printDeleted(context, stored)
}

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
  written: 'its words were written to a file when it was made; no one checked that it is kept',
  imported: 'it was imported; no copy of it was ever checked here',
} as const

/** The balance of the account, if known. An unreachable node does not prevent deleting. */
async function holdings(
  { app, config }: Context,
  address: string,
  prefix: string,
): Promise<string | undefined> {
  const { network } = config
  if (prefix !== network.prefix)
    return `what it holds is not known: it is no key of ${network.name}; ask with -n <network>`
  try {
    const held = await balances(app, address)
    const count = held.balances.length
    if (count === 0) return undefined
    const worth = held.total_usd === null ? '' : `, worth about $${held.total_usd}`
    return `it still holds ${counted(count, 'coin')} on ${network.name}${worth}`
  } catch {
    return `what it holds on ${network.name} could not be read`
  }
}

async function printDeleted(context: Context, stored: StoredKey): Promise<void> {
  const answer = keyInfoOf(context, stored)
  const { form, out } = context
  if (form.kind === 'json' || form.quiet > 0)
    return printDone(context, '', answer, { members: { deleted: true } })
  return out.result(sentence(`deleted ${stored.name}, the key of ${answer.address}`, out.style))
}

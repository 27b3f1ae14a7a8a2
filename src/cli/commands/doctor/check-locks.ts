import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SwapError } from '../../../engine/errors.js'
import { lockAccount } from '../../../execution/journal/lock.js'
import type { Check } from '../../../operations/doctor/doctor-answer.js'
import { check } from '../../../operations/doctor/doctor-port.js'
import { isAbandoned, readLock } from '../../../platform/lock-file.js'
import type { ProcessIdentity } from '../../../platform/process-identity.js'
import type { Context } from '../../command.js'
import { stateFolder } from '../../quotes/quote-store.js'

/** A lock of an account, and the process that holds it or left it behind. */
type Found = {
  readonly chainId: string
  readonly address: string
  readonly holder: ProcessIdentity | undefined
  readonly alive: boolean
}

/** Checks the locks of accounts. A stale lock blocks nothing: the next execution takes it over. */
export async function lockChecks(context: Context): Promise<readonly Check[]> {
  const found = locksIn(context)
  const data = { held: found.filter(({ alive }) => alive).length, locks: found.length }
  const checks = found.map(({ address, holder, alive }) => {
    const who = holder === undefined ? 'an unknown process' : `process ${holder.pid}`
    return alive
      ? check('locks', 'ok', `${who} executes with ${address}`, { data })
      : check('locks', 'note', `${who} has ended and left the lock of ${address} behind`, {
          why: 'it was killed; the next execution takes the lock over',
          do: 'swap doctor --fix',
          data,
        })
  })
  return checks.length > 0 ? checks : [check('locks', 'ok', 'no account is held', { data })]
}

/** Takes over stale locks, as an execution does, and releases them. */
export async function fixLocks(context: Context): Promise<void> {
  const folder = folderOf(context)
  if (folder === undefined) return
  for (const { chainId, address } of locksIn(context).filter(({ alive }) => !alive)) {
    try {
      const lock = await lockAccount(folder, { chainId, address }, 0)
      lock.release()
      context.out.note(`put right: the lock of ${address} is free`)
    } catch (error) {
      // Another process has taken it meanwhile: there is nothing to repair.
      if (!(error instanceof SwapError && error.code === 'BUSY')) throw error
    }
  }
}

const folderOf = ({ surroundings }: Context): string | undefined => {
  const state = stateFolder(surroundings)
  return state && join(state, 'locks')
}

function locksIn(context: Context): readonly Found[] {
  const folder = folderOf(context)
  return (folder === undefined ? [] : namesIn(folder)).flatMap((name) => {
    const [, chainId, address] = /^(.+)\.([a-z]+1[a-z0-9]+)\.lock$/.exec(name) ?? []
    if (folder === undefined || chainId === undefined || address === undefined) return []
    return found(join(folder, name), { chainId, address })
  })
}

function found(
  path: string,
  owner: { readonly chainId: string; readonly address: string },
): readonly Found[] {
  const file = readLock(path)
  // The lock was released meanwhile.
  if (file === undefined) return []
  const { holder } = file
  return [{ ...owner, holder, alive: holder !== undefined && !isAbandoned(file) }]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

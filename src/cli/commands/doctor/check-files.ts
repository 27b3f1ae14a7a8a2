import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { shownPath } from '../../../config/load.js'
import { errorCode, SwapError } from '../../../engine/errors.js'
import { lockNamed } from '../../../execution/journal/lock.js'
import type { Check } from '../../../operations/doctor/doctor-documents.js'
import { check } from '../../../operations/doctor/doctor-port.js'
import { attempt } from '../../../platform/attempt.js'
import { hasModes, pathForOthers } from '../../../platform/file-owner.js'
import { regularText } from '../../../platform/file-stream.js'
import { isAbandoned, readLock } from '../../../platform/lock-file.js'
import {
  cacheFolder,
  keysFolder,
  stateFolder,
  stateFolders,
} from '../../../platform/user-folders.js'
import type { Context } from '../../command.js'

/** Checks whether files can be written, and which other users can access them. */
export async function fileChecks(context: Context): Promise<readonly Check[]> {
  const { surroundings } = context
  const folders = foldersOf(context)
  if (folders.length === 0) {
    const message = 'there is no home folder, so nothing is kept and nothing is executed'
    return [check('files', 'note', message, { do: 'say where: SWAP_HOME=/some/folder' })]
  }
  const faults = [
    ...folders.flatMap((folder) => unwritable(folder, surroundings.home)),
    ...journalForOthers(context),
    ...(hasModes ? openFiles(context).map(({ found }) => found) : []),
    ...brokenCaches(context).map((path) =>
      check('files', 'note', `${shownPath(path, surroundings.home)} cannot be read`, {
        why: 'it is a copy of names for completion, which does without it',
        do: 'swap doctor --fix',
      }),
    ),
  ]
  if (faults.length > 0) return faults
  const shown = folders.map(({ folder }) => shownPath(folder, surroundings.home))
  return [check('files', 'ok', `${[...new Set(shown)].join(', ')} can be written`)]
}

/** Repairs the modes of configuration files, and removes broken copies. */
export async function fixFiles(context: Context): Promise<void> {
  const { out, surroundings } = context
  const shown = (path: string) => shownPath(path, surroundings.home)
  for (const { path, mode } of hasModes ? openFiles(context) : []) {
    chmodSync(path, mode)
    out.note(`put right: chmod ${mode.toString(8)} ${shown(path)}`)
  }
  for (const path of brokenCaches(context)) {
    rmSync(path, { force: true })
    out.note(`put right: removed ${shown(path)}`)
  }
}

type Folder = { readonly folder: string; readonly holds: string }

function foldersOf({ surroundings }: Context): readonly Folder[] {
  const named = [
    [stateFolder(surroundings), 'quotes, the journal and the demo chain'],
    [keysFolder(surroundings), 'key files'],
    [cacheFolder(surroundings), 'names for completion and compiled code'],
  ] as const
  return named.flatMap(([folder, holds]) => (folder === undefined ? [] : [{ folder, holds }]))
}

function unwritable({ folder, holds }: Folder, home: string | undefined): readonly Check[] {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const shown = shownPath(place, home)
  const cannot = (why: string, mend: string) => [
    check('files', 'fail', `${shownPath(folder, home)} cannot be used for ${holds}`, {
      why,
      do: `${mend}; or keep everything elsewhere: SWAP_HOME=/some/folder`,
    }),
  ]
  try {
    accessSync(place, constants.W_OK)
    if (statSync(place).isDirectory()) return []
  } catch (error) {
    const code = errorCode(error) ?? String(error)
    return cannot(`${shown} cannot be written (${code})`, `chmod u+w ${shown}`)
  }
  return cannot(`${shown} is not a folder`, `move ${shown} away`)
}

/** Whether others can change the folder of the journal and of the locks. */
function journalForOthers({ surroundings }: Context): readonly Check[] {
  const folder = stateFolder(surroundings)
  const path = folder && pathForOthers(folder)
  if (path === undefined) return []
  const shown = shownPath(path, surroundings.home)
  return [
    check('files', 'note', `${shown} can be changed by other users`, {
      why: 'it holds the journal and the limits, without which a quote could be executed twice',
      do: `chmod go-w ${shown}; or keep everything elsewhere: SWAP_HOME=/some/folder`,
    }),
  ]
}

/** A file with too permissive a mode, and the mode that it should have. */
type OpenFile = { readonly path: string; readonly mode: number; readonly found: Check }

function openFiles({ config, surroundings }: Context): readonly OpenFile[] {
  const own = config.rows.filter(({ origin, file }) => origin === 'user' && file !== null)
  return [...new Set(own.map(({ file }) => file!))].flatMap((path) => {
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    const shown = shownPath(path, surroundings.home)
    const fault = (status: 'fail' | 'note', right: number, message: string, why: string) => ({
      path,
      mode: right,
      found: check('files', status, `${shown} ${message}`, {
        why,
        do: `chmod ${right.toString(8)} ${shown}; or: swap doctor --fix`,
      }),
    })
    const isSecret = own.some((row) => row.file === path && row.value?.includes('***') === true)
    if ((mode & 0o022) !== 0)
      return fault(
        'fail',
        isSecret ? 0o600 : mode & ~0o022,
        'can be changed by others',
        'they could name nodes, contracts and limits of theirs',
      )
    if (isSecret && (mode & 0o044) !== 0)
      return fault(
        'note',
        0o600,
        'can be read by others',
        'it holds nodes with a password or a key in their URL',
      )
    return []
  })
}

/** Cache files of names that are not JSON, after a full disk or a write by another program. */
function brokenCaches({ surroundings }: Context): readonly string[] {
  const folder = cacheFolder(surroundings)
  if (folder === undefined) return []
  // A folder that cannot be read is found by the check that it can be written.
  return (attempt(() => readdirSync(folder)) ?? [])
    .filter((name) => /^names-.*\.json$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => attempt(() => JSON.parse(regularText(path))) === undefined)
}

/** Checks the locks of accounts and plans. A stale lock blocks nothing: the next execution takes it over. */
export async function lockChecks(context: Context): Promise<readonly Check[]> {
  const found = locksIn(context)
  const data = { held: found.filter(({ alive }) => alive).length, locks: found.length }
  const checks = found.map(({ held, holder, alive }) => {
    const who = holder === undefined ? 'an unknown process' : `process ${holder.pid}`
    return alive
      ? check('locks', 'ok', `${who} has the lock of ${held}`, { data })
      : check('locks', 'note', `${who} has ended and left the lock of ${held} behind`, {
          why: 'it was killed; the next execution takes the lock over',
          do: 'swap doctor --fix',
          data,
        })
  })
  return checks.length > 0
    ? checks
    : [check('locks', 'ok', 'no account and no plan is held', { data })]
}

/** Takes over stale locks, as an execution does, and releases them. */
export async function fixLocks(context: Context): Promise<void> {
  const folder = folderOf(context)
  for (const { chainId, held } of locksIn(context).filter(({ alive }) => !alive)) {
    try {
      const busy = 'another process has the lock'
      const lock = await lockNamed(folder, [chainId, held], { waitMs: 0, busy })
      lock.release()
      context.out.note(`put right: the lock of ${held} is free`)
    } catch (error) {
      // Another process has acquired it meanwhile: there is nothing to repair.
      if (!(error instanceof SwapError && error.code === 'BUSY')) throw error
    }
  }
}

/** The folder of the locks; an empty name, under which nothing is found, without a home folder. */
const folderOf = ({ surroundings }: Context): string => stateFolders(surroundings)?.locks ?? ''

/** The locks of accounts, by address, and of plans, by id, each with the process that holds it or left it behind. */
function locksIn(context: Context) {
  const folder = folderOf(context)
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((name) => {
    const [, chainId, held] = /^(.+)\.([a-z]+1[a-z0-9]+|p_[\da-f]{8})\.lock$/.exec(name) ?? []
    if (chainId === undefined || held === undefined) return []
    const file = readLock(join(folder, name))
    // The lock was released meanwhile.
    if (file === undefined) return []
    const { holder } = file
    return [{ chainId, held, holder, alive: holder !== undefined && !isAbandoned(file) }]
  })
}

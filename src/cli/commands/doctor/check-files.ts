import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { shownPath } from '../../../config/load.js'
import type { Check } from '../../../operations/doctor/doctor-answer.js'
import { check } from '../../../operations/doctor/doctor-port.js'
import { cacheFolder } from '../../../platform/cache-folder.js'
import { hasModes, keysFolder } from '../../../wallet/store/folder.js'
import type { Context } from '../../command.js'
import { stateFolder } from '../../quotes/quote-store.js'

/** Checks whether files can be written, and which other users can access them. */
export async function fileChecks(context: Context): Promise<readonly Check[]> {
  const { surroundings } = context
  const folders = foldersOf(context)
  if (folders.length === 0)
    return [
      check(
        'files',
        'note',
        'there is no home folder, so nothing is kept and nothing is executed',
        {
          do: 'say where: SWAP_HOME=/some/folder',
        },
      ),
    ]
  const faults = [
    ...folders.flatMap(({ folder, holds }) => unwritable(folder, holds, surroundings.home)),
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
  const { env, home } = surroundings
  const named = [
    [stateFolder(surroundings), 'quotes, the journal and the demo chain'],
    [keysFolder(env, home), 'key files'],
    [cacheFolder(surroundings), 'names for completion'],
  ] as const
  return named.flatMap(([folder, holds]) => (folder === undefined ? [] : [{ folder, holds }]))
}

function unwritable(folder: string, holds: string, home: string | undefined): readonly Check[] {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const shown = shownPath(place, home)
  try {
    accessSync(place, constants.W_OK)
    if (statSync(place).isDirectory()) return []
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return [
      cannot(folder, `${shown} cannot be written (${code})`, `chmod u+w ${shown}`, holds, home),
    ]
  }
  return [cannot(folder, `${shown} is not a folder`, `move ${shown} away`, holds, home)]
}

const cannot = (
  folder: string,
  why: string,
  mend: string,
  holds: string,
  home: string | undefined,
): Check =>
  check('files', 'fail', `${shownPath(folder, home)} cannot be used for ${holds}`, {
    why,
    do: `${mend}; or keep everything elsewhere: SWAP_HOME=/some/folder`,
  })

/** A file that others may do more with than they should, and the mode that it should have. */
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

/** Stored names that are not JSON: the disk was full, or another program wrote the file. */
function brokenCaches({ surroundings }: Context): readonly string[] {
  const folder = cacheFolder(surroundings)
  if (folder === undefined || !existsSync(folder) || !statSync(folder).isDirectory()) return []
  return readdirSync(folder)
    .filter((name) => /^names-.*\.json$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => {
      try {
        JSON.parse(readFileSync(path, 'utf8'))
        return false
      } catch {
        return true
      }
    })
}

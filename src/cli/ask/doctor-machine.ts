import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, check } from '../../app/chain/check.js'
import { history, isTop } from '../../app/history/history.js'
import { shownPath } from '../../config.js'
import { SwapError } from '../../errors.js'
import { journalIn } from '../../journal/journal.js'
import { hasModes, keysFolder } from '../../wallet/store/folder.js'
import { listKeys, pathOfKey } from '../../wallet/store/keys.js'
import type { Context } from '../command.js'
import { isMarked, placeOf, shellIn } from '../completion/places.js'
import type { MachineCheck } from '../machine-checks.js'
import { stateFolder } from '../quote-store.js'

/** Where the service listens unless it is told otherwise. */
const SERVER = 'http://127.0.0.1:8555'

/** Milliseconds that a server on this machine may take. */
const PATIENCE_MS = 500

/** Makes one check. What cannot be looked at is a failed check, not an end. */
export async function machineCheck(
  name: MachineCheck,
  context: Context,
): Promise<readonly Check[]> {
  try {
    return await looks[name](context)
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    return [failed(name, error)]
  }
}

const looks: Readonly<Record<MachineCheck, (context: Context) => Promise<readonly Check[]>>> = {
  keys: keyChecks,
  journal: async (context) => [journalCheck(context)],
  database: async (context) => [await databaseCheck(context)],
  server: async () => [await serverCheck()],
  completion: async (context) => [completionCheck(context)],
}

const failed = (name: MachineCheck, { message, why, hint, code }: SwapError): Check =>
  check(name, 'fail', message, { why: why ?? null, do: hint ?? null, data: { code } })

async function keyChecks({ surroundings }: Context): Promise<readonly Check[]> {
  const { env, home } = surroundings
  const folder = keysFolder(env, home)
  if (folder === undefined || !existsSync(folder))
    return [check('keys', 'skip', 'none of your own; the demo has one: --from demo')]
  const { keys, broken } = await listKeys({ folder, home })
  const count = keys.length === 1 ? '1 key file' : `${keys.length} key files`
  const modes = hasModes ? ', each for its owner alone' : ''
  const data = { keys: keys.length, broken: broken.length }
  return [
    check('keys', 'ok', `${count} in ${shownPath(folder, home)}${modes}`, { data }),
    ...broken.map(({ error }) => failed('keys', error)),
  ]
}

/** The safe part of what can be put right: key files and their folder become their owner's alone. */
export async function fixKeys({ surroundings, out }: Context): Promise<void> {
  const { env, home } = surroundings
  const folder = keysFolder(env, home)
  if (!hasModes || folder === undefined || !existsSync(folder)) return
  chmodSync(folder, 0o700)
  const { broken } = await listKeys({ folder, home })
  for (const { name, error } of broken) {
    if (error.code !== 'KEYFILE_PERMISSIONS') continue
    const path = pathOfKey({ folder, home }, name)
    chmodSync(path, 0o600)
    out.note(`put right: chmod 600 ${shownPath(path, home)}`)
  }
}

function journalCheck({ surroundings }: Context): Check {
  const state = stateFolder(surroundings)
  const open = state === undefined ? [] : journalIn(join(state, 'journal')).open()
  const data = { unfinished: open.length }
  const [first] = open
  if (first === undefined) return check('journal', 'ok', 'nothing unfinished', { data })
  const count = open.length === 1 ? '1 execution is' : `${open.length} executions are`
  return check('journal', 'fail', `${count} unfinished, the first ${first.id}`, {
    why: 'it was signed, and perhaps sent, and its end is not known',
    do: 'swap resume',
    data,
  })
}

async function databaseCheck(context: Context): Promise<Check> {
  if (context.config.values.snapshot !== undefined)
    return check('database', 'skip', 'a saved market has no history')
  const access = await context.history()
  try {
    const answer = await history(access, { limit: 1 })
    const height = isTop(answer) ? null : answer.indexed_height
    const total = isTop(answer) ? 0 : answer.total
    const data = { indexed_height: height, legs: total }
    return height === null
      ? check('database', 'skip', 'nothing is indexed; swap history --sync begins', { data })
      : check('database', 'ok', `${total} legs up to block ${height}`, { data })
  } finally {
    await access.close()
  }
}

async function serverCheck(): Promise<Check> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(`${SERVER}/version`, { signal })
    const { version } = (await answer.json()) as { readonly version?: unknown }
    if (typeof version === 'string')
      return check('server', 'ok', `swap ${version} serves at ${SERVER}`, { data: { version } })
    return check('server', 'note', `something else answers at ${SERVER}`, {
      do: 'take another port: swap serve --listen 127.0.0.1:8556',
    })
  } catch {
    return check('server', 'skip', `not running (nothing answers at ${SERVER})`)
  }
}

function completionCheck({ surroundings }: Context): Check {
  const shell = shellIn(surroundings)
  const place = shell && placeOf(shell, surroundings)
  if (shell === undefined || place === undefined)
    return check('completion', 'skip', 'it cannot be seen which shell you use')
  const text = existsSync(place.file) ? readFileSync(place.file, 'utf8') : ''
  const isThere = place.kind === 'file' ? text !== '' : text.split('\n').some(isMarked)
  const data = { shell, installed: isThere }
  if (!isThere)
    return check('completion', 'skip', `not installed for ${shell}: swap completion install`, {
      data,
    })
  if (place.kind === 'file' && text !== place.text)
    return check('completion', 'note', `of another version, for ${shell}`, {
      do: 'swap completion install',
      data,
    })
  return check('completion', 'ok', `installed for ${shell}`, { data })
}

import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { shownPath } from '../../../config/load.js'
import { SwapError } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { journalIn } from '../../../execution/journal/journal.js'
import type { Reading } from '../../../mcp/reading-tools.js'
import type { Check } from '../../../operations/doctor/doctor-documents.js'
import { check } from '../../../operations/doctor/doctor-port.js'
import { attempt } from '../../../platform/attempt.js'
import { hasModes } from '../../../platform/file-owner.js'
import { type JsonObject, recordOf } from '../../../platform/json-object.js'
import { shellWord } from '../../../platform/shell-word.js'
import { keysFolder, stateFolders } from '../../../platform/user-folders.js'
import { listKeys, pathOfKey } from '../../../wallet/store/keys.js'
import type { Context } from '../../command.js'
import { isMarked, placeOf, shellIn } from '../../completion/scripts.js'
import { DEFAULT_LISTEN } from '../../flags/command-flags.js'
import { fileChecks, fixFiles, fixLocks, lockChecks } from './check-files.js'
import type { MachineCheck } from './check-names.js'

const SERVER = `http://${DEFAULT_LISTEN}`

/** Time limit of a server on this machine, in milliseconds. */
const PATIENCE_MS = 2_000

/** Makes one check. An error is reported as a failed check. */
export async function machineCheck(
  name: MachineCheck,
  context: Context,
): Promise<readonly Check[]> {
  try {
    return await looks[name](context)
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    return [failedCheck(name, error)]
  }
}

const looks: Readonly<Record<MachineCheck, (context: Context) => Promise<readonly Check[]>>> = {
  files: fileChecks,
  keys: keyChecks,
  locks: lockChecks,
  journal: async (context) => [journalCheck(context)],
  database: databaseChecks,
  server: async () => [await serverCheck()],
  mcp: async (context) => [await mcpCheck(context)],
  completion: async (context) => [completionCheck(context)],
}

const failedCheck = (name: MachineCheck, { message, why, hint, code }: SwapError): Check =>
  check(name, 'fail', message, { why: why ?? null, do: hint ?? null, data: { code } })

async function keyChecks({ surroundings }: Context): Promise<readonly Check[]> {
  const { home } = surroundings
  const folder = keysFolder(surroundings)
  if (folder === undefined || !existsSync(folder))
    return [check('keys', 'skip', 'none of your own; the demo has one: --from demo')]
  const { keys, broken } = await listKeys({ folder, home })
  const modes = hasModes ? ', each for its owner alone' : ''
  const data = { keys: keys.length, broken: broken.length }
  const found = `${counted(keys.length, 'key file')} in ${shownPath(folder, home)}${modes}`
  return [
    check('keys', 'ok', found, { data }),
    ...broken.map(({ error }) => failedCheck('keys', error)),
  ]
}

/** Safe repairs by check. Each one prints a note of its changes. */
export const repairs: {
  readonly [Name in MachineCheck]?: (context: Context) => Promise<void>
} = { files: fixFiles, keys: fixKeys, locks: fixLocks }

/** Restricts key files and their folder to their owner. */
async function fixKeys({ surroundings, out }: Context): Promise<void> {
  const { home } = surroundings
  const folder = keysFolder(surroundings)
  if (!hasModes || folder === undefined || !existsSync(folder)) return
  if ((statSync(folder).mode & 0o777) !== 0o700) {
    chmodSync(folder, 0o700)
    out.note(`put right: chmod 700 ${shownPath(folder, home)}`)
  }
  const { broken } = await listKeys({ folder, home })
  for (const { name, error } of broken) {
    if (error.code !== 'KEYFILE_PERMISSIONS') continue
    const path = pathOfKey({ folder, home }, name)
    chmodSync(path, 0o600)
    out.note(`put right: chmod 600 ${shownPath(path, home)}`)
  }
}

function journalCheck({ surroundings, config }: Context): Check {
  const folder = stateFolders(surroundings)?.journal
  const open = folder === undefined ? [] : journalIn(folder).open()
  const data = { unfinished: open.length }
  const [first] = open
  if (first === undefined) return check('journal', 'ok', 'nothing unfinished', { data })
  const count = counted(open.length, 'execution')
  const isHere = first.chain_id === config.network.chainId
  return check('journal', 'fail', `${count} unfinished, the first ${first.id}`, {
    why: 'it was signed, and perhaps sent, and its end is not known',
    do: isHere ? 'swap tx resume' : `swap -n ${shellWord(first.network)} tx resume`,
    data,
  })
}

async function databaseChecks(context: Context): Promise<readonly Check[]> {
  if (context.fault !== undefined)
    return [check('database', 'skip', 'not looked at: the configuration says where it is')]
  if (context.config.values.snapshot !== undefined)
    return [check('database', 'skip', 'a saved market has no history')]
  const access = await context.history()
  try {
    const standing = await access.status()
    if (standing?.indexed === undefined)
      return [check('database', 'skip', 'nothing is indexed; swap history --sync begins')]
    const { indexed, legs, quarantined, pruned, missing, current } = standing
    const data = { indexed_height: indexed.height, legs, quarantined, missing }
    const mismatch = await access.mismatch()
    if (mismatch !== undefined) {
      const facts = { why: mismatch.why ?? '', do: 'swap history --reindex', data }
      return [check('database', 'fail', mismatch.message, facts)]
    }
    const note = (message: string, why: string, flags: string) =>
      check('database', 'note', message, { why, do: `swap history ${flags}` })
    const faults = [
      !current &&
        note(
          'made by another version, or for another router',
          'the rows would differ',
          '--reindex',
        ),
      missing > 0 && note(counted(missing, 'missing block'), 'indexing was ended early', '--sync'),
      ...pruned.map(({ from, to }) => {
        const message =
          from === to ? `block ${from} is missing` : `blocks ${from} to ${to} are missing`
        return note(message, 'no node that answered gave them', '--sync --rpc <another node>')
      }),
      quarantined > 0 &&
        note(
          `${counted(quarantined, 'event')} of the router kept aside`,
          'they could not be read as swaps',
          '--quarantine',
        ),
    ]
    return [
      check('database', 'ok', `${counted(legs, 'leg')} up to block ${indexed.height}`, { data }),
      ...faults.filter((fault) => fault !== false),
    ]
  } finally {
    await access.close()
  }
}

/** Whether a service listens at this address and quotes, like a container's health check. */
export async function serverCheck(server = SERVER): Promise<Check> {
  try {
    const { version } = await answerOf(`${server}/version`)
    if (typeof version !== 'string')
      return check('server', 'note', `another program uses the port of ${server}`, {
        do: 'take another one: swap serve --listen 127.0.0.1:8556',
      })
    const { ready, reasons } = await answerOf(`${server}/readyz`)
    const data = { version }
    if (ready === true)
      return check('server', 'ok', `swap ${version} serves at ${server}`, { data })
    return check('server', 'fail', `swap ${version} at ${server} is not ready`, {
      why: Array.isArray(reasons) ? reasons.join(', ') : null,
      do: 'see its log, and swap doctor node',
      data,
    })
  } catch (error) {
    if (isRefused(error))
      return check('server', 'skip', `not running (nothing answers at ${server})`)
    if (!(error instanceof Error)) throw error
    return check('server', 'fail', `no answer from ${server} within ${PATIENCE_MS} ms`, {
      why: 'the service hangs, or something else has its port',
      do: 'see its log, or take another port: swap serve --listen 127.0.0.1:8556',
    })
  }
}

/** The document at a URL; empty if another program answers. */
async function answerOf(url: string): Promise<JsonObject> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const answer = await fetch(url, { signal })
  const text = await answer.text()
  return recordOf(attempt(() => JSON.parse(text)))
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED'

function completionCheck({ surroundings }: Context): Check {
  const shell = shellIn(surroundings)
  const place = shell && placeOf(shell, surroundings)
  if (shell === undefined || place === undefined)
    return check('completion', 'skip', 'it cannot be seen which shell you use')
  const text = existsSync(place.file) ? readFileSync(place.file, 'utf8') : ''
  const isThere = place.kind === 'file' ? text !== '' : text.split('\n').some(isMarked)
  const data = { shell, installed: isThere }
  const missing = `not installed for ${shell}: swap completion install`
  if (!isThere) return check('completion', 'skip', missing, { data })
  if (place.kind === 'file' && text !== place.text)
    return check('completion', 'note', `of another version, for ${shell}`, {
      do: 'swap completion install',
      data,
    })
  return check('completion', 'ok', `installed for ${shell}`, { data })
}

/** The tools are only listed: no chain is queried. */
const unasked = () => Promise.reject(new Error('not asked'))
const unread: Reading = { answer: unasked, market: unasked, history: unasked }

/** The tools that `swap mcp` lists, and whether MCP clients find the program in PATH. */
async function mcpCheck({ surroundings: { env } }: Pick<Context, 'surroundings'>): Promise<Check> {
  const [{ readingTools }, { listedTools }] = await Promise.all([
    import('../../../mcp/reading-tools.js'),
    import('../../../mcp/tool-schema.js'),
  ])
  const tools = listedTools(readingTools(unread))
  const bytes = Buffer.byteLength(JSON.stringify({ tools }))
  const names = process.platform === 'win32' ? ['swap.cmd', 'swap.exe'] : ['swap']
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const isFound = folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
  const data = { tools: tools.length, bytes, on_path: isFound }
  const found = `${tools.length} tools for agents in ${(bytes / 1_000).toFixed(1)} kB`
  if (isFound) return check('mcp', 'ok', `${found}; clients: swap mcp --help`, { data })
  return check('mcp', 'skip', `${found}; no client finds swap in PATH`, {
    why: 'clients start it by its name',
    do: 'npm install -g, or give clients the path of the program',
    data,
  })
}

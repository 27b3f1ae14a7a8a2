import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { configuredValue } from '../../../config/configured.js'
import { textWith, textWithout } from '../../../config/edit.js'
import { readConfigText } from '../../../config/file.js'
import { fileLayer, type LayerFile } from '../../../config/layers.js'
import {
  type Config,
  type ConfigSources,
  configFiles,
  loadConfig,
  shownPath,
} from '../../../config/load.js'
import { isAddressShaped } from '../../../config/naming.js'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { prefixOf } from '../../../engine/market/market.js'
import type { Token } from '../../../engine/market/token.js'
import { foldCase } from '../../../operations/suggest.js'
import { linkTarget, remedies, replaceFile } from '../../../platform/atomic-file.js'
import { acquireLock, type FileLock, LockHeld } from '../../../platform/lock-file.js'
import { glyphsOf } from '../../../render/style.js'
import { quote } from '../../../render/width.js'
import { keyAccount } from '../../accounts/named-accounts.js'
import { accountOrAddress } from '../../accounts/resolve-address.js'
import { resolveToken } from '../../arguments/token-names.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { refuseMore } from '../../invalid-request.js'
import { printOutcome } from '../../print-answer.js'
import type { ConfigChange } from './config-answers.js'
import { type Key, keyNamed, sourcesOf, whereOf } from './look.js'

/** Writes a value into the user's file, or with `--project` into the project's; comments stay. */
export const setConfig: Run = async (context, [text = '', value = '', ...more], flags) => {
  const key = keyNamed(text)
  const values = [value, ...more]
  if (key.setting?.many !== true) refuseMore('config set', more)
  const file = await fileOf(context, flags)
  requireProjectMay(context, key, values.join(' '), file)
  const sources = sourcesOf(context, flags)
  await checkValue(context, key, values.join(' '), { asks: flags['check'] !== false, sources })
  await changeFile(file, (before = '') =>
    readable(context, textWith(before, key.path, values.length > 1 ? values : value)),
  )
  return printChange(context, key, file, {
    was: shownBefore(context, key),
    is: shownValue(key, values.join(' ')),
  })
}

/** Removes a value from the file; the value of a lower layer applies again. */
export const unsetConfig: Run = async (context, [text = ''], flags) => {
  const key = keyNamed(text)
  const file = await fileOf(context, flags)
  const without = (text = '') => readable(context, textWithout(text, key.path))
  if ((await without(await presentText(file))) === undefined) {
    context.out.note(`${file.shown} does not set ${key.text}`)
    if (context.form.kind === 'human') return
    return printChange(context, key, file, { was: null, is: null })
  }
  await changeFile(file, without)
  const now = await effectiveText(context, key, flags)
  return printChange(context, key, file, { was: shownBefore(context, key), is: null, now })
}

/** The value of a key after a change, with its origin. @example '0.5% (default)' */
async function effectiveText(context: Context, key: Key, flags: FlagValues): Promise<string> {
  // Another file or a variable may be invalid, as it was before the change.
  const config = await loadConfig(sourcesOf(context, flags)).catch(() => undefined)
  if (config === undefined) return 'removed'
  const row = config.rows.find((each) => each.key === key.text)
  if (row === undefined || row.value === null) return 'nothing'
  return `${row.value} (${whereOf(row, context.surroundings.home) || row.origin})`
}

/** A changed text; a file that is not YAML is reported as such. */
const readable = <Text>({ fault }: Context, changed: Promise<Text>): Promise<Text> =>
  changed.catch((error: unknown) => {
    throw fault ?? error
  })

/** The file to change. @throws SwapError if there is none */
export async function fileOf(context: Context, flags: FlagValues): Promise<LayerFile> {
  const files = configFiles(sourcesOf(context, flags))
  const origin = flags['project'] === true ? 'project' : 'user'
  const file = files.find((each) => each.origin === origin)
  if (file !== undefined) return file
  const isProject = origin === 'project'
  throw invalidRequest(`there is no ${origin} file here`, '', {
    why: isProject
      ? 'in the home folder, and with --config, the one file is yours'
      : 'no home folder is known',
    hint: isProject ? 'leave --project out' : 'name a file: --config <file>',
  })
}

/** Refuses settings that a project file may not have: they would be ignored when read. */
function requireProjectMay({ config }: Context, key: Key, value: string, file: LayerFile): void {
  if (file.origin !== 'project' || key.path[0] === 'alias') return
  const folder = dirname(file.path)
  const { setting } = key
  const below = key.name && configuredValue(config, key.name, ['user', 'default'])
  if (setting?.projectMay(readValue(key, value, folder), below, folder)) return
  throw invalidRequest(`a project may not set ${key.text} to that`, `/${key.text}`, {
    why: "a project's file may come from others, so this setting is ignored there",
    hint: 'set it for yourself: leave --project out',
  })
}

/** Parses the value of a setting. The hint of an error is a call, where that of the reader is a line of a file. */
function readValue({ setting, text }: Key, value: string, folder: string): unknown {
  try {
    return setting?.read(value, { label: text, folder })
  } catch (error) {
    if (!(error instanceof SwapError) || error.hint === undefined) throw error
    throw error.with({ hint: error.hint.replaceAll(`${text}: `, `swap config set ${text} `) })
  }
}

/** The text of the file to change; `undefined` if there is none, in which case it may be created. */
export const presentText = (file: LayerFile): Promise<string | undefined> =>
  readConfigText({ ...file, isAsked: false })

const unwritable = (error: NodeJS.ErrnoException, name: string): SwapError =>
  new SwapError('NOT_READY', `${name} cannot be changed`, {
    why: `the system says ${error.code ?? error.message}`,
    hint:
      remedies[error.code ?? ''] ??
      'see that it is yours and can be written; or name another file: --config <file>',
  })

/**
 * Replaces a file atomically, after validating the new text; a link stays a link. Mode 0600, since node URLs
 * may contain keys. Changes of several processes follow each other.
 *
 * @param edit returns the new text for the present one (`undefined` for no file), or `undefined` for no change
 * @throws SwapError BUSY if another process is changing the file
 */
export async function changeFile(
  file: LayerFile,
  edit: (before: string | undefined) => Promise<string | undefined>,
): Promise<void> {
  const target = linkTarget(file.path)
  let lock: FileLock | undefined
  try {
    await mkdir(dirname(target), { recursive: true })
    lock = await acquireLock(`${target}.lock`, LOCK_MS)
    const text = await edit(await presentText(file))
    if (text === undefined) return
    await fileLayer(file, text)
    const present = statSync(target, { throwIfNoEntry: false })
    replaceFile(target, text, { mode: present === undefined ? 0o600 : present.mode & 0o777 })
  } catch (error) {
    if (error instanceof LockHeld) throw beingChanged(file, error)
    throw error instanceof SwapError
      ? error
      : unwritable(error as NodeJS.ErrnoException, file.shown)
  } finally {
    lock?.release()
  }
}

/** Longest wait for the lock in milliseconds; it is held for one change. */
const LOCK_MS = 2_000

const beingChanged = ({ shown }: LayerFile, { holder, path }: LockHeld): SwapError =>
  new SwapError('BUSY', `${shown} is being changed by process ${holder?.pid ?? 'unknown'}`, {
    why: `only one process at a time may write it (${path})`,
    hint: 'wait for it, then run the command again',
  })

/** The printable text of a value: node URLs without their secrets. */
const shownValue = ({ setting }: Key, value: string): string =>
  setting?.show?.(setting.read(value, { label: '', folder: '/' })) ?? value

const shownBefore = ({ config }: Context, key: Key): string | null =>
  config.rows.find((each) => each.key === key.text)?.value ?? null

async function printChange(
  { out, form, config, surroundings }: Context,
  { text, name }: Key,
  { path, origin }: LayerFile,
  { was, is, now }: Pick<ConfigChange, 'was' | 'is'> & { readonly now?: string },
): Promise<void> {
  const above = config.rows.find((each) => each.key === text)
  const wins = above?.origin === 'env' || (above?.origin === 'project' && origin === 'user')
  if (wins && is !== null)
    out.note(`${above.origin === 'env' ? above.env : 'the project'} goes before it: ${above.value}`)
  if (name === 'network' && is !== null && is !== was && is !== 'demo')
    out.note(
      `from now on every command asks ${is}: real markets, real money; back again: swap config set network demo`,
    )
  const shown = (value: string | null) => value ?? 'nothing'
  const where = shownPath(path, surroundings.home)
  const change: ConfigChange = { key: text, was, is, file: path }
  const line = `${text}: ${shown(was)} ${glyphsOf(out.style).arrow} ${now ?? shown(is)}   ${where}`
  return printOutcome({ form, out }, change, line)
}

/**
 * Parses a value as the configuration will. With `asks` it is also tried: an alias must name a token of the
 * market, a node must be of the network, and an account must be known.
 */
async function checkValue(
  context: Context,
  key: Key,
  value: string,
  { asks, sources }: { readonly asks: boolean; readonly sources: ConfigSources },
): Promise<void> {
  const { cwd } = context.surroundings
  if (key.path[0] === 'book') return checkBookEntry(context, key.path[1]!, value)
  if (key.name === undefined) return asks ? checkAlias(context, key.path[1]!, value) : undefined
  readValue(key, value, cwd)
  // The rest of the configuration is unusable, so the network of the nodes cannot be checked.
  if (context.fault !== undefined) return
  const changed = await loadConfig({ ...sources, flags: { [key.name]: value } })
  if (asks && key.name === 'rpc') await checkNodes(context, changed)
  // A key of another network may be set before the network is.
  if (asks && key.name === 'from') await accountOrAddress(context, value, '/from')
}

/** An address book entry is an address of any network, and its name must not be a key's. */
async function checkBookEntry(context: Context, name: string, address: string): Promise<void> {
  const { addressFault } = await import('../../../operations/address.js')
  const fault = isAddressShaped(address)
    ? addressFault(address, prefixOf(address))
    : 'it does not have the form of an address'
  if (fault !== undefined)
    throw new SwapError('INVALID_ADDRESS', `${quote(address)} cannot be used for book.${name}`, {
      why: fault,
      hint: `write e.g. swap config set book.${name} ${context.config.network.prefix}1...`,
      members: { pointer: `/book/${name}` },
    })
  const key = await keyAccount(context, name)
  if (key === undefined) return
  throw invalidRequest(`${name} is the name of a key already`, `/book/${name}`, {
    why: `the key is ${key.address}, and a name means one account`,
    hint: 'take another name for the entry',
  })
}

/** An alias may choose among the tokens of a symbol, but not give a symbol to another token. */
async function checkAlias({ app, config }: Context, alias: string, target: string): Promise<void> {
  if (target === '') return
  const tokens = [...(await app.openMarket()).market.tokens.values()]
  const { token } = resolveToken(target, tokens, config.aliases, `/alias/${alias}`)
  const shadowed = tokens.filter(({ symbol }) => foldCase(symbol) === alias)
  if (shadowed.length === 0 || shadowed.some(({ denom }) => denom === token.denom)) return
  throw shadows(alias, token)
}

const shadows = (alias: string, token: Token): SwapError =>
  invalidRequest(`alias.${alias} would hide the token ${alias.toUpperCase()}`, `/alias/${alias}`, {
    why: `it would mean ${token.symbol} (${token.denom}), and a symbol must not mean another token`,
    hint: 'take another name for the alias',
  })

/** Every node must answer, and be of the network. */
async function checkNodes(context: Context, changed: Config): Promise<void> {
  const { network } = changed
  const reports = await (await context.doctor(changed)).nodes()
  for (const { endpoint, answer, fault } of reports) {
    if (answer === undefined)
      throw new SwapError('UPSTREAM_ERROR', `${endpoint} does not answer as a node`, {
        why: fault ?? 'it did not say why',
        hint: 'write it all the same: --no-check',
        members: { upstream: endpoint },
      })
    if (answer.chainId !== network.chainId)
      throw new SwapError('UPSTREAM_INVALID_DATA', `${endpoint} is a node of another chain`, {
        why: `it is of ${answer.chainId}, and ${network.name} is ${network.chainId}`,
        hint: 'name the network first: swap config set network <name>; or --no-check',
        members: { upstream: endpoint },
      })
  }
}

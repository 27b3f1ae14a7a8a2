import { realpathSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { textWith, textWithout } from '../../../config/edit.js'
import { fileLayer, type LayerFile } from '../../../config/layers.js'
import { configFiles, shownPath } from '../../../config/load.js'
import { type Setting, settings } from '../../../config/schema.js'
import { SwapError } from '../../../engine/errors.js'
import { refuseMore } from '../../arguments/arguments.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { invalidRequest } from '../../invalid-request.js'
import { checkValue } from './check-value.js'
import { type Key, keyNamed } from './key.js'
import { sourcesOf } from './look.js'

/** Writes a value into the user's file, or with `--project` into the project's; comments stay. */
export const setConfig: Run = async (context, [text = '', value = '', ...more], flags) => {
  const key = keyNamed(text)
  const values = [value, ...more]
  if (!isMany(key)) refuseMore('config set', more)
  const file = await fileOf(context, flags)
  requireProjectMay(context, key, values.join(' '), file)
  const sources = sourcesOf(context, flags)
  await checkValue(context, key, values.join(' '), { asks: flags['check'] !== false, sources })
  const before = await readFile(file.path, 'utf8').catch(absent)
  const set = textWith(before, key.path, values.length > 1 ? values : value)
  await replace(file, await readable(context, set))
  return printChange(context, key, file, {
    was: shownBefore(context, key),
    is: shownValue(key, values.join(' ')),
  })
}

/** Removes a value from the file; what is below it holds again. */
export const unsetConfig: Run = async (context, [text = ''], flags) => {
  const key = keyNamed(text)
  const file = await fileOf(context, flags)
  const before = await readFile(file.path, 'utf8').catch(absent)
  const after = await readable(context, textWithout(before, key.path))
  if (after === undefined) {
    context.out.note(`${file.shown} does not say ${key.text}`)
    return
  }
  await replace(file, after)
  return printChange(context, key, file, { was: shownBefore(context, key), is: null })
}

/** A text that was changed; where the file is no YAML, that is what is wrong. */
const readable = <Text>({ fault }: Context, changed: Promise<Text>): Promise<Text> =>
  changed.catch((error: unknown) => {
    throw fault ?? error
  })

const isMany = ({ name }: Key): boolean => {
  const row: Setting<unknown> | undefined = name && settings[name]
  return row?.many === true
}

/** The file that is changed. @throws SwapError where there is none */
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
    hint: isProject ? 'leave --project out' : 'name a file: --config FILE',
    detail: `no ${origin} file`,
  })
}

/** What a project may not say would be ignored when it is read; so it is not written either. */
function requireProjectMay({ config }: Context, key: Key, value: string, file: LayerFile): void {
  if (file.origin !== 'project' || key.path[0] === 'alias') return
  const folder = dirname(file.path)
  const setting: Setting<unknown> | undefined = key.name && settings[key.name]
  const below = key.name && config.values[key.name]
  if (setting?.projectMay(setting.read(value, { label: key.text, folder }), below, folder)) return
  throw invalidRequest(`a project may not set ${key.text} to that`, `/${key.text}`, {
    why: "a project's file may come from others, so this setting is ignored there",
    hint: 'set it for yourself: leave --project out',
    detail: 'not allowed in a project',
  })
}

export const absent = (error: NodeJS.ErrnoException): string => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
  throw unwritable(error)
}

const unwritable = (error: NodeJS.ErrnoException): SwapError =>
  invalidRequest('the file cannot be changed', '', {
    why: `${error.code ?? error.message}`,
    hint: 'see which files are read: swap config path',
    detail: 'cannot be changed',
  })

/**
 * Puts a new text in place of a file at once, read first as it will be read; a link stays a link. Only
 * its owner may read it: it may hold nodes with keys in their URLs.
 */
export async function replace(file: LayerFile, text: string): Promise<void> {
  const target = real(file.path)
  const draft = `${target}.${process.pid}.tmp`
  try {
    await mkdir(dirname(target), { recursive: true })
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    await fileLayer({ ...file, path: draft, isAsked: true })
    const mode = await stat(target).then(
      (info) => info.mode,
      () => 0o600,
    )
    await chmod(draft, mode & 0o777)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error instanceof SwapError ? error : unwritable(error as NodeJS.ErrnoException)
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The text that may be printed: of nodes without their secrets. */
function shownValue({ name }: Key, value: string): string {
  const row: Setting<unknown> | undefined = name && settings[name]
  return row?.show?.(row.read(value, { label: '', folder: '/' })) ?? value
}

const shownBefore = ({ config }: Context, key: Key): string | null =>
  config.rows.find((each) => each.key === key.text)?.value ?? null

async function printChange(
  { out, form, config, surroundings }: Context,
  { text, name }: Key,
  { path, origin }: LayerFile,
  { was, is }: { readonly was: string | null; readonly is: string | null },
): Promise<void> {
  const above = config.rows.find((each) => each.key === text)
  const wins = above?.origin === 'env' || (above?.origin === 'project' && origin === 'user')
  if (wins && is !== null)
    out.note(`${above.origin === 'env' ? above.env : 'the project'} goes before it: ${above.value}`)
  if (name === 'network' && is !== null && is !== was && is !== 'demo')
    out.note(
      `from now on every command asks ${is}: real markets, real money; back again: swap config set network demo`,
    )
  if (form.quiet > 0) return
  if (form.kind === 'json') return out.result(JSON.stringify({ key: text, was, is, file: path }))
  const shown = (value: string | null) => value ?? 'nothing'
  const where = shownPath(path, surroundings.home)
  return out.result(
    `${text}: ${shown(was)} ${out.style.ascii ? '->' : '→'} ${is === null ? 'as before this file' : shown(is)}   ${where}`,
  )
}

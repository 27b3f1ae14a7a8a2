import { existsSync } from 'node:fs'
import { type ConfigSources, configFiles, shownPath } from '../../../config/load.js'
import { counted } from '../../../render/amount.js'
import { padEnd } from '../../../render/width.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { textOf } from '../../flags/checked-flag.js'
import { printAnswer } from '../../print-answer.js'
import { keyNamed } from './key.js'
import { rowDocument, whereOf } from './list.js'

/** Prints the effective value; nothing if it is not set. */
export async function getConfig(context: Context, [text = '']: readonly string[]): Promise<void> {
  const { rows } = context.config
  const key = keyNamed(text)
  const row = rows.find((each) => each.key === key.text)
  const document = row && rowDocument(row)
  const value = () => row?.value ?? ''
  return printAnswer(context, document ?? { key: key.text, value: null, origin: 'default' }, {
    quiet: value,
    human: value,
  })
}

/** Prints which files are read. */
export const pathConfig: Run = async (context, _args, flags) => {
  const { out, surroundings } = context
  const files = configFiles(sourcesOf(context, flags)).map(({ path, origin }) => ({
    origin,
    path,
    exists: existsSync(path),
  }))
  const isPlain = !out.style.tty
  const rows = files.map(({ origin, path, exists }) =>
    isPlain
      ? [origin, path, exists ? 'yes' : 'no'].join('\t')
      : `  ${padEnd(origin, 8)} ${shownPath(path, surroundings.home)}${exists ? '' : '   (not there)'}`,
  )
  return printAnswer(
    context,
    { files },
    {
      quiet: () => files[0]?.path ?? '',
      human: () => rows.join('\n'),
    },
  )
}

/** Reads everything that is configured, which throws where something cannot be used. */
export const checkConfig: Run = async (context, _args, flags) => {
  const { config, out, form, surroundings } = context
  const files = configFiles(sourcesOf(context, flags))
    .map(({ path }) => path)
    .filter((path) => existsSync(path))
  const said = config.rows.filter(({ origin }) => origin !== 'default')
  if (form.quiet > 0) return
  if (form.kind === 'json')
    return out.result(
      JSON.stringify({
        files,
        settings: said.length,
        notes: config.notes,
        ignored: config.ignored,
      }),
    )
  const names = files.map((path) => shownPath(path, surroundings.home)).join(', ') || 'no file'
  const places = said.map(
    (row) => `  ${row.key} = ${row.value ?? ''}   ${whereOf(row, surroundings.home) || row.origin}`,
  )
  const notes = counted(config.notes.length, 'note')
  return out.result([`${names}: can be used, ${notes}`, ...places].join('\n'))
}

/** Where the configuration of this run was looked for. */
export const sourcesOf = ({ surroundings }: Context, flags: FlagValues): ConfigSources => ({
  ...surroundings,
  configFile: textOf(flags, 'config'),
  flags: {},
})

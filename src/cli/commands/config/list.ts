import type { Config, ConfigRow } from '../../../config/load.js'
import { shownPath } from '../../../config/load.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import type { Context } from '../../command.js'
import { documentCsv } from '../../document-csv.js'

/** Lists every setting with its value and where that comes from. */
export async function listConfig({ config, out, form, surroundings }: Context): Promise<void> {
  if (form.quiet > 1) return
  if (form.kind === 'json') return out.result(JSON.stringify(configDocument(config)))
  if (form.kind === 'csv') return out.result(documentCsv(configDocument(config)))
  return out.result(renderConfig(config, out.style, surroundings.home))
}

/** One value with its layer, as documents have it. */
export const rowDocument = (row: ConfigRow) => ({ ...row, ignored: false })

/** `swap config list --json`: every value with its layer. */
const configDocument = (config: Config): object => ({
  values: [
    ...config.rows.map(rowDocument),
    ...config.ignored.map((row) => ({ ...row, overrides: [], ignored: true })),
  ],
})

/** The table of `swap config list`; tab-separated in a pipe. */
function renderConfig(config: Config, style: Style, home: string | undefined): string {
  const rows = config.rows.map((row) => [
    row.key,
    row.value ?? '',
    row.origin,
    whereOf(row, home),
    row.overrides.map((each) => `${each.origin}: ${each.value}`).join(', '),
  ])
  const ignored = config.ignored.map((row) => [
    row.key,
    `(ignored: ${row.value})`,
    row.origin,
    whereOf(row, home),
    'not allowed in a project',
  ])
  const heads = ['KEY', 'VALUE', 'FROM', 'WHERE', 'OVERRIDES']
  if (!style.tty)
    return [heads.map((head) => head.toLowerCase()), ...rows, ...ignored]
      .map((row) => row.join('\t'))
      .join('\n')
  const all = [...rows, ...ignored]
  const least = [undefined, 24, undefined, 16, 12]
  const columns = heads.map((head, i) => ({
    head,
    drop: i < 3 ? 0 : i,
    ...(least[i] !== undefined && { shrink: least[i] }),
  }))
  const isUsed = heads.map((_, i) => i < 3 || all.some((row) => row[i] !== ''))
  return table(
    columns.filter((_, i) => isUsed[i]),
    all.map((row) => row.filter((_, i) => isUsed[i])),
    style,
  ).join('\n')
}

/** The variable, or the file with the line. */
export const whereOf = (
  row: Pick<ConfigRow, 'file' | 'line' | 'env'>,
  home: string | undefined,
): string => {
  if (row.env !== null) return row.env
  return row.file === null ? '' : `${shownPath(row.file, home)}:${row.line ?? ''}`
}

import { type CsvColumn, csv, harmless } from '../render/csv.js'
import { type PipeMembers, pipeLines } from './pipe-lines.js'

const columns: readonly CsvColumn<readonly [key: string, value: string]>[] = [
  ['key', ([key]) => harmless(key)],
  ['value', ([, value]) => (Number.isFinite(Number(value)) ? value : harmless(value))],
]

/** A document without rows of its own as CSV: a row `key,value` for each line of `pipeLines`. */
export const documentCsv = (document: object): string =>
  csv(
    columns,
    pipeLines(document as PipeMembers)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const tab = line.indexOf('\t')
        return [line.slice(0, tab), line.slice(tab + 1)] as const
      }),
  )

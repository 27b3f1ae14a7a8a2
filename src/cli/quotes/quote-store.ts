import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../engine/errors.js'
import { replaceFile } from '../../platform/atomic-file.js'
import { sortedJson } from '../../platform/encoding.js'
import { stateFolder } from '../../platform/user-folders.js'
import type { Surroundings } from '../command.js'

/** Maximum number of stored quotes; the oldest are removed first. */
const KEPT = 100

/** Maximum age of a quote that is executed, in milliseconds of chain time, unless `max_age` is set. */
export const QUOTE_AGE_MS = 30_000

/** The document of a quote, with its id if it was stored, otherwise with a warning. */
type StoredDocument = { readonly document: string } & (
  | { readonly id: string }
  | { readonly id?: undefined; readonly note: string }
)

/**
 * `q_` and the first 8 hex digits of the SHA-256 of the document without its `quote_id`, with the members of every
 * object sorted: programs that pass a document on may write them in another order.
 */
export function quoteIdOf(document: object): string {
  const { quote_id: _, ...quote } = document as { readonly quote_id?: unknown }
  return `q_${createHash('sha256').update(sortedJson(quote)).digest('hex').slice(0, 8)}`
}

/**
 * Stores a quote's document under its id. A failure to store is not an error. Written synchronously, since
 * asynchronous writing would start the thread pool.
 */
export function keepQuote(surroundings: Surroundings, answer: object): StoredDocument {
  const id = quoteIdOf(answer)
  const document = JSON.stringify({ quote_id: id, ...answer })
  const state = stateFolder(surroundings)
  const unkept = (note: string) => ({ document: JSON.stringify(answer), note })
  if (state === undefined) return unkept('there is no home folder, so this quote is not kept')
  const folder = join(state, 'quotes')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${id}.json`)
    if (!isStored(file, document)) replaceFile(file, document)
    prune(folder)
    return { id, document }
  } catch (error) {
    const code = errorCode(error)
    const why = `${folder} cannot be written${code ? ` (${code})` : ''}`
    return unkept(`this quote is not kept: ${why}`)
  }
}

/**
 * Whether a file already has the document; if so, updates its time. Replacing it would take 1.5 ms, since
 * file systems then write to the disk at once.
 */
function isStored(file: string, document: string): boolean {
  try {
    if (readFileSync(file, 'utf8') !== document) return false
    const now = new Date()
    utimesSync(file, now, now)
    return true
  } catch {
    return false
  }
}

/** Removes the oldest quotes beyond the last hundred, by the time they were made. */
function prune(folder: string): void {
  const ids = idsIn(folder)
  if (ids.length <= KEPT) return
  for (const { id } of newestFirst(folder, ids).slice(KEPT))
    rmSync(join(folder, `${id}.json`), { force: true })
}

const idsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /^q_[0-9a-f]{8}\.json$/.test(name))
    .map((name) => name.replace('.json', ''))

/** A stored quote, and when it was made, in milliseconds since 1970. */
type StoredQuote = { readonly id: string; readonly made: number }

const newestFirst = (folder: string, ids: readonly string[]): readonly StoredQuote[] =>
  ids
    .map((id) => ({ id, made: statSync(join(folder, `${id}.json`)).mtimeMs }))
    .sort((a, b) => b.made - a.made || (a.id < b.id ? -1 : 1))

/** The stored quotes, newest first; none where they cannot be read. */
export function storedQuotes(surroundings: Surroundings): readonly StoredQuote[] {
  try {
    const folder = join(stateFolder(surroundings) ?? '', 'quotes')
    return newestFirst(folder, idsIn(folder))
  } catch {
    return []
  }
}

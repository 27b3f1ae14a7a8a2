import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../platform/atomic-file.js'
import type { Surroundings } from '../command.js'

/** Most stored quotes; the oldest are removed first. */
const KEPT = 100

/** The id of a quote, and a warning if it could not be stored. */
export type Kept = { readonly id?: string; readonly note?: string }

/** Where state lives: `SWAP_HOME`, else the XDG state folder, else below the home folder. */
export function stateFolder({ env, home }: Surroundings): string | undefined {
  if (env['SWAP_HOME']) return join(env['SWAP_HOME'], 'state')
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'swap')
  return home === undefined ? undefined : join(home, '.local', 'state', 'swap')
}

/** `q_` and the first 8 hex digits of the document's SHA-256. */
export const quoteIdOf = (document: string): string =>
  `q_${createHash('sha256').update(document).digest('hex').slice(0, 8)}`

/**
 * Stores a quote's document under its id, for later commands. A failure to store it is not an error.
 * Files are written synchronously, since asynchronous writing would start the thread pool.
 */
export function keepQuote(surroundings: Surroundings, document: string): Kept {
  const id = quoteIdOf(document)
  const state = stateFolder(surroundings)
  if (state === undefined) return { note: 'there is no home folder, so this quote is not kept' }
  const folder = join(state, 'quotes')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(join(folder, `${id}.json`), document)
    prune(folder)
    return { id }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return { note: `this quote is not kept: ${folder} cannot be written${code}` }
  }
}

/** Removes the oldest quotes beyond the last hundred, by the time they were made. */
function prune(folder: string): void {
  const names = readdirSync(folder).filter((name) => /^q_[0-9a-f]{8}\.json$/.test(name))
  if (names.length <= KEPT) return
  const dated = names.map((name) => ({ name, made: statSync(join(folder, name)).mtimeMs }))
  dated.sort((a, b) => b.made - a.made || (a.name < b.name ? -1 : 1))
  for (const { name } of dated.slice(KEPT)) rmSync(join(folder, name), { force: true })
}

import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorCode, invalidRequest, SwapError } from '../../engine/errors.js'
import { repeatedName } from '../../operations/body/json-fault.js'
import { replaceFile } from '../../platform/atomic-file.js'
import { attempt } from '../../platform/attempt.js'
import { sha256, sortedJson, toHex } from '../../platform/encoding.js'
import {
  endedBy,
  openStream,
  regularText,
  textUpTo,
  unreadableReason,
} from '../../platform/file-stream.js'
import { JsonLimitError, parseWithin } from '../../platform/json-limits.js'
import { stateFolders } from '../../platform/user-folders.js'
import { quote } from '../../render/width.js'
import type { FlagValues, Surroundings } from '../command.js'
import { longName } from '../flags/checked-flag.js'
import { memberFlags } from '../flags/request-flags.js'

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
  return `q_${toHex(sha256(sortedJson(quote))).slice(0, 8)}`
}

/**
 * Stores a quote's document under its id. A failure to store is not an error. Written synchronously, since
 * asynchronous writing would start the thread pool.
 */
export function keepQuote(surroundings: Surroundings, answer: object): StoredDocument {
  const id = quoteIdOf(answer)
  const document = JSON.stringify({ quote_id: id, ...answer })
  const folder = stateFolders(surroundings)?.quotes
  const unkept = (note: string) => ({ document: JSON.stringify(answer), note })
  if (folder === undefined) return unkept('there is no home folder, so this quote is not kept')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${id}.json`)
    if (!isStored(file, document)) replaceFile(file, document)
    prune(folder, id)
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
    if (regularText(file) !== document) return false
    const now = new Date()
    utimesSync(file, now, now)
    return true
  } catch {
    return false
  }
}

/** Removes the oldest quotes beyond the last hundred, but not the new one, which looks old once the clock was set back. */
function prune(folder: string, stored: string): void {
  const ids = idsIn(folder)
  if (ids.length <= KEPT) return
  const others = ids.filter((id) => id !== stored)
  for (const { id } of newestFirst(folder, others).slice(KEPT - 1))
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
    .flatMap((id) => {
      // Another process may have removed it since the folder was read.
      const made = statSync(join(folder, `${id}.json`), { throwIfNoEntry: false })?.mtimeMs
      return made === undefined ? [] : [{ id, made }]
    })
    .sort((a, b) => b.made - a.made || (a.id < b.id ? -1 : 1))

/** The stored quotes, newest first; none where they cannot be read. */
export function storedQuotes(surroundings: Surroundings): readonly StoredQuote[] {
  const folder = stateFolders(surroundings)?.quotes
  return (folder && attempt(() => newestFirst(folder, idsIn(folder)))) || []
}

/** Most bytes of a document that is read: a quote, a transaction or a plan. */
const LARGEST = 8 << 20

/** Whether an argument refers to a document: a stored quote, or standard input. */
export const isDocument = (word: string | undefined): word is string =>
  word === '-' || /^q_[0-9a-f]*$/.test(word ?? '')

/** A quote, or an unsigned transaction, as it was read; the id is that of the quote. */
export type QuoteDocument = { readonly document: unknown; readonly id: string }

/**
 * Reads the text of a quote: standard input for `-`, a stored quote by its id, or a file.
 *
 * @param interrupt ends the reading, if signals do not end the process
 */
export async function quoteText(
  word: string,
  surroundings: Surroundings,
  interrupt?: AbortSignal,
): Promise<string> {
  const text = await textOf(word, surroundings, interrupt)
  if (text.trim() !== '') return text
  const where = word === '-' ? 'on standard input' : `in ${quote(word)}`
  throw invalidRequest(`there is no quote ${where}`, '', {
    why: 'it is empty',
    hint: 'give what swap route <amount> <in> <out> --json prints',
  })
}

/** The document of a quote as `quoteText` reads it, and the id of the quote. @throws SwapError INVALID_REQUEST */
export async function quoteDocument(
  word: string,
  surroundings: Surroundings,
  printedBy: string,
  interrupt?: AbortSignal,
): Promise<QuoteDocument> {
  const text = await quoteText(word, surroundings, interrupt)
  const document = parseOnce(text, notPrinted('the document of a quote', printedBy))
  const isId = word !== '-' && isDocument(word)
  // The same document in another JSON layout is the same quote.
  return { document, id: isId ? word : quoteIdOf(Object(document)) }
}

async function textOf(
  word: string,
  surroundings: Surroundings,
  interrupt?: AbortSignal,
): Promise<string> {
  if (word === '-') return streamText(surroundings.stdin, interrupt)
  if (isDocument(word)) return storedQuote(word, surroundings)
  const unreadable = ({ code }: NodeJS.ErrnoException) =>
    invalidRequest(`there is no quote and no file ${quote(word)}`, '', {
      why:
        code === 'ENOENT'
          ? 'a quote id is q_ and eight hexadecimal digits; any other word is the name of a file'
          : unreadableReason(code),
      hint: 'give the file of a quote, - for standard input, a quote id, or <amount> <in> <out>',
    })
  return fileText(word, surroundings, unreadable, interrupt)
}

/**
 * Reads a document from a file or a named pipe, up to the maximum size.
 *
 * @param unreadable builds the error for a system error
 * @throws SwapError of `unreadable`; INVALID_REQUEST for a larger document
 */
export async function fileText(
  path: string,
  { cwd }: Pick<Surroundings, 'cwd'>,
  unreadable: (fault: NodeJS.ErrnoException) => SwapError,
  interrupt?: AbortSignal,
): Promise<string> {
  try {
    return await streamText(openStream(resolve(cwd, path)), interrupt)
  } catch (error) {
    const isOfSystem = errorCode(error) !== undefined && !(error instanceof SwapError)
    throw isOfSystem ? unreadable(error as NodeJS.ErrnoException) : error
  }
}

/** The text of a document on a stream, up to the maximum size. @throws SwapError INVALID_REQUEST */
export async function streamText(
  stream: AsyncIterable<Buffer>,
  interrupt?: AbortSignal,
): Promise<string> {
  const text = await textUpTo(LARGEST, endedBy(interrupt, stream))
  // Editors put a byte order mark before the text.
  if (text !== undefined) return text.replace(/^\ufeff/, '')
  throw invalidRequest('the input is too long for a document of swap', '', {
    why: `it is longer than ${LARGEST} bytes`,
    hint: 'give a quote, a transaction or a plan as swap prints it',
  })
}

function storedQuote(id: string, surroundings: Surroundings): string {
  const folder = stateFolders(surroundings)?.quotes
  if (folder === undefined) throw notKept(id)
  const path = join(folder, `${id}.json`)
  try {
    return regularText(path)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOENT')
      throw invalidRequest(`the quote ${id} cannot be read`, '', {
        why: `${path}: ${unreadableReason(code)}`,
        hint: 'make the file readable, or quote again: swap route <amount> <in> <out>',
      })
    throw notKept(id)
  }
}

const notKept = (id: string): SwapError =>
  new SwapError('NOT_FOUND', `no quote ${id} is kept`, {
    why: 'the last hundred are kept, in the state folder',
    hint: {
      cli: 'if it may have been executed, look first: swap journal; then quote again: swap route <amount> <in> <out>',
      http: 'quote again: POST /swap/route',
    },
    members: { id },
  })

/** The error of a text that cannot be read, for a reason. */
type Refused = (why: string) => SwapError

/** Parses JSON. @throws the error of `refused` */
export function parseJson(text: string, refused: Refused): unknown {
  try {
    return parseWithin(text)
  } catch (error) {
    // The parser's message repeats the beginning of the text, which may be a mnemonic by mistake.
    throw refused(`it is ${error instanceof JsonLimitError ? error.message : 'not JSON'}`)
  }
}

/** The same, where a member that is given twice is refused: other readers may take the first one. */
export function parseOnce(text: string, refused: Refused): unknown {
  const document = parseJson(text, refused)
  const repeated = repeatedName(text)
  if (repeated !== undefined) throw refused(`it gives ${quote(repeated)} twice in one object`)
  return document
}

/** The error of a text that is not what a command has printed. @param what e.g. `the document of a quote` */
export const notPrinted =
  (what: string, printedBy: string): Refused =>
  (why) =>
    invalidRequest(`this is not ${what}`, '', { why, hint: `give what ${printedBy} prints` })

/**
 * Refuses flags of a new quote beside a stored one.
 *
 * @param kept flags that apply to a stored quote too
 * @throws SwapError INVALID_REQUEST
 */
export function refuseQuoteFlags(flags: FlagValues, kept: readonly string[]): void {
  // `--no-grid`, of earlier releases, gives `grid` the default true.
  const members = [...memberFlags('route'), ...memberFlags('sroute')]
  for (const [name, { flags: spelled, pointer = '' }] of members) {
    if (flags[name] === undefined || name === 'grid' || kept.includes(name)) continue
    const flag = `--${longName(spelled)}`
    throw invalidRequest(`${flag} does not go with a quote that is named`, pointer, {
      why: 'the quote has its paths and amounts, and the flag would change nothing',
      hint: `leave ${flag} out, or write amount and tokens for a new quote`,
    })
  }
}

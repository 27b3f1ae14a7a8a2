import { errorCode } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { decodeSnapshot, InvalidSnapshot } from '../../engine/snapshot/decode.js'
import { replaceNamedFile, writingTo } from '../../platform/atomic-file.js'
import { isOfCalendar } from '../../platform/clock.js'
import { openStream, textUpTo, unreadableReason } from '../../platform/file-stream.js'
import { JsonLimitError, parseWithin } from '../../platform/json-limits.js'

/** Larger documents are refused before they are read into memory. */
const MOST_BYTES = 256 * 1024 * 1024

/** Reads a market from a file, or from standard input for `-`. */
export async function readSnapshot(path: string, stdin: AsyncIterable<Buffer>): Promise<Market> {
  const name = path === '-' ? 'standard input' : path
  const text = path === '-' ? await readAll(stdin, name) : await readText(path)
  if (text.trim() === '') throw new InvalidSnapshot(name, '', 'it is empty')
  const market = decodeSnapshot(parse(text, name), name)
  if (isOfCalendar(market.time)) return market
  throw new InvalidSnapshot(name, '/time', `is not a time that exists: ${market.time}`)
}

async function readText(path: string): Promise<string> {
  try {
    return await readAll(openStream(path), path)
  } catch (error) {
    if (error instanceof InvalidSnapshot) throw error
    throw new InvalidSnapshot(path, '', unreadableReason(errorCode(error)))
  }
}

async function readAll(stream: AsyncIterable<Buffer>, name: string): Promise<string> {
  const text = await textUpTo(MOST_BYTES, stream)
  if (text === undefined) throw new InvalidSnapshot(name, '', 'it is too large')
  return text
}

function parse(text: string, name: string): unknown {
  try {
    return parseWithin(text)
  } catch (error) {
    // The parser's message quotes the text, which may be a secret that was passed by mistake.
    const why = error instanceof JsonLimitError ? error.message : 'not JSON'
    throw new InvalidSnapshot(name, '', `it is ${why}`)
  }
}

/**
 * Writes a document to a file, atomically; a link stays a link.
 *
 * @returns the bytes written
 * @throws SwapError INVALID_REQUEST if it cannot be written
 */
export function writeDocument(path: string, document: object): number {
  const text = `${JSON.stringify(document)}\n`
  writingTo(path, () => replaceNamedFile(path, text))
  return Buffer.byteLength(text)
}

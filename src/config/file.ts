import { statSync } from 'node:fs'
import type { Node, Pair } from 'yaml'
import { errorCode, invalidRequest, SwapError } from '../engine/errors.js'
import { utf8Text } from '../platform/bytes.js'
import { bytesUpTo, openStream } from '../platform/file-stream.js'

/** One `key: value` of a file, still text. */
export type FileEntry = {
  readonly key: string
  /** Counted from 1. */
  readonly line: number
  /** As written, without quotes; `null` for an empty value, `undefined` for another kind of value. */
  readonly text: string | null | undefined
  /** The entries of a group such as `alias`; `undefined` for another kind of value. */
  readonly inner: readonly FileEntry[] | undefined
  /** The texts of a list of words; `undefined` for another kind of value. */
  readonly list: readonly string[] | undefined
  /** The value as plain data. @throws SwapError INVALID_REQUEST for too many aliases */
  plain(): unknown
}

/** A file to read. `shown` is its path in messages; `isAsked` means that it has to exist. */
export type ConfigFile = {
  readonly path: string
  readonly shown: string
  readonly isAsked: boolean
}

/** Most bytes of a file. */
const largest = 1024 * 1024
/** Deepest node; writing a changed file overflows the stack at some 900. */
const deepest = 100
/** Deepest node that is parsed: the recursion of the parser ends the process at some 1,500. */
const parsed = 500
const TOO_DEEP = 'its values are nested too deeply'

/**
 * The entries of a file in order; none if it does not exist. Values keep their original text; aliases and tags of YAML
 * have an effect in `plain` only.
 *
 * @param text of the file; `undefined` if it does not exist
 * @throws SwapError INVALID_REQUEST
 */
export async function entriesOf(
  file: ConfigFile,
  text: string | undefined,
): Promise<readonly FileEntry[]> {
  if (text === undefined || text.trim() === '') return []
  if (Buffer.byteLength(text) > largest) throw tooLarge(file)
  // Loaded lazily: it takes 21 ms, and runs without a configuration file do not need it.
  // The default export, since the bundle of a CommonJS package has no other one.
  const { default: yaml } = await import('yaml')
  const { isMap, isNode, isScalar, isSeq, Lexer, LineCounter, parseDocument, visit } = yaml
  const deepLine = firstDeepLine(new Lexer().lex(text))
  if (deepLine !== undefined) throw invalidFile(file, TOO_DEEP, deepLine)
  const lines = new LineCounter()
  // Its own check for keys that are given twice compares each with each: minutes for 1 MiB.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false }
  const document = parseDocument(text, options)
  const lineAt = (offset: number) => lines.linePos(offset).line
  const [fault] = [...document.errors, ...document.warnings]
  if (fault !== undefined) {
    const isDeep = fault.code === 'RESOURCE_EXHAUSTION'
    throw invalidFile(file, isDeep ? TOO_DEEP : fault.message, lineAt(fault.pos[0]))
  }
  visit(document, {
    Collection(_, collection, path) {
      if (path.length > deepest)
        throw invalidFile(file, TOO_DEEP, lineAt(collection.range?.[0] ?? 0))
      if (!isMap(collection)) return
      const known = new Set<unknown>()
      for (const { key } of collection.items) {
        const name = isScalar(key) ? key.value : key
        if (known.has(name))
          throw invalidFile(file, 'Map keys must be unique', lineAt((key as Node).range?.[0] ?? 0))
        known.add(name)
      }
    },
  })

  const entryOf = ({ key, value }: Pair<unknown, unknown>, depth: number): FileEntry => {
    const line = lineAt((key as Node | null)?.range?.[0] ?? 0)
    if (!isScalar(key)) throw invalidFile(file, 'a key is one word', line)
    const inner =
      isMap(value) && depth === 0 ? value.items.map((pair) => entryOf(pair, 1)) : undefined
    return {
      key: key.source ?? String(key.value),
      line,
      text: textOf(value),
      inner,
      list: listOf(value),
      plain() {
        try {
          return isNode(value) ? value.toJS(document) : value
        } catch {
          // A few lines of aliases can mean any amount of data.
          throw invalidFile(file, 'its YAML aliases are too many', line)
        }
      },
    }
  }
  const textOf = (value: unknown): string | null | undefined => {
    if (value === null) return null
    if (!isScalar(value)) return undefined
    return value.value === null ? null : (value.source ?? String(value.value))
  }
  const listOf = (value: unknown): readonly string[] | undefined => {
    const texts = isSeq(value) ? value.items.map(textOf) : [undefined]
    return texts.every((text) => typeof text === 'string') ? texts : undefined
  }
  const root: unknown = document.contents
  if (root === null || (isScalar(root) && root.value === null)) return []
  if (!isMap(root)) throw invalidFile(file, 'it is not a list of "key: value"', 1)
  return root.items.map((pair) => entryOf(pair, 0))
}

/** The line at which brackets, or indicators of one line, are nested more deeply than is parsed. */
function firstDeepLine(lexemes: Iterable<string>): number | undefined {
  let line = 1
  let brackets = 0
  let indicators = 0
  for (const lexeme of lexemes) {
    if (lexeme === '[' || lexeme === '{') brackets += 1
    else if (lexeme === ']' || lexeme === '}') brackets -= 1
    else if (lexeme === '-' || lexeme === '?') indicators += 1
    else if (lexeme.includes('\n')) [line, indicators] = [line + lexeme.split('\n').length - 1, 0]
    if (brackets + indicators > parsed) return line
  }
  return undefined
}

/** The error of an invalid file, or of a line of it. */
export function invalidFile(file: ConfigFile, why: string, line?: number): SwapError {
  const place = line === undefined ? file.shown : `${file.shown}:${line}`
  return invalidRequest(`${place} cannot be used`, '', {
    why: line === undefined ? why : `line ${line}: ${why}`,
    hint: 'correct the file, or name another one: --config <file>',
  })
}

const tooLarge = (file: ConfigFile): SwapError => invalidFile(file, 'it is larger than 1 MiB')

/**
 * The text of a file; `undefined` if it does not exist. @throws SwapError INVALID_REQUEST for anything but a file of
 * UTF-8 text
 */
export async function readConfigText(file: ConfigFile): Promise<string | undefined> {
  try {
    // Synchronous: most runs have no file, and an asynchronous call takes longer.
    const info = statSync(file.path)
    // A pipe is accepted for `--config <(...)` only: as `.swaprc` it could make every command hang.
    if (info.isDirectory()) throw invalidFile(file, 'it is a folder')
    if (!info.isFile() && !file.isAsked) throw invalidFile(file, 'it is not a regular file')
    const bytes = await bytesUpTo(largest, openStream(file.path))
    if (bytes === undefined) throw tooLarge(file)
    return utf8Text(bytes)
  } catch (error) {
    if (error instanceof SwapError) throw error
    const code = errorCode(error) ?? ''
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    if (isAbsent && !file.isAsked) return undefined
    if (isAbsent) throw invalidFile(file, 'there is no such file')
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw invalidFile(file, 'it is not UTF-8 text')
    throw invalidFile(file, `it cannot be read (${code || 'unknown reason'})`)
  }
}

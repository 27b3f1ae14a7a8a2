import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { SwapError } from '../../engine/errors.js'
import { replaceFile } from '../../platform/atomic-file.js'
import { attempt } from '../../platform/attempt.js'
import { toBase64 } from '../../platform/encoding.js'
import {
  type Change,
  decodeChanges,
  decodeValue,
  encodeChanges,
  encodeValue,
} from '../store/state.js'
import { Store } from '../store/store.js'
import { Archive, type StoredBlock } from './archive.js'
import type { ChainOptions } from './chain-options.js'

const FORMAT = 'swap.demo-chain/1'

const NEWLINE = 10
const TAB = 9

/** A block's line: its keys, the packed block in base64, and its state changes. */
type Line = StoredBlock & { readonly changes: () => readonly Change[] }

/** The content of a state file: a checkpoint, its block, and every block since. */
export type SavedChain = {
  readonly options: ChainOptions
  /** The state after the first of `blocks`. */
  readonly state: readonly Change[]
  readonly blocks: readonly Line[]
  /** Bytes of whole lines; the rest is an unfinished write of a killed process. */
  readonly length: number
}

/**
 * Reads a state file; `undefined` if it does not exist. Ignores a last line that was cut off.
 *
 * @throws SwapError when it is not a state file of this version.
 */
export function readStateFile(path: string): SavedChain | undefined {
  if (!existsSync(path)) return undefined
  if (!statSync(path).isFile()) throw invalidStateFile(path, 'it is not a regular file')
  const bytes = readFileSync(path)
  const ends = lineEnds(bytes)
  const [head, state, ...rest] = ends.map((end, at) =>
    bytes.subarray(at === 0 ? 0 : (ends[at - 1] as number) + 1, end),
  )
  // A file that was truncated before its first block counts as missing.
  if (!head || !state || rest.length === 0) return undefined
  const found = attempt(() => Object(decodeValue(head.toString())) as Head)
  if (found === undefined) throw invalidStateFile(path, 'its first line is not JSON')
  const { format, options } = found
  if (format !== FORMAT)
    throw invalidStateFile(path, `its format is ${String(format)}, not ${FORMAT}`)
  const length = (ends.at(-1) as number) + 1
  try {
    return { options, state: decodeChanges(state.toString()), blocks: rest.map(lineOf), length }
  } catch {
    throw invalidStateFile(path, 'its second line is not a state')
  }
}

/** Bytes of the end of a file in which its last line is looked for: most blocks fit. */
const TAIL = 1 << 20

/** The hash of the newest block in a state file; `undefined` where `TAIL` does not hold its last line whole. */
export function newestHash(path: string): string | undefined {
  const status = statSync(path)
  if (!status.isFile()) return undefined
  const file = openSync(path, 'r')
  try {
    const { size } = status
    const tail = Buffer.alloc(Math.min(size, TAIL))
    readSync(file, tail, 0, tail.length, size - tail.length)
    const end = tail.length - 1
    const before = tail.lastIndexOf(NEWLINE, end - 1)
    return tail[end] === NEWLINE && before >= 0
      ? lineOf(tail.subarray(before + 1, end)).hash
      : undefined
  } finally {
    closeSync(file)
  }
}

type Head = { readonly format?: unknown; readonly options: ChainOptions }

/** The error of a damaged file of the chain. */
export const invalidStateFile = (path: string, why: string): SwapError =>
  new SwapError('INVALID_REQUEST', `${path} is not a state file of the demo chain: ${why}.`, {
    why: 'Another version of the program wrote it, or something else did.',
    hint: 'swap demo reset makes a new chain; move the file away first to keep it.',
  })

function lineEnds(bytes: Buffer): readonly number[] {
  const ends: number[] = []
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) ends.push(at)
  return ends
}

/** The fields of a line, which are separated by tabs. The last two are long, and are decoded when they are used. */
function lineOf(line: Buffer): Line {
  const height = line.indexOf(TAB)
  const hash = line.indexOf(TAB, height + 1)
  const txs = line.indexOf(TAB, hash + 1)
  const packed = line.indexOf(TAB, txs + 1)
  const text = (from: number, to: number) => line.toString('latin1', from, to)
  const hashes = text(hash + 1, txs)
  return {
    height: Number(text(0, height)),
    hash: text(height + 1, hash),
    txs: hashes === '' ? [] : hashes.split(','),
    packed: () => Buffer.from(text(txs + 1, packed), 'base64'),
    changes: () => decodeChanges(line.toString('utf8', packed + 1)),
  }
}

const lineText = (stored: StoredBlock, changes: string): string =>
  `${stored.height}\t${stored.hash}\t${stored.txs.join(',')}\t${toBase64(stored.packed())}\t${changes}\n`

/**
 * Writes a whole new file in place of an old one: a checkpoint and the blocks from it on.
 *
 * @returns its length in bytes.
 */
export function writeStateFile(
  path: string,
  options: ChainOptions,
  state: Iterable<Change>,
  blocks: Iterable<readonly [stored: StoredBlock, changes: string]>,
): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const write = (file: number) => {
    writeFileSync(file, `${encodeValue({ format: FORMAT, options })}\n`)
    writeFileSync(file, `${encodeChanges(state)}\n`)
    for (const [stored, changes] of blocks) writeFileSync(file, lineText(stored, changes))
  }
  replaceFile(path, write, { isDurable: true, draft: `${path}.new` })
  return statSync(path).size
}

/** Appends blocks to a state file, each before clients see it. */
export class Appender {
  readonly #file: number
  #at: number

  /** Continues after `length` bytes; an unfinished line after them is removed. */
  constructor(path: string, length: number) {
    this.#file = openSync(path, 'r+')
    ftruncateSync(this.#file, length)
    this.#at = length
  }

  add(stored: StoredBlock, changes: string): void {
    const bytes = Buffer.from(lineText(stored, changes))
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#at + done)
    this.#at += bytes.length
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** The history of a chain in a state file. */
export type ChainHistory = {
  readonly options: ChainOptions
  readonly store: Store
  readonly archive: Archive
}

/** State and blocks of a state file. @throws SwapError for a damaged line, as a loss of power leaves it */
export function restore({ options, state, blocks }: SavedChain, path: string): ChainHistory {
  const oldest = blocks[0]?.height ?? Number.NaN
  const store = new Store(oldest, options.keep)
  const archive = new Archive(options.keep)
  for (const [at, line] of blocks.entries())
    try {
      if (oldest < 1 || line.height !== oldest + at)
        throw new Error(`the block of height ${oldest + at} is missing`)
      store.commit(line.height, at === 0 ? state : line.changes())
      archive.add(line)
    } catch {
      throw invalidStateFile(path, `its line ${at + 3} is not the next block`)
    }
  return { options, store, archive }
}

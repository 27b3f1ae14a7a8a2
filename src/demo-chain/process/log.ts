import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../../platform/attempt.js'
import { pause } from '../../platform/clock.js'
import type { Block, Chain } from '../blocks/chain.js'

/** One event. */
type LogLine = {
  /** RFC 3339, of the machine's clock. */
  readonly time: string
  readonly event:
    | 'start'
    | 'stop'
    | 'block'
    | 'tx_failed'
    | 'faucet'
    | 'fault'
    | 'faults_off'
    | 'error'
  readonly [fact: string]: string | number | boolean
}

/** Bytes after which a log is rotated; one rotated log is kept. */
const LONGEST = 4 << 20

/** Milliseconds between two polls of a followed log. */
const POLL_MS = 200

/** Appends to a log of at most twice its limit. Write errors are ignored. */
export class Log {
  #size: number | undefined

  constructor(
    readonly path: string,
    readonly longest: number = LONGEST,
  ) {}

  write(event: LogLine['event'], facts: Omit<LogLine, 'time' | 'event'> = {}): void {
    const line = `${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`
    try {
      this.#size ??= this.#present()
      if (this.#size > this.longest) {
        renameSync(this.path, `${this.path}.1`)
        this.#size = 0
      }
      appendFileSync(this.path, line, { mode: 0o600 })
      this.#size += Buffer.byteLength(line)
    } catch {
      this.#size = undefined
    }
  }

  #present(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    return sizeOf(this.path)
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const textOf = (path: string): string => attempt(() => readFileSync(path, 'utf8')) ?? ''

const bytesAfter = (path: string, from: number): Buffer => Buffer.from(textOf(path)).subarray(from)

const linesIn = (text: string): readonly LogLine[] =>
  text.split('\n').flatMap((line) => attempt(() => JSON.parse(line) as LogLine) ?? [])

/** The last lines of a log, oldest first. */
export function lastLines(path: string, count: number): readonly LogLine[] {
  if (count <= 0) return []
  const newest = linesIn(textOf(path))
  const older = newest.length < count ? linesIn(textOf(`${path}.1`)) : []
  return [...older, ...newest].slice(-count)
}

/** The lines that are appended to a log from now on, until `signal`. */
export const newLines = (path: string, signal: AbortSignal): AsyncGenerator<LogLine> =>
  linesAfter(path, sizeOf(path), signal)

async function* linesAfter(
  path: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  let seen = from
  while (!signal.aborted) {
    const size = sizeOf(path)
    // A shorter file is a new one; the rest of the old one is in the rotated log.
    if (size < seen) {
      yield* linesIn(bytesAfter(`${path}.1`, seen).toString())
      seen = 0
    }
    if (size > seen) {
      const bytes = bytesAfter(path, seen)
      const whole = bytes.lastIndexOf(10) + 1
      yield* linesIn(bytes.toString('utf8', 0, whole))
      seen += whole
    }
    await pause(POLL_MS, signal)
  }
}

/** Writes each block of a chain to a log, and each transaction that failed; the result stops that. */
export const logBlocks = (chain: Chain, log: Log): (() => void) =>
  chain.subscribe(({ header, txs }: Block) => {
    const failed = txs.filter(({ result }) => result.code !== 0)
    log.write('block', { height: header.height, txs: txs.length, failed: failed.length })
    for (const { hash, result } of failed)
      log.write('tx_failed', {
        height: header.height,
        hash,
        codespace: result.codespace,
        code: result.code,
        reason: result.log,
      })
  })

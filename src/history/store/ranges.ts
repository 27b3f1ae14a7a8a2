import type { Heights } from '../../operations/history/history-port.js'
import { StoreFault } from './fault.js'
import type { DoneRow } from './schema.js'

/** A block with the hashes that its neighbours must match. */
type Link = {
  readonly height: number
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  /** The roots over its results and over those of the block before; null if unknown. */
  readonly results: Uint8Array | null
  readonly parentResults: Uint8Array | null
}

/** The changes of marking blocks done: rows by their first height. */
export type MarkResult = ReturnType<typeof mark>

/**
 * Marks blocks done in the runs of heights that touch them: `rows` holds every run from one below the
 * lowest block to one above the highest. Adjacent runs are merged.
 *
 * @throws StoreFault `UPSTREAM_INVALID_DATA` if a block does not link to its neighbours
 */
export function mark(rows: readonly DoneRow[], links: readonly Link[]) {
  const runs = new Map(rows.map((row) => [row.first, row]))
  const fresh = new Set<number>()
  for (const link of [...links].sort((a, b) => a.height - b.height)) {
    const { height } = link
    const within = find(runs, ({ first, last }) => first <= height && height <= last)
    if (within !== undefined) {
      if (within.last === height) requireSame(within.last_hash, link.hash, height)
      if (within.first === height) requireSame(within.parent_hash, link.parentHash, height)
      continue
    }
    const below = find(runs, ({ last }) => last === height - 1)
    const higherRun = runs.get(height + 1)
    if (below !== undefined) {
      requireSame(below.last_hash, link.parentHash, height)
      if (below.last_results !== null && link.parentResults !== null)
        requireSame(below.last_results, link.parentResults, height)
    }
    if (higherRun !== undefined) requireSame(higherRun.parent_hash, link.hash, height + 1)
    if (below !== undefined) runs.delete(below.first)
    if (higherRun !== undefined) runs.delete(higherRun.first)
    const first = below?.first ?? height
    runs.set(first, {
      first,
      last: higherRun?.last ?? height,
      parent_hash: below?.parent_hash ?? link.parentHash,
      last_hash: higherRun?.last_hash ?? link.hash,
      last_results: higherRun === undefined ? link.results : higherRun.last_results,
    })
    fresh.add(height)
  }
  const before = new Map(rows.map((row) => [row.first, row]))
  return {
    /** Heights that were not done before. */
    fresh,
    removed: rows.map(({ first }) => first).filter((first) => !runs.has(first)),
    written: [...runs.values()].filter((row) => before.get(row.first) !== row),
  }
}

function find(
  runs: ReadonlyMap<number, DoneRow>,
  predicate: (row: DoneRow) => boolean,
): DoneRow | undefined {
  for (const row of runs.values()) if (predicate(row)) return row
  return undefined
}

function requireSame(stored: Uint8Array, received: Uint8Array, height: number): void {
  if (Buffer.compare(stored, received) === 0) return
  throw new StoreFault('unlinked', `block ${height} is not of the chain that is indexed`, {
    why: 'its hash and that of its neighbour in the history do not link up: the node was replaced, rolled back or restarted from an export',
    hint: 'check the node; if the chain itself was restarted, run `swap history --reindex`',
    members: { height },
  })
}

/** Merges overlapping and adjacent ranges, ascending. */
export function mergeRanges(ranges: readonly Heights[]): readonly Heights[] {
  const merged: Heights[] = []
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last === undefined || range.from > last.to + 1) merged.push(range)
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
  }
  return merged
}

/** The parts of `within` that are in none of the ranges, ascending. */
export function subtractRanges(within: Heights, ranges: readonly Heights[]): readonly Heights[] {
  const rest: Heights[] = []
  let next = within.from
  for (const { from, to } of mergeRanges(ranges)) {
    if (to < next) continue
    if (from > within.to) break
    if (from > next) rest.push({ from: next, to: from - 1 })
    next = to + 1
  }
  if (next <= within.to) rest.push({ from: next, to: within.to })
  return rest
}

/** The number of heights in ranges that do not overlap. */
export const countOf = (ranges: readonly Heights[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)

/** By how many heights ascending ranges end after a height; 0 if they do not. */
export const endAfter = (ranges: readonly Heights[], height: number): number =>
  Math.max(0, (ranges.at(-1)?.to ?? 0) - height)

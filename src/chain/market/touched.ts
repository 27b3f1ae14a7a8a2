import { isObject, memberIn } from '../../platform/json-object.js'
import { OTHER_EVENTS, OWN_NAMES } from '../queries/event-encoding.js'
import { unlessFaulty } from '../rpc/faults.js'
import type { Source } from '../rpc/query-source.js'

/** Most blocks whose events are read; after a longer gap every pair is read again. */
const MOST_BLOCKS = 5

/**
 * All attribute values in the events of the blocks after `from` up to `to`. wasmd and the bank name every contract and
 * account that they change, so one that is not among the values is unchanged since `from`. `undefined` if the events
 * cannot be read.
 */
export async function touchedIn(
  source: Source,
  from: number,
  to: number,
): Promise<ReadonlySet<string> | undefined> {
  if (from > to || to - from > MOST_BLOCKS) return undefined
  const heights = Array.from({ length: to - from }, (_, i) => from + i + 1)
  const results = await unlessFaulty(() =>
    Promise.all(heights.map((height) => source.call('block_results', { height: `${height}` }))),
  )
  const addresses = new Set<string>()
  return results?.every((each, i) => addValues(each, heights[i]!, addresses))
    ? addresses
    : undefined
}

/** Whether a transaction was executed without events, which the node has left out: every message has one. */
const lacksEvents = (tx: unknown): boolean =>
  isObject(tx) && (tx['code'] ?? 0) === 0 && [tx['events'] ?? []].flat().length === 0

/** Adds every value of the events of a block. @returns whether all of them could be read */
function addValues(results: unknown, height: number, addresses: Set<string>): boolean {
  if (!isObject(results) || results['height'] !== `${height}`) return false
  const txs = results['txs_results'] ?? []
  if (!Array.isArray(txs) || txs.some(lacksEvents)) return false
  const lists = [
    ...txs.map((tx: unknown) => memberIn(tx, 'events')),
    ...OTHER_EVENTS.map((name) => results[name]),
  ]
  let count = 0
  let isPlain = false
  for (const events of lists) {
    const attributes = attributesOf(events ?? [])
    if (attributes === undefined) return false
    for (const { key, value } of attributes) {
      count += 1
      isPlain ||= OWN_NAMES.has(key)
      if (typeof value === 'string') addresses.add(value)
    }
  }
  return count === 0 || isPlain
}

/** The attributes of a list of events; `undefined` where one of them cannot be read. */
function attributesOf(events: unknown): readonly Record<string, unknown>[] | undefined {
  if (!Array.isArray(events)) return undefined
  const lists = events.map((event: unknown) =>
    isObject(event) ? (event['attributes'] ?? []) : undefined,
  )
  const attributes: unknown[] = lists.flat()
  return lists.every(Array.isArray) && attributes.every(isObject) ? attributes : undefined
}

import { type JsonCursor, MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { isBefore } from '../../platform/bytes.js'
import { toHex } from '../../platform/encoding.js'
import {
  decodePool,
  keyIn,
  namespaceKey,
  type PoolPlace,
  type PoolValue,
  placeOf,
  startsWith,
} from '../queries/pool-storage.js'
import { type Ask, requireAnswer, Unreadable } from '../queries/query-batch.js'
import { PAGE, type Page, type StorageEntry, storage, storedValue } from '../queries/questions.js'
import { fromJson } from '../queries/wire.js'
import { unlessFaulty } from '../rpc/faults.js'

/** A pool in the storage of its pair. */
export type StoredPool = PoolPlace & PoolValue

/** Most pools of a pair; more are refused. */
const MOST = 1_000_000

/** Up to this many missing values are read one by one, more are read in pages. */
const FEW = 32

/**
 * All non-empty pools of a pair in the order of their keys, from its storage: `pools` lists them, `bid-pools` has the
 * values of all pools that ever existed, in the same order (docs/venues.md#storage). Keys between the two namespaces
 * are skipped. Needs no query gas.
 *
 * @throws Unreadable if the node refuses, or the storage has another layout
 */
export async function readPools(ask: Ask, address: string): Promise<readonly StoredPool[]> {
  const [keys, first] = await Promise.all([
    readKeys(ask, address),
    readPage(ask, address, namespaceKey('bid-pools')),
  ])
  const values = new Map<string, Uint8Array>()
  storeBidPools(values, first)
  const places = keys.map((key) => {
    const valueKey = keyIn('bid-pools', 'pools', key)
    return { key, valueKey, hex: toHex(valueKey) }
  })
  for (;;) {
    const missing = places.filter(({ hex }) => !values.has(hex))
    const [next] = missing
    if (next === undefined) break
    if (missing.length <= FEW) {
      await Promise.all(missing.map(({ valueKey }) => readOne(ask, address, valueKey, values)))
      break
    }
    storeBidPools(values, await readPage(ask, address, next.valueKey))
    if (!values.has(next.hex))
      throw new Unreadable(`a pool is listed and not stored: ${toHex(next.key)}`)
  }
  return places.map(({ key, hex }) => poolOf(key, values.get(hex)))
}

/** A stored value; `undefined` if it is missing or unreadable. */
export async function readStored<T>(
  ask: Ask,
  address: string,
  key: Uint8Array,
  decode: (node: JsonCursor) => T,
): Promise<T | undefined> {
  const reply = await ask(storedValue(address, key))
  const stored = reply.kind === 'answered' ? reply.value : undefined
  return stored && unlessFaulty(() => decode(fromJson(stored)))
}

const readPage = async (ask: Ask, address: string, key: Uint8Array): Promise<Page<StorageEntry>> =>
  requireAnswer(await ask(storage(address, key)), 'its storage')

/** The keys of the non-empty pools, ascending. */
async function readKeys(ask: Ask, address: string): Promise<readonly Uint8Array[]> {
  const namespace = namespaceKey('pools')
  const keys: Uint8Array[] = []
  for (let from: Uint8Array | undefined = namespace; from !== undefined; ) {
    const { items, next }: Page<StorageEntry> = await readPage(ask, address, from)
    if (items.length > PAGE) throw new Unreadable(`its storage comes in pages of ${items.length}`)
    for (const { key } of items) {
      const last = keys.at(-1)
      if (!startsWith(key, namespace)) return keys
      if (last !== undefined && !isBefore(last, key))
        throw new Unreadable('its storage is not in the order of its keys')
      if (keys.push(key) > MOST) throw new Unreadable(`it has more than ${MOST} pools`)
    }
    if (next !== undefined && (items.length === 0 || !isBefore(from, next)))
      throw new Unreadable('its storage does not continue where a page ends')
    from = next !== undefined && startsWith(next, namespace) ? next : undefined
  }
  return keys
}

function storeBidPools(values: Map<string, Uint8Array>, { items }: Page<StorageEntry>): void {
  for (const { key, value } of items)
    if (startsWith(key, namespaceKey('bid-pools'))) values.set(toHex(key), value)
}

async function readOne(
  ask: Ask,
  address: string,
  key: Uint8Array,
  values: Map<string, Uint8Array>,
): Promise<void> {
  const value = requireAnswer(await ask(storedValue(address, key)), 'a stored pool')
  if (value === undefined) throw new Unreadable(`a pool is listed and not stored: ${toHex(key)}`)
  values.set(toHex(key), value)
}

function poolOf(key: Uint8Array, value: Uint8Array | undefined): StoredPool {
  try {
    const { total, sum, product } = decodePool(fromJson(value ?? new Uint8Array()))
    const pool = { total, sum, product, ...placeOf('pools', key) }
    if (pool.total === 0n) throw new Unreadable(`an empty pool is listed: ${toHex(key)}`)
    return pool
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error
    throw new Unreadable(`its storage has ${toHex(key)}: ${error.pointer} ${error.message}`)
  }
}

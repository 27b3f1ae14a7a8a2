import { isObject, type JsonObject } from '../platform/json-object.js'

export type JsonValue = unknown

/**
 * Transforms one JSON value into another (docs/tape.md#deltas): the new value, the changed members of an
 * object (0 for a removed one), or the edits of an array.
 */
export type Delta =
  | readonly ['=', JsonValue]
  | readonly ['~', ...Edit[]]
  | { readonly [name: string]: Delta | 0 }

/** Copies so many elements, skips so many (negative), inserts elements, or changes the next one. */
type Edit = number | readonly ['+', ...JsonValue[]] | Delta

/** The delta between two values; `undefined` where they are the same. */
export function deltaOf(before: JsonValue, after: JsonValue): Delta | undefined {
  if (Object.is(before, after)) return undefined
  if (Array.isArray(before) && Array.isArray(after)) return arrayDelta(before, after)
  if (isObject(before) && isObject(after)) return objectDelta(before, after)
  return ['=', after]
}

/** Members keep their order: if the delta could not restore it, the object is replaced. */
function objectDelta(before: JsonObject, after: JsonObject): Delta | undefined {
  const names = Object.keys(after)
  const common = Object.keys(before).filter((name) => Object.hasOwn(after, name))
  if (common.some((name, i) => name !== names[i])) return ['=', after]
  const changed = [...Object.keys(before), ...names.slice(common.length)].flatMap((name) => {
    const delta = !Object.hasOwn(after, name)
      ? 0
      : Object.hasOwn(before, name)
        ? deltaOf(before[name], after[name])
        : (['=', after[name]] as const)
    return delta === undefined ? [] : [[name, delta] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

function arrayDelta(before: readonly JsonValue[], after: readonly JsonValue[]): Delta | undefined {
  const from = before.map((each) => JSON.stringify(each))
  const to = after.map((each) => JSON.stringify(each))
  const isWanted = new Set(to)
  const isOld = new Set(from)
  const edits: Edit[] = []
  const count = (by: 1 | -1): void => {
    const last = edits.at(-1)
    if (typeof last === 'number' && last > 0 === by > 0) edits[edits.length - 1] = last + by
    else edits.push(by)
  }
  let at = 0
  for (const [i, text] of to.entries()) {
    const found = isOld.has(text) ? from.indexOf(text, at) : -1
    for (; at < found; at++) count(-1)
    if (found >= 0) count(1)
    else if (at < from.length && !isWanted.has(from[at]!))
      edits.push(deltaOf(before[at], after[i])!)
    else {
      insert(edits, after[i])
      continue
    }
    at++
  }
  const isSame = edits.length <= 1 && from.length === to.length && (edits[0] ?? 0) === to.length
  return isSame ? undefined : ['~', ...edits]
}

function insert(edits: Edit[], value: JsonValue): void {
  const last = edits.at(-1)
  if (Array.isArray(last) && last[0] === '+') last.push(value)
  else edits.push(['+', value])
}

/**
 * Applies a delta. Unchanged parts are the same objects as before.
 *
 * @throws TypeError if the delta does not belong to this value
 */
export function applyDelta(before: JsonValue, delta: Delta): JsonValue {
  if (!isEdits(delta)) return withMembers(before, delta)
  if (delta[0] === '=') return delta[1]
  if (!Array.isArray(before)) throw new TypeError('edits of an array for another value')
  const [, ...edits] = delta as readonly ['~', ...Edit[]]
  const after: JsonValue[] = []
  let at = 0
  for (const edit of edits) {
    if (typeof edit === 'number') {
      const next = at + Math.abs(edit)
      if (next > before.length) throw new TypeError('edits beyond the end of an array')
      if (edit > 0) for (let i = at; i < next; i++) after.push(before[i])
      at = next
    } else if (Array.isArray(edit) && edit[0] === '+')
      for (const value of edit.slice(1)) after.push(value)
    else after.push(applyDelta(before[at++], edit as Delta))
  }
  return after
}

const isEdits = (delta: Delta): delta is Extract<Delta, readonly unknown[]> => Array.isArray(delta)

function withMembers(before: JsonValue, delta: Exclude<Delta, readonly unknown[]>): JsonValue {
  if (!isObject(before)) throw new TypeError('members of an object for another value')
  const after = new Map(Object.entries(before))
  for (const [name, change] of Object.entries(delta))
    if (change === 0) after.delete(name)
    else after.set(name, applyDelta(after.get(name), change))
  return Object.fromEntries(after)
}

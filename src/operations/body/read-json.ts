import { SwapError } from '../../engine/errors.js'
import { parseUint128 } from '../../engine/math/decimal.js'
import { pointerStep } from '../../engine/snapshot/json-cursor.js'
import { AMOUNT_HINT, MOST_SHOWN, shortened } from '../amount.js'
import { LONGEST_POINTER } from '../validate.js'
import { jsonFault, nameIn } from './json-fault.js'

/** Maximum nesting; the deepest request has five levels. */
export const DEEPEST = 16

/** Maximum number of names and values: a body of 128 KiB is walked in 10 ms; a batch of a hundred has 9,000. */
const MOST = 16_384

/** The least values of amount members, by their names at any depth. */
const AMOUNTS: ReadonlyMap<string, bigint> = new Map([
  ['amount', 1n],
  ['min_out', 1n],
  ['total', 1n],
  // Zero cancels an order.
  ['target', 0n],
])

/**
 * Parses a request body and checks its text. `JSON.parse` alone would round numbers, use the last of
 * duplicate members, and accept `1e3` and `1.0` as whole numbers: here a numeric amount must have plain
 * digits, other numbers must be exact, and members must be unique.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT
 */
export function readJson(text: string): unknown {
  const value = parse(text)
  checkWritten(text)
  return value
}

/** A part of a text, by its path and its name in errors. */
type Part = { readonly path: readonly string[]; readonly name: string }

/**
 * The check of `readJson` alone, for valid JSON.
 *
 * @param whole the name of the text in errors; `the body` by default
 * @param part inside which error pointers are relative to it
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT
 */
export function checkWritten(text: string, whole?: string, part?: Part): void {
  inspect(text, DEEPEST, (open, faultAt) => {
    const depth = part?.path.length ?? 0
    const isInside = open.length > depth && part?.path.every((name, i) => open[i]!.at === name)
    throw isInside
      ? faultAt(pointerOf(open.slice(depth)), part?.name)
      : faultAt(pointerOf(open), whole)
  })
}

/**
 * Parses `{ "requests": [{ "name": {...} }, ...] }`. What `readJson` would refuse inside one request becomes
 * the fault of that request only.
 *
 * @throws SwapError INVALID_REQUEST for invalid text outside the requests
 */
export function readBatchJson(text: string) {
  const value = parse(text)
  const faults = new Map<number, SwapError>()
  inspect(text, DEEPEST + AROUND, (open, faultAt) => {
    const [body, list] = open
    const index = list?.at
    if (open.length <= AROUND || body?.at !== 'requests' || typeof index !== 'number')
      throw faultAt(pointerOf(open))
    if (!faults.has(index)) faults.set(index, faultAt(pointerOf(open.slice(AROUND))))
  })
  /** By index of the request; pointers are relative to the request. */
  return { value, faults: faults as ReadonlyMap<number, SwapError> }
}

/** Open containers around a request of a batch: the body, the list, and the object named by the operation. */
const AROUND = 3

function parse(text: string): unknown {
  // Bytes that are not UTF-8 were decoded as this character.
  if (text.includes('\ufffd'))
    throw notJson('it has bytes that are not UTF-8, or the character U+FFFD')
  try {
    return JSON.parse(text)
  } catch {
    if (text.startsWith('\ufeff')) throw notJson('it begins with a byte order mark')
    throw notJson(text.trim() === '' ? 'it is empty' : `it is not JSON: ${jsonFault(text)}`)
  }
}

const notJson = (why: string, whole?: string): SwapError => unreadable('', why, why, whole)

/** The fault of one member or element. */
const memberFault =
  (detail: string) =>
  (pointer: string, whole?: string): SwapError =>
    unreadable(pointer, detail, `${pointer.slice(0, LONGEST_POINTER) || 'it'} ${detail}`, whole)

const unreadable = (pointer: string, detail: string, why: string, whole = 'the body'): SwapError =>
  new SwapError('INVALID_REQUEST', `${whole} cannot be read as JSON`, {
    why,
    hint: 'write one JSON object, each member once and each number exactly',
    members: { errors: [{ pointer, detail }] },
  })

/** An open object or array during the walk. */
type OpenContainer = { readonly isObject: boolean; names?: Set<string>; at: string | number }

/** Called with a fault and the containers around it. */
type OnFault = (
  open: readonly OpenContainer[],
  faultAt: (pointer: string, whole?: string) => SwapError,
) => void

/** Walks valid JSON token by token. */
function inspect(text: string, deepest: number, report: OnFault): void {
  const open: OpenContainer[] = []
  let count = 0
  jsonFault(text, (token, isName) => {
    const container = open.at(-1)
    const first = token[0]!
    if (first === '}' || first === ']') open.pop()
    else if (first === ',') {
      if (typeof container?.at === 'number') container.at += 1
    } else if (first !== ':') {
      count += 1
      if (count > MOST)
        report([], (_, whole) => notJson(`it has more than ${MOST} names and values`, whole))
      if (first === '{' || first === '[') {
        if (open.length >= deepest)
          report(open, (_, whole) => notJson(`it is nested more than ${DEEPEST} deep`, whole))
        open.push(first === '{' ? { isObject: true, at: '' } : { isObject: false, at: 0 })
      } else if (isName) addMember(container!, token, open, report)
      else if (/[-\d]/.test(first)) checkNumber(token, open, report)
    }
  })
}

/** Checks the name of a member: unique in its object, and not a built-in property of JavaScript objects. */
function addMember(
  container: OpenContainer,
  token: string,
  open: readonly OpenContainer[],
  report: OnFault,
): void {
  const name = nameIn(token)
  container.at = name
  const names = (container.names ??= new Set())
  if (names.has(name)) report(open, memberFault('is given twice'))
  if (name === '__proto__') report(open, memberFault('is not a member of this request'))
  names.add(name)
}

function checkNumber(token: string, open: readonly OpenContainer[], report: OnFault): void {
  const container = open.at(-1)
  const least = container?.isObject ? AMOUNTS.get(String(container.at)) : undefined
  if (least === undefined) {
    if (isRounded(token)) report(open, memberFault('cannot be read exactly'))
    return
  }
  const amount = parseUint128(token)
  if (amount !== undefined && amount >= least && amount <= BigInt(Number.MAX_SAFE_INTEGER)) return
  report(
    open,
    (pointer) =>
      new SwapError('INVALID_AMOUNT', `${shortened(token, MOST_SHOWN)} is not an amount`, {
        why: 'a number is read only where every reader of JSON agrees on it: whole, above zero, at most 2^53-1, in plain digits',
        hint: AMOUNT_HINT,
        members: { pointer },
      }),
  )
}

/** Maximum length of a number; no integer below 2^53 needs more. */
const LONGEST_NUMBER = 64

/** An integer below 2^53, as nearly all numbers are. */
const PLAIN = /^\d{1,15}$/

/** Whether `JSON.parse` would round a number to an integer. */
function isRounded(token: string): boolean {
  if (PLAIN.test(token)) return false
  if (token.length > LONGEST_NUMBER) return true
  const value = Number(token)
  if (!Number.isInteger(value)) return !Number.isFinite(value)
  const [written, read] = [decimalOf(token), decimalOf(String(value))]
  return (
    written.digits !== read.digits || (written.digits !== '' && written.exponent !== read.exponent)
  )
}

/** Significant digits without leading and trailing zeros, and the power of ten. */
function decimalOf(token: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', part = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(token) ?? []
  const digits = (whole + part).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return {
    digits: significant,
    exponent: Number(power) - part.length + digits.length - significant.length,
  }
}

const pointerOf = (open: readonly OpenContainer[]): string =>
  open.map(({ at }) => pointerStep(at)).join('')

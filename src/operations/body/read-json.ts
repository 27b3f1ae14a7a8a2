import { SwapError } from '../../engine/errors.js'
import { parseUint128 } from '../../engine/math/uint.js'
import { jsonFault } from './json-fault.js'

/** Deeper bodies are refused; the deepest request has five levels. */
const DEEPEST = 16

/** Names of members that hold amounts, at any depth. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'min_out'])

/**
 * Reads a request body as it is written. `JSON.parse` alone would round a number to a whole one, take the last of two
 * members of one name, and take `1e3` and `1.0` for whole numbers: an amount that is a number must be spelled in plain
 * digits, any other must be exact, and a member may occur once.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT
 */
export function readJson(text: string): unknown {
  const value = parse(text)
  checkWritten(text)
  return value
}

/**
 * The check of `readJson` alone, for a text that is known to be JSON.
 *
 * @param around members that lead to a request in the text: pointers into it begin there
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT
 */
export function checkWritten(text: string, around: readonly string[] = []): void {
  inspect(text, DEEPEST, (open, faultAt) => {
    const isInside = open.length > around.length && around.every((name, i) => open[i]!.at === name)
    throw faultAt(pointerOf(isInside ? open.slice(around.length) : open))
  })
}

/** A body with many requests, and what is wrong with how some of them are written. */
type BatchBody = {
  readonly value: unknown
  /** By the request's place; pointers begin at the request. */
  readonly faults: ReadonlyMap<number, SwapError>
}

/**
 * Reads `{ "requests": [{ "name": {...} }, ...] }` as it is written. What `readJson` would refuse inside
 * of one request is the fault of that one alone.
 *
 * @throws SwapError INVALID_REQUEST where the text around the requests cannot be read
 */
export function readBatchJson(text: string): BatchBody {
  const value = parse(text)
  const faults = new Map<number, SwapError>()
  inspect(text, DEEPEST + AROUND, (open, faultAt) => {
    const [body, list] = open
    const index = list?.at
    if (open.length <= AROUND || body?.at !== 'requests' || typeof index !== 'number')
      throw faultAt(pointerOf(open))
    if (!faults.has(index)) faults.set(index, faultAt(pointerOf(open.slice(AROUND))))
  })
  return { value, faults }
}

/** What is open around a request of many: the body, the list and the object that names its operation. */
const AROUND = 3

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(text.trim() === '' ? 'it is empty' : `it is not JSON: ${jsonFault(text)}`)
  }
}

const notJson = (why: string, pointer = ''): SwapError =>
  new SwapError('INVALID_REQUEST', 'the body is not a JSON document that can be read', {
    why,
    hint: 'send one JSON object, as the documentation of the operation shows it',
    members: { errors: [{ pointer, detail: why }] },
  })

/** An object or an array that is open while the text is walked. */
type OpenContainer = { readonly names: Set<string> | undefined; at: string | number }

/** The begin of a string, a number, a word or a mark; between them are only spaces, commas and colons. */
const TOKENS = /"|[-+.\w]+|[[\]{}:,]/g

/** The tokens of a text that is known to be JSON. A pattern of whole strings would overflow at long ones. */
function* tokensOf(text: string): Generator<string> {
  const tokens = new RegExp(TOKENS)
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const { index } = found
    if (found[0] === '"') tokens.lastIndex = endOfString(text, index)
    yield text.slice(index, tokens.lastIndex)
  }
}

/** @returns the place after the quotation mark that ends the string */
function endOfString(text: string, begin: number): number {
  let end = begin
  let escapes: number
  do {
    end = text.indexOf('"', end + 1)
    escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes += 1
  } while (escapes % 2 === 1)
  return end + 1
}

/** Called with a fault and the open objects and arrays around it. */
type OnFault = (open: readonly OpenContainer[], faultAt: (pointer: string) => SwapError) => void

/** Walks a text that is known to be JSON, token by token. */
function inspect(text: string, deepest: number, report: OnFault): void {
  const open: OpenContainer[] = []
  let named = false
  for (const token of tokensOf(text)) {
    const inner = open.at(-1)
    const first = token[0]!
    if (first === '{' || first === '[') {
      if (open.length >= deepest)
        report(open, () => notJson(`it is nested more than ${DEEPEST} deep`))
      open.push(first === '{' ? { names: new Set(), at: '' } : { names: undefined, at: 0 })
      named = false
    } else if (first === '}' || first === ']') {
      open.pop()
      named = true
    } else if (first === ',') {
      if (inner && typeof inner.at === 'number') inner.at += 1
      named = false
    } else if (first === ':') {
      named = true
    } else if (first === '"') {
      if (inner?.names && !named) addMember(inner, token, open, report)
    } else if (isNumber(first)) checkNumber(token, open, report)
  }
}

const isNumber = (first: string): boolean => first === '-' || (first >= '0' && first <= '9')

/** Checks the name of a member: it may occur once and may not be a built-in property of JavaScript. */
function addMember(
  inner: OpenContainer,
  token: string,
  open: readonly OpenContainer[],
  report: OnFault,
): void {
  const name = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
  inner.at = name
  if (inner.names!.has(name)) report(open, (pointer) => notJson('it is given twice', pointer))
  if (name === '__proto__')
    report(open, (pointer) => notJson('is not a member of this request', pointer))
  inner.names!.add(name)
}

function checkNumber(token: string, open: readonly OpenContainer[], report: OnFault): void {
  const inner = open.at(-1)
  if (!inner?.names || !AMOUNTS.has(String(inner.at))) {
    if (isRounded(token))
      report(open, (pointer) => notJson('the number cannot be read exactly', pointer))
    return
  }
  const amount = parseUint128(token)
  if (amount !== undefined && amount > 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER)) return
  const shown = token.length > 48 ? `${token.slice(0, 45)}...` : token
  report(
    open,
    (pointer) =>
      new SwapError('INVALID_AMOUNT', `${shown} is not an amount`, {
        why: 'a number is read only where every reader of JSON agrees on it: whole, above zero, at most 2^53-1, in plain digits',
        hint: 'write it as a string of digits, such as "150000000"',
        members: { pointer },
      }),
  )
}

/** Longest number; no whole one below 2^53 needs as many characters. */
const LONGEST_NUMBER = 64

/** A number that `JSON.parse` makes a whole one of, which it is not as it is written. */
function isRounded(token: string): boolean {
  if (token.length > LONGEST_NUMBER) return true
  const value = Number(token)
  if (!Number.isInteger(value)) return !Number.isFinite(value)
  const [written, read] = [decimalOf(token), decimalOf(String(value))]
  return (
    written.digits !== read.digits || (written.digits !== '' && written.exponent !== read.exponent)
  )
}

/** Digits without leading and trailing zeros, times a power of ten. */
function decimalOf(token: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', part = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(token) ?? []
  const digits = (whole + part).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  return { digits: kept, exponent: Number(power) - part.length + digits.length - kept.length }
}

const pointerOf = (open: readonly OpenContainer[]): string =>
  open.map(({ at }) => `/${String(at).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

import { SwapError } from '../../engine/errors.js'
import { parseUint128 } from '../../engine/math/uint.js'

/** Deeper bodies are refused; the deepest request has five levels. */
const DEEPEST = 16

/** Names of members that hold amounts, at any depth. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'min_out'])

/**
 * Reads a request body as it is written. `JSON.parse` alone would round a number, take the last of two
 * members of one name, and take `1e3` and `1.0` for whole numbers: an amount that is a number must be
 * spelled in plain digits, and a member may occur once.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT
 */
export function readJson(text: string): unknown {
  const value = parse(text)
  inspect(text, DEEPEST, (open, faultAt) => {
    throw faultAt(pointerOf(open))
  })
  return value
}

/** A body with many requests, and what is wrong with how some of them are written. */
export type BatchBody = {
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
  } catch (error) {
    throw notJson(text.trim() === '' ? 'it is empty' : messageOfError(error))
  }
}

const messageOfError = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 200) : 'it cannot be parsed'

const notJson = (why: string, pointer = ''): SwapError =>
  new SwapError('INVALID_REQUEST', 'the body is not a JSON document that can be read', {
    why,
    hint: 'send one JSON object, as the documentation of the operation shows it',
    members: { errors: [{ pointer, detail: why }] },
  })

/** An object or an array that is open while the text is walked. */
type OpenContainer = { readonly names: Set<string> | undefined; at: string | number }

/** A string, a number, a word or a mark; between them are only spaces, commas and colons. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,]/g

/** Called with a fault and the open objects and arrays around it. */
type OnFault = (open: readonly OpenContainer[], faultAt: (pointer: string) => SwapError) => void

/** Walks a text that is known to be JSON, token by token. */
function inspect(text: string, deepest: number, report: OnFault): void {
  const open: OpenContainer[] = []
  let named = false
  for (const [token] of text.matchAll(TOKENS)) {
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
    } else if (inner?.names && isNumber(first)) checkAmountText(token, inner, open, report)
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

function checkAmountText(
  token: string,
  inner: OpenContainer,
  open: readonly OpenContainer[],
  report: OnFault,
): void {
  if (!AMOUNTS.has(String(inner.at))) return
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

const pointerOf = (open: readonly OpenContainer[]): string =>
  open.map(({ at }) => `/${String(at).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

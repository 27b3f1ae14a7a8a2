import { resolve } from 'node:path'
import { nodeUrl } from '../chain/rpc/http/mask.js'
import { invalidRequest, SwapError } from '../engine/errors.js'
import { isDatabaseUrl } from '../history/store/database-url.js'
import { SLIPPAGES } from '../operations/defaults.js'
import { didYouMean } from '../operations/suggest.js'
import { quote } from '../render/width.js'

/** The place of a value, for its parser. */
export type ValuePlace = {
  /** Its name there: `--max-hops`, `SWAP_MAX_HOPS` or `max_hops`. */
  readonly label: string
  /** The folder to which relative paths refer: that of the file, otherwise the current one. */
  readonly folder: string
  /** The member of the request, if its name differs from the label. */
  readonly pointer?: string
  /** Formats a value for hints, if not as the label does. */
  readonly written?: (value: string) => string
}

type Syntax = Pick<ValuePlace, 'label' | 'written'>

/** A value in the syntax of its place, for hints. @example '--slippage 0.5%' 'slippage: 0.5%' */
function settingText({ label, written }: Syntax, value: string): string {
  if (written !== undefined) return written(value)
  if (label.startsWith('--')) return `${label} ${value}`
  return label.startsWith('SWAP_') ? `${label}=${value}` : `${label}: ${value}`
}

const example = (where: Syntax, value: string): string => `write e.g. ${settingText(where, value)}`

/** Turns the text of a setting into its value, or throws. */
export type Reader<T> = (text: string, where: ValuePlace) => T

/** @example orList(['human', 'json', 'csv']) // 'human, json or csv' */
export const orList = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** One word of a list. */
export const oneOf =
  <const T extends string>(...words: readonly T[]): Reader<T> =>
  (text, where) => {
    const word = words.find((each) => each === text)
    if (word !== undefined) return word
    const suggestion = didYouMean(text, words)
    throw invalidValue(
      text,
      where,
      `it is one of ${words.join(', ')}`,
      suggestion ?? example(where, words[0]!),
    )
  }

/** A whole number in digits, both ends included. */
export const integer =
  (least: number, most: number): Reader<number> =>
  (text, where) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    const why = `it is a whole number from ${least} to ${most}`
    const sample = value > most ? most : Math.max(least, 1)
    throw invalidValue(text, where, why, example(where, `${sample}`))
  }

/** A number in digits, both ends included; a percent or dollar sign is ignored. */
export const decimal =
  (least: number, most: number): Reader<number> =>
  (text, where) => {
    const [, digits = ''] = /^\$?(\d{1,15}(?:\.\d{1,15})?)%?$/.exec(text) ?? []
    if (digits !== '' && Number(digits) >= least && Number(digits) <= most) return Number(digits)
    const why = `it is a number from ${least} to ${most}`
    throw invalidValue(text, where, why, example(where, '0.1'))
  }

/** `1 true yes` and `0 false no`; other words, such as `on`, are rejected. */
export const yesOrNo: Reader<boolean> = (text, where) => {
  if (['1', 'true', 'yes'].includes(text)) return true
  if (['0', 'false', 'no'].includes(text)) return false
  const hint = example(where, 'yes')
  throw invalidValue(text, where, 'it is one of 1, true, yes, 0, false, no', hint)
}

/** An absolute path. `-` (standard input) is unchanged. */
export const path: Reader<string> = (text, where) => (text === '-' ? text : fileIn(text, where))

/** Refuses `~/`, which a shell leaves in `--database=~/x`: a folder of that name would be used. */
function fileIn(text: string, where: ValuePlace): string {
  if (!/^~([/\\]|$)/.test(text)) return resolve(where.folder, text)
  throw invalidValue(text, where, '~ is not expanded here', 'write the whole path')
}

/**
 * Not names of files: other URLs, `-`, and what is meant for a server (a URL with a slip, `host=db password=...`),
 * which would put a password into the name of a file.
 */
const UNUSABLE_FILE = /^[\w+]+:\/\/|^-?$|^postgres(ql)?(:|\/\/)|:[^/\\]*@|\bpassword=/i

/** The driver takes the port from the parameters as well. */
const hasPort = ({ searchParams }: URL): boolean => {
  const port = searchParams.get('port') ?? '0'
  return /^\d{1,5}$/.test(port) && Number(port) < 2 ** 16
}

/** A file as an absolute path, or the URL of a PostgreSQL server, which may hold a password. */
export const database: Reader<string> = (text, where) => {
  const { label } = where
  if (isDatabaseUrl(text)) {
    if (URL.canParse(text) && hasPort(new URL(text))) return text
  } else if (!UNUSABLE_FILE.test(text)) return fileIn(text, where)
  const why = 'it is a URL that begins with postgres://, or a file'
  throw invalidRequest(`the database cannot be used for ${label}`, pointerOf(label), {
    why,
    hint: example({ label }, 'postgres://user@host/name'),
  })
}

/** A name without spaces or control characters. */
export const word: Reader<string> = (text, where) => {
  if (/^[\x21-\x7e]{1,128}$/.test(text)) return text
  throw invalidValue(text, where, 'it is one word', example(where, 'name'))
}

/** A text shaped like an address of any network. */
export const address: Reader<string> = (text, where) => {
  if (/^[a-z][a-z0-9]{0,19}1[a-z0-9]{1,100}$/.test(text)) return text
  throw invalidValue(text, where, 'it is not an address', example(where, 'thor1...'))
}

/** The units of a duration, in milliseconds. */
const units: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** The milliseconds of a duration such as `500ms`, `20s`, `1.5m` or `2h`; NaN of other texts. */
export function milliseconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? []
  return count === '' ? Number.NaN : Math.round(Number(count) * units.get(unit)!)
}

/** @example durationText(600_000) // '10m' */
function durationText(ms: number): string {
  if (ms === 0) return '0s'
  const [unit, size] = [...units].findLast(([, each]) => ms % each === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}

/** A duration such as `500ms`, `20s` or `1.5m`, in milliseconds, both ends included. */
export const duration =
  (leastMs: number, mostMs: number): Reader<number> =>
  (text, where) => {
    const value = milliseconds(text)
    if (value >= leastMs && value <= mostMs) return value
    const why = `it is a number with ms, s, m or h, from ${durationText(leastMs)} to ${durationText(mostMs)}`
    throw invalidValue(text, where, why, example(where, '20s'))
  }

/** An amount of dollars with at most six decimals, in millionths: `250`, `$99.50`. */
export const dollars: Reader<bigint> = (text, where) => {
  const [, whole, part = ''] = /^\$?(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole !== undefined) return BigInt(whole + part.padEnd(6, '0'))
  throw invalidValue(text, where, 'it is an amount of dollars', example(where, '250'))
}

/** URLs of nodes, separated by spaces or commas. Errors never contain them: they may hold keys. */
export const urls: Reader<readonly string[]> = (text, { label }) => {
  const list = text.split(/[\s,]+/).filter((each) => each !== '')
  if (list.length > 0 && list.every((each) => nodeUrl(each) !== undefined)) return list
  const why = 'one of them is no URL that begins with http:// or https://'
  throw invalidRequest(`the address of a node cannot be used for ${label}`, pointerOf(label), {
    why,
    hint: example({ label }, 'https://rpc.example.com'),
  })
}

/** The error of an invalid value of a setting or a flag. */
export const invalidValue = (
  text: string,
  { label, pointer = pointerOf(label) }: ValuePlace,
  why: string,
  hint: string,
): SwapError =>
  invalidRequest(`${quote(text)} cannot be used for ${label}`, pointer, {
    why,
    hint,
  })

/** The request's member of the same name. */
const pointerOf = (label: string): string =>
  `/${label
    .replace(/^(--|SWAP_)/, '')
    .replaceAll('-', '_')
    .toLowerCase()}`

/** A flag that takes a ratio with its unit, and the data for its errors. */
type RatioFlag = Omit<ValuePlace, 'folder'> & {
  readonly code: 'INVALID_SLIPPAGE' | 'INVALID_REQUEST'
  /** Member of the request, e.g. `/slippage_bps`. */
  readonly pointer: string
  /** Largest value, in bps. */
  readonly max: number
  /** A value for hints that fits the flag better than 0.5 %. */
  readonly example?: string | undefined
}

/** `--slippage`: less than 100 %. */
export const slippageFlag: RatioFlag = {
  label: '--slippage',
  code: 'INVALID_SLIPPAGE',
  pointer: '/slippage_bps',
  max: SLIPPAGES[1],
}

/**
 * A ratio with its unit, in whole basis points; fractions of one are rejected, not rounded.
 *
 * @example parseRatio('0.5%', slippageFlag) // 50
 */
export function parseRatio(text: string, flag: RatioFlag): number {
  const bps = bpsOf(text, flag.max)
  if (typeof bps === 'number') return bps
  throw ratioRefused(text, flag, bps)
}

/** The basis points of a ratio with its unit, or why the text is none. */
function bpsOf(text: string, max: number): number | string {
  const match = /^(\d{1,15})?(?:\.(\d{1,18}))? ?(%|bps)$/.exec(text)
  if (match === null || (match[1] ?? match[2]) === undefined)
    return isBare(text) ? 'the unit is missing: % or bps?' : 'it is not a percentage or bps'
  const percent = match[3] === '%'
  const [whole, fraction] = [match[1] ?? '0', (match[2] ?? '').replace(/0+$/, '')]
  const places = percent ? 2 : 0
  if (fraction.length > places) return 'a basis point (0.01 %) is the smallest step'
  const bps = Number(whole + fraction.padEnd(places, '0'))
  return bps <= max ? bps : `the largest is ${percent ? `${max / 100}%` : `${max} bps`}`
}

const isBare = (text: string): boolean => text.length < 20 && /^\d*\.?\d+$/.test(text)

/** What a number without a unit can mean: `0.01` is 0.01 % or, as a fraction, 1 %. */
function readings(text: string, max: number): readonly string[] {
  const [, whole, more = ''] = /^0?\.0(\d)(\d*)$/.exec(text) ?? []
  const fraction = whole === undefined ? [] : [`${whole}${more && `.${more}`}%`]
  return [`${text}%`, `${text}bps`, ...fraction].filter(
    (each) => typeof bpsOf(each, max) === 'number',
  )
}

function ratioRefused(text: string, flag: RatioFlag, why: string): SwapError {
  const meant = isBare(text) ? readings(text, flag.max) : []
  const usual = flag.example === undefined ? ['0.5%', '50bps'] : [flag.example]
  const examples = meant.length > 0 ? meant : usual
  const members =
    flag.code === 'INVALID_SLIPPAGE'
      ? { min: 0, max: flag.max, pointer: flag.pointer }
      : { errors: [{ pointer: flag.pointer, detail: why }] }
  return new SwapError(flag.code, `${quote(text)} cannot be used for ${flag.label}`, {
    why,
    hint: `write ${meant.length > 0 ? '' : 'e.g. '}${examples.map((each) => settingText(flag, each)).join(' or ')}`,
    members,
  })
}

import {
  decimal,
  duration,
  integer,
  invalidValue,
  oneOf,
  parseRatio,
} from '../../config/readers.js'
import type { SwapError } from '../../engine/errors.js'
import type { ValueSchema } from '../../operations/request-members.js'
import { choices, type Flag, type FlagValues } from '../command.js'

/** A flag whose value is checked against a schema; its help states the schema's bounds and default. */
export type CheckedFlag = Flag & {
  readonly schema: ValueSchema
  /** Basis points with their unit: `0.5%`, `50bps`. */
  readonly isRatio?: boolean
  /** The member of the request, for errors. */
  readonly pointer?: string
}

/** Additions to the schema; `meaning` replaces the schema's description. */
export type FlagDetails = Partial<Omit<CheckedFlag, 'flags' | 'schema'>> & {
  readonly example?: string
  /** The default in words, if it is not the schema's. */
  readonly fallback?: string
}

/**
 * A flag with description, bounds, choices and default of a schema.
 *
 * @param flags in commander's syntax: `--threads <n>`
 */
export const checkedFlag = (
  flags: string,
  schema: ValueSchema,
  { meaning, example, fallback, ...details }: FlagDetails = {},
): CheckedFlag => ({
  ...(schema.enum && { value: choices(...schema.enum) }),
  ...details,
  flags,
  schema,
  // Computed for help only, since every start of the program declares all flags.
  get meaning() {
    const { isRatio } = details
    const usual = isRatio ? percentText(schema.default) : schema.default
    const parts = [
      (meaning ?? sentenceOf(schema)) + (isRatio ? '' : rangeText(schema)),
      ...(example === undefined ? [] : [`, e.g. ${example}`]),
      ...(fallback === undefined ? [] : [` (default: ${fallback})`]),
      ...(fallback !== undefined || usual === undefined ? [] : [` (default ${usual})`]),
    ]
    return parts.join('')
  },
})

/** A description in the style of a help row. */
function sentenceOf({ description = '' }: ValueSchema): string {
  const sentence = description.replace(/\.$/, '')
  return /^[A-Z][A-Z]/.test(sentence)
    ? sentence
    : sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Larger bounds are technical and left out of the help. */
const SHOWN_BOUND = 10_000

function rangeText({ type, minimum, maximum = Infinity, enum: words }: ValueSchema): string {
  if (words !== undefined) return `: ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  return type === 'integer' && maximum <= SHOWN_BOUND ? `, ${minimum} to ${maximum}` : ''
}

const percentText = (bps: unknown): string | undefined =>
  typeof bps === 'number' ? `${bps / 100}%` : undefined

/** A flag that reads its value from those of a call. */
type ReadableFlag<Value> = CheckedFlag & {
  /** @throws SwapError INVALID_REQUEST */
  read(given: FlagValues): Value
}

const readable = <Value>(flag: CheckedFlag, usual?: Value): ReadableFlag<Value> =>
  Object.assign(flag, { read: (given: FlagValues) => (readFlag(flag, given) ?? usual) as Value })

type Bounds = readonly [least: number, most: number]
type NumberDetails<Default> = FlagDetails & { readonly usual?: Default }

const numberFlag = <Default extends number | undefined>(
  flags: string,
  schema: ValueSchema,
  { usual, ...details }: NumberDetails<Default>,
) => readable<number | Default>(checkedFlag(flags, schema, details), usual)

/** A flag without a request member that takes a whole number. */
export const wholeFlag = <Default extends number | undefined = undefined>(
  flags: string,
  meaning: string,
  [minimum, maximum]: Bounds,
  details: NumberDetails<Default> = {},
) => {
  const schema = { type: 'integer', minimum, maximum, default: details.usual }
  return numberFlag(flags, schema, { meaning, ...details })
}

/** A flag without a request member that takes a duration, in milliseconds. */
export const durationFlag = <Default extends number | undefined = undefined>(
  flags: string,
  meaning: string,
  [minimum, maximum]: Bounds,
  details: NumberDetails<Default> = {},
) => {
  const { usual } = details
  const fallback = usual === undefined ? {} : { fallback: `${usual / 1000}s` }
  const schema = { type: 'duration', minimum, maximum }
  return numberFlag(flags, schema, { meaning, ...fallback, ...details })
}

/** A flag without a request member that takes a ratio with its unit, in basis points. */
export const ratioFlag = <Default extends number | undefined = undefined>(
  flags: string,
  meaning: string,
  details: NumberDetails<Default> = {},
) => {
  const schema = { maximum: 10_000, default: details.usual }
  return numberFlag(flags, schema, { meaning, ...details, isRatio: true })
}

/** A flag without a request member that takes one of some words. */
export const wordFlag = <Word extends string, Default extends Word | undefined = undefined>(
  flags: string,
  meaning: string,
  words: readonly Word[],
  { usual, ...details }: FlagDetails & { readonly usual?: Default } = {},
) => {
  const fallback = usual === undefined ? {} : { fallback: usual }
  const checked = checkedFlag(flags, { enum: words }, { meaning, ...fallback, ...details })
  return readable<Word | Default>(checked, usual)
}

/** The values of flags, each under the name of its flag. */
type ValuesOf<Flags> = {
  readonly [Name in keyof Flags]: Flags[Name] extends ReadableFlag<infer Value> ? Value : never
}

/** Reads several flags. @throws SwapError INVALID_REQUEST */
export const valuesOf = <const Flags extends Readonly<Record<string, ReadableFlag<unknown>>>>(
  flags: Flags,
  given: FlagValues,
): ValuesOf<Flags> =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, flag.read(given)]),
  ) as ValuesOf<Flags>

/** Refuses numbers and words out of range, also in flags that the call does not use. @throws SwapError INVALID_REQUEST */
export function checkValues(flags: readonly Flag[], given: FlagValues): void {
  const isReadable = (flag: Flag): flag is ReadableFlag<unknown> => 'read' in flag
  for (const flag of flags.filter(isReadable)) flag.read(given)
}

/** The text of a flag; `undefined` if it was not given. */
export const textOf = (flags: FlagValues, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export const textsOf = (flags: FlagValues, name: string): readonly string[] =>
  [flags[name] ?? []].flat().map(String)

/** @example longName('-f, --max-hops <n>') // 'max-hops' */
export const longName = (flags: string): string => /--([a-z-]+)/.exec(flags)?.[1] ?? ''

/** The name of a flag's value in `FlagValues`. */
export const valueName = (flags: string): string =>
  longName(flags).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The value of a flag, checked against its schema; `undefined` if it was not given.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function readFlag({ flags, schema, isRatio, ...flag }: CheckedFlag, given: FlagValues) {
  const text = given[valueName(flags)]
  if (typeof text !== 'string') return text === true || undefined
  const name = longName(flags)
  const { pointer = `/${name.replaceAll('-', '_')}` } = flag
  const where = { label: `--${name}`, folder: '', pointer }
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (isRatio) {
    const max = schema.maximum ?? 10_000
    const [, example] = /<([\d.]+%)>/.exec(flags) ?? []
    return parseRatio(text, { ...where, code: 'INVALID_REQUEST', max, example })
  }
  if (schema.enum !== undefined) return oneOf(...schema.enum)(text, where)
  if (schema.type === 'duration') return duration(minimum, maximum)(text, where)
  if (schema.type === 'integer') return integer(minimum, maximum)(text, where)
  return schema.type === 'number' ? decimal(minimum, maximum)(text, where) : text
}

export const flagRefused = (text: string, flag: string, why: string, example: string): SwapError =>
  invalidValue(text, { label: flag, folder: '' }, why, `write e.g. ${flag} ${example}`)

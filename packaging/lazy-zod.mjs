// What the SDK of MCP imports from zod, with schemas that are built where they are first read.
import * as zod from 'zod/v4'

/** Methods that make a schema of a schema. Others build the schema they are called on. */
const DERIVING = new Set(
  [
    ['and', 'array', 'catch', 'catchall', 'default', 'describe', 'extend', 'int', 'loose', 'max'],
    ['merge', 'min', 'nonnegative', 'nullable', 'omit', 'optional', 'or', 'partial', 'pick'],
    ['pipe', 'readonly', 'refine', 'startsWith', 'strict', 'strip', 'superRefine', 'transform'],
  ].flat(),
)

function lazily(build) {
  let schema
  const built = () => (schema ??= build())
  return new Proxy(Object.create(null), {
    get(_, key) {
      if (!DERIVING.has(key)) return built()[key]
      return (...args) => lazily(() => built()[key](...args))
    },
    set: (_, key, value) => Reflect.set(built(), key, value),
    has: (_, key) => Reflect.has(built(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(built()),
  })
}

const later =
  (make) =>
  (...args) =>
    lazily(() => make(...args))

// Named one by one, so that the rest of zod is left out.
export const any = later(zod.any)
export const array = later(zod.array)
export const boolean = later(zod.boolean)
export const coerce = { number: later(zod.coerce.number) }
export const discriminatedUnion = later(zod.discriminatedUnion)
export const email = later(zod.email)
export const intersection = later(zod.intersection)
export const iso = { date: later(zod.iso.date), datetime: later(zod.iso.datetime) }
export const literal = later(zod.literal)
export const looseObject = later(zod.looseObject)
export const number = later(zod.number)
export const object = later(zod.object)
export const optional = later(zod.optional)
export const preprocess = later(zod.preprocess)
export const record = later(zod.record)
export const string = later(zod.string)
export const union = later(zod.union)
export const unknown = later(zod.unknown)
export const url = later(zod.url)
const enumeration = later(zod.enum)
const nothing = later(zod.null)

export { enumeration as enum, nothing as null }
export const lazy = zod.lazy
export const NEVER = zod.NEVER
export const safeParse = zod.safeParse
export const toJSONSchema = zod.toJSONSchema
export const ZodIssueCode = zod.ZodIssueCode

zod.config({
  // A function is compiled for each object otherwise, which few messages repay.
  jitless: true,
  // Messages are JSON, which has no cycles; to look for them builds every schema.
  memoizer: { attach() {}, guard() {}, alloc: (_schema, _payload, empty) => empty },
})

/** The members of a JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of a value: none where it is no object. */
export const recordOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The member that these names lead to, one object inside another; `undefined` where there is none. */
export const memberIn = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

/** Every value inside a document, as the keys that lead to it. */
export function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))]
}

/** The document with the value under these keys replaced. */
export function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const inner = (value as Record<string, unknown>)[key]
  const changed = replaced(inner, rest, by)
  if (Array.isArray(value)) return value.map((item, at) => (`${at}` === key ? changed : item))
  return { ...(value as object), [key]: changed }
}

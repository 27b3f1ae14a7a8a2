/** A key and its value; an unknown value is empty. */
export type Entry = readonly [key: string, value: string | number | boolean | null]

/** Lines of `key<TAB>value`, safe for `cut` and `awk`: no value holds a tab or a line break. */
export const entryLines = (entries: readonly Entry[]): string =>
  entries.map(([key, value]) => `${key}\t${value ?? ''}`).join('\n')

type Value = string | number | boolean | null | undefined | readonly Value[] | Members
type Members = { readonly [name: string]: Value }

/**
 * A document for a pipe: a line `key<TAB>value` for each member, nested names joined with dots, elements
 * counted from 1, nothing for `null`.
 */
export const pipeLines = (document: Members): string => entryLines(fieldsOf(document, ''))

function fieldsOf(value: Value, key: string): readonly Entry[] {
  if (value === undefined) return []
  if (value === null || typeof value !== 'object')
    return [[key, `${value ?? ''}`.replaceAll(/[\t\r\n]+/g, ' ')]]
  const members: readonly (readonly [string, Value])[] = Array.isArray(value)
    ? value.map((each: Value, i) => [`${i + 1}`, each] as const)
    : Object.entries(value)
  return members.flatMap(([name, each]) => fieldsOf(each, key === '' ? name : `${key}.${name}`))
}

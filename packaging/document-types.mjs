/**
 * TypeScript types of JSON Schemas, with the descriptions of their members as comments: what an
 * integrator sees of a document, without the library that the schemas are written with.
 *
 * @param schemas by the name of an operation or command, the schemas of its request and its answer
 * @returns a module of declarations
 */
export function documentTypes(schemas) {
  const types = Object.entries(schemas).flatMap(([name, parts]) =>
    Object.entries(parts).map(([part, schema]) => {
      const meaning = part === 'request' ? 'Request' : 'Answer'
      return `/** ${meaning} of \`${name}\`. */\nexport type ${pascal(name)}${meaning} = ${typeOf(schema, '')};\n`
    }),
  )
  return types.join('\n')
}

/** The types of the entry that has the schemas themselves. */
export const schemaTypes = (schemas) => `export type * from './documents.js';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Schemas of the documents, by the name of their operation or command. */
export declare const schemas: {
${Object.entries(schemas)
  .map(
    ([name, parts]) =>
      `  readonly '${name}': { ${Object.keys(parts)
        .map((part) => `readonly ${part}: JsonSchema`)
        .join('; ')} };\n`,
  )
  .join('')}};
`

const pascal = (name) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase())

function typeOf(schema, indent) {
  const { anyOf, type, items, properties, patternProperties } = schema
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (anyOf !== undefined)
    return [...new Set(anyOf.map((each) => typeOf(each, indent)))].join(' | ')
  if (type === 'array') {
    const item = typeOf(items, indent)
    return `readonly ${item.includes(' | ') && !item.startsWith('{') ? `(${item})` : item}[]`
  }
  if (type === 'integer') return 'number'
  if (['string', 'number', 'boolean', 'null'].includes(type)) return type
  const [pattern] = Object.values(patternProperties ?? {})
  if (pattern !== undefined) return `Readonly<Record<string, ${typeOf(pattern, indent)}>>`
  if (properties !== undefined) return objectOf(schema, indent)
  return 'unknown'
}

function objectOf({ properties, required = [] }, indent) {
  const inner = `${indent}  `
  const members = Object.entries(properties).map(([name, schema]) => {
    const description = schema.description ?? schema.anyOf?.[0].description
    const comment = description === undefined ? '' : `${inner}/** ${description} */\n`
    const mark = required.includes(name) ? '' : '?'
    return `${comment}${inner}readonly ${name}${mark}: ${typeOf(schema, inner)};\n`
  })
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`
}

/**
 * TypeScript types of JSON Schemas, with the descriptions of their members as comments: what an
 * integrator sees of a document, without the library that the schemas are written with.
 *
 * @param schemas by the name of an operation or command, the schemas of its request and its answer
 * @returns a module of declarations
 */
export function documentTypes(schemas) {
  const documents = Object.entries(schemas).flatMap(([name, parts]) =>
    Object.entries(parts).map(([part, schema]) => {
      const isRequest = part === 'request'
      const meaning = isRequest ? 'Request' : 'Answer'
      const comment = `${meaning} of \`${name}\`.`
      return { name: `${pascal(name)}${meaning}`, comment, schema, isRequest }
    }),
  )
  const names = namesOf(documents)
  return [...documents, ...names.values()]
    .map(({ name, comment, schema, isRequest }) => {
      const above = comment === undefined ? '' : `/** ${comment} */\n`
      return `${above}export type ${name} = ${typeOf(schema, '', { names, isRequest }, true)};\n`
    })
    .join('\n')
}

/** The types of the entry that has the schemas themselves. */
export const schemaTypes = (schemas) => `export type * from './documents.js';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly [keyword: string]: unknown;
};

/** Schemas of the documents, by the name of their operation or command. */
export declare const schemas: {
${Object.entries(schemas)
  .map(([name, parts]) => {
    const members = Object.keys(parts).map((part) => `readonly ${part}: JsonSchema`)
    return `  readonly '${name}': { ${members.join('; ')} };\n`
  })
  .join('')}};
`

const pascal = (name) => name.replaceAll(/(?:^|[-_])([a-z])/g, (_, letter) => letter.toUpperCase())

/** Objects that occur several times have a name of their own: that of the member they were first met in. */
function namesOf(documents) {
  const met = new Map()
  const visit = (schema, member, isRequest) => {
    if (schema === null || typeof schema !== 'object') return
    if (schema.properties !== undefined && member !== '') {
      const key = keyOf(schema)
      const known = met.get(key)
      if (known !== undefined) {
        known.count += 1
        known.isRequest ||= isRequest
        return
      }
      met.set(key, { count: 1, member, schema, isRequest })
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
      visit(inner, name, isRequest)
    for (const inner of schema.anyOf ?? []) visit(inner, member, isRequest)
    visit(schema.items, member.replace(/(?<=[^s])s$/, ''), isRequest)
  }
  for (const { schema, isRequest } of documents) visit(schema, '', isRequest)
  const taken = new Set(documents.map(({ name }) => name))
  const names = new Map()
  for (const [key, { count, member, schema, isRequest }] of met) {
    if (count === 1) continue
    const base = `${pascal(member)}Document`
    let name = base
    for (let at = 2; taken.has(name); at += 1) name = `${base}${at}`
    taken.add(name)
    names.set(key, { name, schema, isRequest })
  }
  return names
}

/** The members of an object; its own description is not one. */
const keyOf = ({ description: _, ...schema }) => JSON.stringify(schema)

function typeOf(schema, indent, context, isNamed = false) {
  const { anyOf, type, items, properties, patternProperties } = schema
  const inner = (each) => typeOf(each, indent, context)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(inner))].join(' | ')
  if (type === 'array') {
    const item = inner(items)
    const isCompound =
      item.startsWith('readonly ') || (item.includes(' | ') && !item.startsWith('{'))
    return `readonly ${isCompound ? `(${item})` : item}[]`
  }
  if (type === 'integer') return 'number'
  if (['string', 'number', 'boolean', 'null'].includes(type)) return type
  const [pattern] = Object.values(patternProperties ?? {})
  if (pattern !== undefined) return `Readonly<Record<string, ${inner(pattern)}>>`
  if (properties === undefined) return 'unknown'
  const known = isNamed ? undefined : context.names.get(keyOf(schema))
  return known === undefined ? objectOf(schema, indent, context) : known.name
}

function objectOf({ properties, required = [] }, indent, context) {
  const deeper = `${indent}  `
  // The client leaves out what is undefined.
  const orUndefined = context.isRequest ? ' | undefined' : ''
  const members = Object.entries(properties).map(([name, schema]) => {
    const description = schema.description ?? schema.anyOf?.[0].description
    const comment = description === undefined ? '' : `${deeper}/** ${description} */\n`
    const [mark, or] = required.includes(name) ? ['', ''] : ['?', orUndefined]
    return `${comment}${deeper}readonly ${name}${mark}: ${typeOf(schema, deeper, context)}${or};\n`
  })
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`
}

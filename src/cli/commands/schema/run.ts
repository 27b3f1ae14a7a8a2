import type { TSchema } from 'typebox'
import { didYouMean } from '../../../config/suggest.js'
import type { SwapError } from '../../../engine/errors.js'
import { quote } from '../../../render/width.js'
import type { Context, DocumentSchemas } from '../../command.js'
import { invalidRequest } from '../../invalid-request.js'
import { documentSchemas } from './document-schemas.js'

/** The `$schema` of printed schemas. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Prints schemas of requests and answers. */
export async function runSchema(
  { out, form, commands }: Context,
  [name, part]: readonly string[],
): Promise<void> {
  const documents = await documentSchemas(commands)
  if (form.quiet > 1) return
  if (name === undefined) return out.result(listOf(documents, form.kind === 'json'))
  const document = documents.get(name)
  if (document === undefined) throw unknownName(name, 'document', [...documents.keys()])
  const parts = Object.keys(document)
  if (part !== undefined && !Object.hasOwn(document, part)) throw unknownName(part, 'part', parts)
  const [only = ''] = parts
  const chosen = part ?? (parts.length === 1 ? only : undefined)
  const schema =
    chosen === undefined
      ? Object.fromEntries(parts.map((each) => [each, withTitle(name, each, document[each]!)]))
      : withTitle(name, chosen, document[chosen]!)
  return out.result(form.kind === 'json' ? JSON.stringify(schema) : JSON.stringify(schema, null, 2))
}

const withTitle = (name: string, part: string, schema: TSchema): object => ({
  $schema: DIALECT,
  title: name === 'problem' ? 'document of an error' : `${part} of swap ${name}`,
  ...schema,
})

function listOf(documents: ReadonlyMap<string, DocumentSchemas>, json: boolean): string {
  const rows = [...documents].map(([name, parts]) => ({ name, parts: Object.keys(parts) }))
  if (json) return JSON.stringify({ schemas: rows })
  return rows.map(({ name, parts }) => `${name}\t${parts.join(' ')}`).join('\n')
}

function unknownName(text: string, what: string, known: readonly string[]): SwapError {
  return invalidRequest(`there is no ${what} ${quote(text)}`, '', {
    why: `the choices are ${known.join(', ')}`,
    hint: didYouMean(text, known) ?? 'list them: swap schema',
    detail: `not a ${what} of schemas`,
  })
}

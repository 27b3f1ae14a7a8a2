import type { TSchema } from 'typebox'
import { invalidRequest, type SwapError } from '../../../engine/errors.js'
import { DIALECT } from '../../../operations/document-schema.js'
import { didYouMean } from '../../../operations/suggest.js'
import { csv, memberColumns, tabRows } from '../../../render/csv.js'
import { type Column, table } from '../../../render/table.js'
import { quote } from '../../../render/width.js'
import { type Command, type Context, type DocumentSchemas, namedCommands } from '../../command.js'
import { printAnswer } from '../../print-answer.js'

/**
 * Schemas of every document by name: operations, commands and the error document. Loaded with the first call,
 * since their library is slow to load.
 *
 * @param commands the commands whose documents are described; a sub-command's name has hyphens for spaces
 */
export async function documentSchemas(
  commands: readonly Command[],
): Promise<ReadonlyMap<string, DocumentSchemas>> {
  const [{ operations }, { historyEndpoint, orderHistoryEndpoint }, { Problem }] =
    await Promise.all([
      import('../../../operations/operations.js'),
      import('../../../service/routes/history.js'),
      import('../../../service/openapi/errors.js'),
    ])
  const documents = new Map<string, DocumentSchemas>(
    [...operations, historyEndpoint, orderHistoryEndpoint].map(
      ({ name, request, response: answer }) => [name, { ...(request && { request }), answer }],
    ),
  )
  for (const [words, command] of namedCommands(commands)) {
    const request = await command.request?.()
    const answer = await command.answer?.()
    const name = words.replaceAll(' ', '-')
    if (answer !== undefined)
      documents.set(name, { ...documents.get(name), ...(request && { request }), answer })
  }
  return documents.set('problem', { answer: Problem })
}

/** Prints schemas of requests and answers. */
export async function runSchema(context: Context, [name, part]: readonly string[]): Promise<void> {
  const documents = await documentSchemas(context.commands)
  if (name === undefined) return printList(context, documents)
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
  const text = () => JSON.stringify(schema, null, 2)
  return printAnswer(context, schema, { quiet: text, human: text })
}

const withTitle = (name: string, part: string, schema: TSchema): object => ({
  $schema: DIALECT,
  title: name === 'problem' ? 'document of an error' : `${part} of swap ${name}`,
  ...schema,
})

function printList(
  context: Context,
  documents: ReadonlyMap<string, DocumentSchemas>,
): Promise<void> {
  const rows = [...documents].map(([name, parts]) => ({ name, parts: Object.keys(parts) }))
  const texts = rows.map(({ name, parts }) => ({ name, parts: parts.join(' ') }))
  const columns: readonly Column<(typeof texts)[number]>[] = [
    ['NAME', ({ name }) => name],
    ['PARTS', ({ parts }) => parts],
  ]
  const { style } = context.out
  return printAnswer(
    context,
    { schemas: rows },
    {
      quiet: () => rows.map(({ name }) => name).join('\n'),
      csv: () => csv(texts, memberColumns('name', 'parts')),
      human: () =>
        style.tty ? table(texts, style, columns, 0).join('\n') : tabRows(texts, columns),
    },
  )
}

function unknownName(text: string, what: string, known: readonly string[]): SwapError {
  return invalidRequest(`there is no ${what} ${quote(text)}`, '', {
    why: `the choices are ${known.join(', ')}`,
    hint: didYouMean(text, known) ?? 'list them: swap schema',
  })
}

import { type Command, type DocumentSchemas, namedCommands } from '../../command.js'

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
    const [request, answer] = [await command.request?.(), await command.answer?.()]
    const name = words.replaceAll(' ', '-')
    if (answer !== undefined)
      documents.set(name, { ...documents.get(name), ...(request && { request }), answer })
  }
  return documents.set('problem', { answer: Problem })
}

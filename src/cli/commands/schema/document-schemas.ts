import type { TSchema } from 'typebox'

/** Schemas of the parts of a document: `request`, `answer` or both. */
export type DocumentSchemas = Readonly<Record<string, TSchema>>

/**
 * Schemas of every document by name: operations, commands and the error document. Loaded with the first call,
 * since their library is slow to load.
 */
export async function documentSchemas(): Promise<ReadonlyMap<string, DocumentSchemas>> {
  const [{ operations }, { historyEndpoint, orderHistoryEndpoint }, { Problem }, commands] =
    await Promise.all([
      import('../../../operations/operations.js'),
      import('../../../service/routes/history.js'),
      import('../../../service/openapi/errors.js'),
      import('./command-documents.js'),
    ])
  const operationDocuments = [...operations, historyEndpoint, orderHistoryEndpoint].map(
    ({ name, request, response: answer }): [string, DocumentSchemas] => [
      name,
      { ...(request && { request }), answer },
    ],
  )
  const documentsByName = new Map<string, DocumentSchemas>([
    ...operationDocuments,
    ...Object.entries(commands.commandDocuments),
    ['problem', { answer: Problem }],
  ])
  const simulate = documentsByName.get('simulate')
  return documentsByName.set('simulate', { ...simulate, answer: commands.simulateAnswer })
}

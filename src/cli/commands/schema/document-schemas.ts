import type { TSchema } from 'typebox'

/** Schemas of the parts of a document: `request`, `answer` or both. */
export type DocumentSchemas = Readonly<Record<string, TSchema>>

/**
 * Schemas of every document: those of operations, of commands and of an error, by name. Loaded with the
 * first call, since their library is slow to load.
 */
export async function documentSchemas(): Promise<ReadonlyMap<string, DocumentSchemas>> {
  const [{ operations }, { historyEndpoint, orderHistoryEndpoint }, { Problem }, commands] =
    await Promise.all([
      import('../../../operations/operations.js'),
      import('../../../service/routes/history.js'),
      import('../../../service/openapi/errors.js'),
      import('./command-documents.js'),
    ])
  const documents = [...operations, historyEndpoint, orderHistoryEndpoint].map(
    ({ name, request, response }) => {
      const document = { ...(request && { request }), ...(response && { answer: response }) }
      return [name, document as DocumentSchemas] as const
    },
  )
  const described = documents.filter(([, parts]) => Object.keys(parts).length > 0)
  const documentsByName = new Map<string, DocumentSchemas>([
    ...described,
    ...Object.entries(commands.commandDocuments),
    ['problem', { answer: Problem }],
  ])
  const simulate = documentsByName.get('simulate')
  return documentsByName.set('simulate', { ...simulate, answer: commands.simulateAnswer })
}

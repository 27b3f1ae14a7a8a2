/** Documents that have a schema: the operations of the service, and the document of an error. */
export const schemaNames = [
  'tokens',
  'route',
  'sroute',
  'simulate',
  'arbs',
  'arbroute',
  'history',
  'problem',
] as const

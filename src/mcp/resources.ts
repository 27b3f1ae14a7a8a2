import { snapshot } from '../operations/book/snapshot-summary.js'
import { stringify } from '../operations/json.js'
import { type Reading, schemaAddress } from './reading-tools.js'
import type { Resource, Tool } from './tool.js'

const JSON_TYPE = 'application/json'
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** The full schemas of the tools, and the market. */
export const resourcesOf = (tools: readonly Tool[], reading: Reading): readonly Resource[] => [
  {
    uri: 'swap://market/summary',
    name: 'market',
    description: 'Every pair with prices, spread and depth, at the newest height',
    mimeType: JSON_TYPE,
    read: async (call) => stringify(await snapshot(await reading.market(call))),
  },
  ...tools.map(({ name, request, answer }) => ({
    uri: schemaAddress(name),
    name: `schema of ${name}`,
    description: 'Request and answer, member by member',
    mimeType: 'application/schema+json',
    read: async () => stringify({ $schema: DIALECT, request, answer }),
  })),
]

import { commands } from '../cli/commands/index.js'
import { documentSchemas } from '../cli/commands/schema/run.js'

export type * from './documents.js'

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly [keyword: string]: unknown
}

/**
 * Schemas of the documents, by the name of their operation or command: `schemas.route.request` of a body,
 * `schemas.route.answer` of what it is answered with. The build replaces this file by its value.
 */
export const schemas: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> =
  Object.fromEntries(await documentSchemas(commands)) as never

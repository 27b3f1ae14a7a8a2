import type { Static, TSchema } from 'typebox'
import { ArbrouteRequest, ArbsRequest } from './arbitrage/arbitrage-documents.js'
import type { JsonSchema } from './document-schema.js'
import { HistoryRequest } from './history/history-documents.js'
import { OrderHistoryRequest } from './history/order-history.js'
import { PriceRequest } from './price/price-documents.js'
import { RouteRequest } from './route/route-request.js'
import { SimulateRequest } from './simulate/simulate-documents.js'
import { CurveRequest, MaxRequest } from './split/size-documents.js'
import { SplitRequest } from './split/split-documents.js'

/** The parts of a value's schema that a flag needs. A description is its first sentence. */
export type ValueSchema = Pick<
  JsonSchema,
  'type' | 'description' | 'minimum' | 'maximum' | 'default'
> & { readonly enum?: readonly string[] }

/** Requests whose members are flags of the command of the same name. */
const requests = {
  route: RouteRequest,
  sroute: SplitRequest,
  simulate: SimulateRequest,
  arbs: ArbsRequest,
  arbroute: ArbrouteRequest,
  curve: CurveRequest,
  max: MaxRequest,
  price: PriceRequest,
  history: HistoryRequest,
  'history-orders': OrderHistoryRequest,
}

export type RequestName = keyof typeof requests

/** The members of a request without tokens and amount; those of `input` are flattened. */
export type RequestMembers<Name extends RequestName> = FlatRequest<Static<(typeof requests)[Name]>>
type FlatRequest<Request> = Omit<Request, 'input' | 'output'> &
  (Request extends { input: infer Input } ? Omit<Input, 'denom' | 'amount'> : unknown)

function valueSchema(schema: TSchema): ValueSchema {
  const {
    type,
    description,
    minimum,
    maximum,
    default: fallback,
    anyOf = [],
  } = schema as JsonSchema
  const words = anyOf.flatMap((each) => (each.const === undefined ? [] : [each.const]))
  // The help of a flag uses the first sentence only.
  const [sentence] = description?.split(/(?<=\.) /) ?? []
  const members = { type, description: sentence, minimum, maximum, default: fallback }
  return JSON.parse(JSON.stringify({ ...members, ...(words.length > 0 && { enum: words }) }))
}

function membersOf(schema: TSchema): Readonly<Record<string, ValueSchema>> {
  const { input, output: _, ...members } = (schema as JsonSchema).properties ?? {}
  const { denom: __, amount: ___, ...own } = (input as JsonSchema | undefined)?.properties ?? {}
  return Object.fromEntries(
    Object.entries({ ...members, ...own }).map(([name, each]) => [name, valueSchema(each)]),
  )
}

/**
 * Schemas of the members of every request. The build replaces this file by its value, since the command line
 * needs it at its start and must not load the schema library.
 */
export const requestMembers = Object.fromEntries(
  Object.entries(requests).map(([name, schema]) => [name, membersOf(schema)]),
) as {
  readonly [Name in RequestName]: {
    readonly [Member in keyof RequestMembers<Name>]-?: ValueSchema
  }
}

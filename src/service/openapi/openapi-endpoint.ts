import type { Endpoint, Example, Operation } from '../../operations/operation.js'
import type { RequestContext } from '../answers/handler.js'
import type { ServedMarket } from '../feed/market-feed.js'
import { openApi } from './document.js'

export const openApiEndpoint: Endpoint = {
  name: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'service',
  summary: 'This document',
  response: { type: 'object' },
  answer: { openapi: '3.1.0' },
  codes: [],
}

/**
 * The API document, with an example answer for every operation. The examples are answers of the first
 * market at the time of the request; before the first market they are left out.
 */
export function openApiOf(
  endpoints: readonly Endpoint[],
  operations: readonly Operation[],
  version: string,
  { feed, quotes }: RequestContext,
): () => Promise<Buffer> {
  // Encoded once: every response sends the same bytes.
  let complete: Promise<Buffer> | undefined
  const bytesOf = (examples: ReadonlyMap<string, Example>): Buffer =>
    Buffer.from(JSON.stringify(openApi(endpoints, version, examples)))
  const answered = async (served: ServedMarket): Promise<Buffer> => {
    const examples = new Map<string, Example>()
    for (const operation of operations) {
      const example = operation.exampleFrom
        ? await operation.exampleFrom(examples)
        : await exampleOf(operation, served)
      if (example !== undefined) examples.set(operation.name, example)
    }
    return bytesOf(examples)
  }
  const exampleOf = async (
    operation: Operation,
    served: ServedMarket,
  ): Promise<Example | undefined> => {
    const { example: request } = operation
    const rawKey = JSON.stringify(request)
    const asked = { operation, rawKey, prepare: () => operation.prepare(request), chargeHeavy() {} }
    try {
      return { request, answer: JSON.parse((await quotes.answer(served, asked)).text) }
    } catch {
      // A market without these tokens: then there is no example of an answer.
      return undefined
    }
  }
  return () => {
    const served = feed.current()
    if (served === undefined) return Promise.resolve(bytesOf(new Map()))
    return (complete ??= answered(served))
  }
}

import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Offer, serverFactory } from './server.js'

/**
 * Answers one request over HTTP in its era. There are no sessions: a client of the older era gets one JSON body, a
 * newer one a stream where it asks for progress.
 *
 * @param body the parsed body of the request
 * @param charge charges an expensive call to the client
 */
export type HttpAnswer = (request: Request, body: unknown, charge: () => void) => Promise<Response>

export function httpAnswers(offer: Offer): HttpAnswer {
  const make = serverFactory(offer)
  const charges = new WeakMap<Request, () => void>()
  const modern = createMcpHandler(
    ({ requestInfo }) => make(requestInfo && charges.get(requestInfo)),
    {
      legacy: 'reject',
      // Nothing changes that a client could subscribe to.
      maxSubscriptions: 0,
    },
  )
  return async (request, parsedBody, charge) => {
    if (!(await isLegacyRequest(request, parsedBody))) {
      charges.set(request, charge)
      return modern.fetch(request, { parsedBody })
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = make(charge)
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody })
    } finally {
      await server.close()
    }
  }
}

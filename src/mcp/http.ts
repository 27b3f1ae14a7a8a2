import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { readMessage } from './read-message.js'
import { type Offer, serverFactory } from './server.js'

/**
 * Answers one HTTP request in its protocol era. There are no sessions: a client of the older era gets one
 * JSON body, a newer one a stream if it requests progress.
 *
 * @param text the body of the request
 * @param charge charges an expensive call to the client
 */
export type HttpAnswer = (request: Request, text: string, charge: () => void) => Promise<Response>

export function httpAnswers(offer: Offer): HttpAnswer {
  const make = serverFactory(offer)
  const servers = new WeakMap<Request, () => ReturnType<typeof make>>()
  const modern = createMcpHandler(({ requestInfo }) => servers.get(requestInfo!)!(), {
    legacy: 'reject',
    // No tool or resource list ever changes.
    maxSubscriptions: 0,
  })
  return async (request, text, charge) => {
    const read = readMessage(text)
    if ('refused' in read) return Response.json(read.refused, { status: 400 })
    const { message: parsedBody, fault } = read
    const makeServer = () => make(charge, () => fault)
    if (!(await isLegacyRequest(request, parsedBody))) {
      servers.set(request, makeServer)
      return modern.fetch(request, { parsedBody })
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = makeServer()
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody })
    } finally {
      await server.close()
    }
  }
}

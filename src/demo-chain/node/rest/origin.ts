import { emptyReply, type NodeRequest, type Reply } from '../reply.js'

const METHODS = ['GET', 'HEAD', 'POST']
/** Names that a page of another site may send; the header of a height is not among them. */
const HEADERS = ['accept', 'accept-language', 'content-language', 'origin', 'content-type']

export const corsHeaders = ({ headers }: NodeRequest): Record<string, string> =>
  headers.origin === undefined ? {} : { 'access-control-allow-origin': '*' }

/** Answers a preflight request; `undefined` when the request is not one. */
export function preflight({ method, headers }: NodeRequest): Reply | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined
  const asked = headers['access-control-request-method']
  if (asked === undefined) return emptyReply(400)
  if (!METHODS.includes(asked)) return emptyReply(405)
  const names = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .flatMap((name) => name.trim().toLowerCase() || [])
  if (!names.every((name) => HEADERS.includes(name))) return emptyReply(403)
  const told = names.filter((name) => name === 'content-type')
  return emptyReply(200, {
    'access-control-allow-origin': '*',
    ...(told.length > 0 && { 'access-control-allow-headers': 'Content-Type' }),
  })
}

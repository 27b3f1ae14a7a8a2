import { emptyReply, type NodeRequest, type Reply } from './reply.js'

const METHODS = ['HEAD', 'GET', 'POST']
/** Headers that a page may send. The one of a height is not among them: nodes do not allow it either. */
const HEADERS = ['origin', 'accept', 'content-type', 'x-requested-with', 'x-server-time']

const textOf = (header: string | string[] | undefined): string =>
  Array.isArray(header) ? header.join(',') : (header ?? '')

/** Allows pages of other sites to read everything, as a public node does. */
export const corsHeaders = ({ headers }: NodeRequest): Record<string, string> =>
  headers.origin === undefined ? {} : { vary: 'Origin', 'access-control-allow-origin': '*' }

/** Answers a preflight request; `undefined` when the request is not one. */
export function preflight({ method, headers }: NodeRequest): Reply | undefined {
  const asked = headers['access-control-request-method']
  if (method !== 'OPTIONS' || asked === undefined) return undefined
  const vary = {
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
  const wanted = textOf(headers['access-control-request-headers'])
  const names = wanted.split(',').flatMap((name) => name.trim().toLowerCase() || [])
  const allowed = METHODS.includes(asked) && names.every((name) => HEADERS.includes(name))
  if (!allowed || headers.origin === undefined) return emptyReply(204, vary)
  return emptyReply(204, {
    ...vary,
    'access-control-allow-origin': '*',
    'access-control-allow-methods': asked,
    ...(wanted && { 'access-control-allow-headers': wanted }),
  })
}

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnownTo } from './reply.js'

/** Content codings that are offered, the preferred one first. */
const codings = ['br', 'gzip'] as const
type Coding = (typeof codings)[number] | 'identity'

/** A body that is compressed once for each coding, when that is first asked for. */
export type CompressedBody = {
  /** The strong entity tag of the body in a coding: other bytes have another tag. */
  tag(coding: Coding): string
  bytes(coding: Coding): Promise<Buffer>
}

/** How hard to compress: `fast` for what changes with every block, `small` for what never does. */
export type Effort = 'fast' | 'small'

const levels = {
  fast: { br: 4, gzip: 6 },
  // The best of brotli takes ten times as long for another 4 %.
  small: { br: 9, gzip: constants.Z_BEST_COMPRESSION },
} as const

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]

export function compressedBody(body: Buffer, effort: Effort): CompressedBody {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const level = levels[effort]
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level.br,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  // On threads of libuv, not on the serving thread.
  const compress = {
    br: () => brotli(body, { params }),
    gzip: () => gzipped(body, { level: level.gzip }),
  }
  const made = new Map<Coding, Promise<Buffer>>([['identity', Promise.resolve(body)]])
  return {
    tag: (coding) => `"${hash}${coding === 'identity' ? '' : `-${coding}`}"`,
    bytes(coding) {
      let bytes = made.get(coding)
      if (bytes === undefined && coding !== 'identity')
        made.set(coding, (bytes = compress[coding]()))
      return bytes!
    },
  }
}

/** The coding to answer an `Accept-Encoding` header with (RFC 9110, 12.5.3); without one, none. */
export function codingOf(header: string | undefined): Coding {
  const accepted = new Map(
    (header ?? '').split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const
    }),
  )
  const isAccepted = (coding: Coding) => (accepted.get(coding) ?? accepted.get('*') ?? 0) > 0
  return codings.find(isAccepted) ?? 'identity'
}

/** Sends a body in the best coding that the client takes, or 304 where the client has these bytes. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: CompressedBody,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const coding = codingOf(request.headers['accept-encoding'])
  const tag = body.tag(coding)
  addVary(reply, 'accept-encoding')
  reply.header('etag', tag).header('cache-control', 'no-cache')
  if (isKnownTo(request.headers['if-none-match'], tag)) return reply.code(304).send()
  const bytes = await body.bytes(coding)
  reply.headers({ ...headers, 'cache-control': 'no-cache' })
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.send(bytes)
}

/** Adds to the `Vary` header, in which the origin may be already. */
export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? name : `${vary}, ${name}`)
}

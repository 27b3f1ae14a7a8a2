import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityHash, isKnownTo } from './reply.js'

/** Supported content codings, the preferred one first. */
const codings = ['br', 'gzip', 'identity'] as const
type Coding = (typeof codings)[number]

/** A body that is compressed once for each coding, on first use. */
export type CompressedBody = {
  /** The strong entity tag of the body in a coding. */
  tag(coding: Coding): string
  bytes(coding: Coding): Promise<Buffer>
}

/** Compression effort: `fast` for content that changes with every block, `small` for static content. */
type Effort = 'fast' | 'small'

const levels = {
  fast: { br: 4, gzip: 6 },
  // Brotli's highest quality takes ten times as long for another 4 %.
  small: { br: 9, gzip: constants.Z_BEST_COMPRESSION },
} as const

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

export function compressedBody(body: Buffer, effort: Effort): CompressedBody {
  const hash = entityHash(body)
  const level = levels[effort]
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level.br,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  // On libuv's threads, not on the serving thread.
  const compress = {
    br: () => brotli(body, { params }),
    gzip: () => gzipped(body, { level: level.gzip }),
  }
  const made = new Map<Coding, Promise<Buffer>>()
  return {
    tag: (coding) => `"${hash}${coding === 'identity' ? '' : `-${coding}`}"`,
    bytes(coding) {
      if (coding === 'identity') return Promise.resolve(body)
      const known = made.get(coding)
      if (known !== undefined) return known
      const bytes = compress[coding]()
      made.set(coding, bytes)
      return bytes
    },
  }
}

/** The coding that an `Accept-Encoding` header gives the largest weight (RFC 9110, 12.5.3); without the header none. */
export function codingOf(header: string | undefined): Coding {
  const accepted = new Map(
    (header ?? '').split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0] as const
    }),
  )
  const weightOf = (coding: Coding) => accepted.get(coding) ?? accepted.get('*') ?? 0
  const best = codings.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))
  return weightOf(best) > 0 ? best : 'identity'
}

/** Sends a body in the best accepted coding, or 304 if the client has it. */
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

/** Adds to the `Vary` header, which may already have the origin. */
export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? name : `${vary}, ${name}`)
}

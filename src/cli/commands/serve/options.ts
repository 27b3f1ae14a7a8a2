import { parseRatio } from '../../../config/ratio.js'
import { SwapError } from '../../../engine/errors.js'
import { quote } from '../../../render/width.js'
import { durationOf, wholeOf } from '../../arguments/numbers.js'
import type { FlagValues } from '../../command.js'

/** The options of `swap serve`. Times in milliseconds. */
export type ServeOptions = {
  readonly host: string
  readonly port: number
  readonly hosts: readonly string[]
  readonly cors: readonly string[]
  readonly rate: number | undefined
  readonly keepAlive: number
  readonly maxInflight: number
  readonly threads: number | undefined
  readonly index: boolean
  /** The least share of the pairs that has to be readable, in bps. */
  readonly leastShare: number | undefined
  readonly log: 'json' | 'text' | undefined
  readonly drainDelay: number
  readonly grace: number
}

/** Longest times that make sense, in milliseconds: an hour. */
const TIMES = [0, 3_600_000] as const

/** Reads the flags. @throws SwapError INVALID_REQUEST naming the flag */
export function serveOptionsOf(flags: FlagValues): ServeOptions {
  const time = (name: string, flag: string) => durationOf(flags, name, flag, TIMES)
  const { host, port } = listenOf(textOf(flags, 'listen') ?? '127.0.0.1:8555')
  return {
    host,
    port,
    hosts: [...listOf(flags, 'allowHost').map(hostName), ...namesOf(host)],
    cors: listOf(flags, 'cors').map(origin),
    rate: rateOf(textOf(flags, 'rate')),
    keepAlive: time('keepAlive', '--keep-alive') ?? 5_000,
    maxInflight: wholeOf(flags, 'maxInflight', '--max-inflight', [1, 10_000]) ?? 64,
    threads: wholeOf(flags, 'threads', '--threads', [1, 64]),
    index: flags['index'] !== false,
    leastShare: shareOf(textOf(flags, 'minBooks')),
    log: logOf(textOf(flags, 'log')),
    drainDelay: time('drainDelay', '--drain-delay') ?? 0,
    grace: time('shutdownGrace', '--shutdown-grace') ?? 10_000,
  }
}

const textOf = (flags: FlagValues, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

const listOf = (flags: FlagValues, name: string): readonly string[] => {
  const value = flags[name]
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
}

const refused = (text: string, flag: string, why: string, example: string): SwapError =>
  new SwapError('INVALID_REQUEST', `${quote(text)} cannot be used for ${flag}`, {
    why,
    hint: `write e.g. ${flag} ${example}`,
    members: { errors: [{ pointer: `/${flag.slice(2).replaceAll('-', '_')}`, detail: why }] },
  })

function listenOf(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, bare, digits] =
    /^(?:(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits !== undefined && port <= 65_535)
    return { host: bracketed ?? bare ?? '127.0.0.1', port }
  throw refused(text, '--listen', 'it is a host and a port, or a port', '127.0.0.1:8555')
}

/** A listening host is an allowed Host header unless it means all addresses. */
const namesOf = (host: string): readonly string[] =>
  host === '0.0.0.0' || host === '::' ? [] : [host.includes(':') ? `[${host}]` : host]

function hostName(text: string): string {
  if (/^[\w.-]{1,253}$|^\[[\da-fA-F:.]+\]$/.test(text)) return text
  throw refused(text, '--allow-host', 'it is the name of a host without a port', 'swap.example.org')
}

/** Exact origins only: a pattern would allow unintended pages. */
function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw refused(text, '--cors', 'it is one origin, as browsers send it', 'https://app.example.org')
}

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits = ''] = /^([1-9]\d{0,5})(?:\/s)?$/.exec(text) ?? []
  if (digits !== '') return Number(digits)
  throw refused(text, '--rate', 'it is a whole number a second', '20/s')
}

const shareOf = (text: string | undefined): number | undefined =>
  text === undefined
    ? undefined
    : parseRatio(text, {
        flag: '--min-books',
        code: 'INVALID_REQUEST',
        pointer: '/min_books',
        max: 10_000,
      })

function logOf(text: string | undefined): 'json' | 'text' | undefined {
  if (text === undefined || text === 'json' || text === 'text') return text
  throw refused(text, '--log', 'it is json or text', 'json')
}

import type { FlagValues } from '../../command.js'
import { flagRefused, textOf, textsOf, valuesOf } from '../../flags/checked-flag.js'
import { DEFAULT_LISTEN, serveFlags } from '../../flags/command-flags.js'

/** The options of `swap serve`. Times in milliseconds, `leastShare` in basis points. */
export type ServeOptions = ReturnType<typeof serveOptionsOf>

/** Reads the flags. @throws SwapError INVALID_REQUEST naming the flag */
export function serveOptionsOf(flags: FlagValues) {
  const { host, port } = listenOf(textOf(flags, 'listen') ?? DEFAULT_LISTEN)
  return {
    host,
    port,
    hosts: [...textsOf(flags, 'allowHost').map(hostName), ...namesOf(host)],
    cors: textsOf(flags, 'cors').map(origin),
    rate: rateOf(textOf(flags, 'rate')),
    index: flags['index'] !== false,
    /** The tape that is recorded. */
    tape: textOf(flags, 'tape'),
    ...valuesOf(serveFlags, flags),
  }
}

function listenOf(text: string): { readonly host: string; readonly port: number } {
  const [, written = '127.0.0.1', digits] =
    /^(?:(\[[\da-fA-F:.]+\]|[\w.-]+):)?(\d{1,5})$/.exec(text) ?? []
  const [host, port] = [asSent(written), Number(digits)]
  if (host !== undefined && port <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port }
  const example = text.includes('::') ? '[::1]:8555' : DEFAULT_LISTEN
  const why = 'it is a host and a port, or a port, from 0 to 65535'
  throw flagRefused(text, '--listen', why, example)
}

/** A host as clients send it: in lower case, addresses in their usual form. */
const asSent = (host: string): string | undefined =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined

/** A host as it stands in a URL: an IPv6 address in brackets. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** A listening host is an allowed Host header unless it means all addresses. */
const namesOf = (host: string): readonly string[] =>
  host === '0.0.0.0' || host === '::' ? [] : [urlHost(host)]

function hostName(text: string): string {
  const host = /^[\w.-]{1,253}$|^\[[\da-fA-F:.]+\]$/.test(text) ? asSent(text) : undefined
  if (host !== undefined) return host
  const why = 'it is the name of a host without a port'
  throw flagRefused(text, '--allow-host', why, 'swap.example.org')
}

/** Exact origins only: a pattern would allow unintended pages. */
function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  const why = 'it is one origin, as browsers send it'
  throw flagRefused(text, '--cors', why, 'https://app.example.org')
}

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits = ''] = /^([1-9]\d{0,5})(?:\/s)?$/.exec(text) ?? []
  if (digits !== '') return Number(digits)
  throw flagRefused(text, '--rate', 'it is a whole number a second', '20/s')
}

import { attempt } from '../../../platform/attempt.js'
import { utf8 } from '../../../platform/bytes.js'
import { toBase64 } from '../../../platform/encoding.js'

/** A URL of a node; `tcp://`, as in other Cosmos programs, means `http://`. `undefined` for other texts. */
export function nodeUrl(text: string): URL | undefined {
  const httpText = text.replace(/^tcp:/i, 'http:')
  return /^https?:\/\//i.test(httpText) && URL.canParse(httpText) ? new URL(httpText) : undefined
}

const MASK = '***'

/** Parts of a URL that are shown: short lower-case words with at most two digits at the end. */
const WORD = /^[a-z][a-z._-]{0,15}\d{0,2}$/
/** The longest host label that is shown; longer ones are keys of node providers. */
const LABEL = 19
/** Shorter pieces are not masked in texts, where they occur by chance. */
const SECRET = 4

const isShown = (segment: string): boolean => segment === '' || WORD.test(segment)

/** Decodes percent-encoding; returns the text itself if that is invalid. */
export const decodeComponent = (text: string): string =>
  attempt(() => decodeURIComponent(text)) ?? text

const hostLabels = ({ hostname }: URL): readonly string[] =>
  hostname.startsWith('[') ? [] : hostname.split('.').filter((label) => label.length > LABEL)

/**
 * An endpoint for display: user, password, values of the query, and parts of path and host that may be keys are
 * replaced.
 *
 * @example maskedUrl(new URL('https://me:pw@rpc.example/9f86d081884c?key=1')) === 'https://***@rpc.example/***?key=***'
 */
export function maskedUrl(url: URL): string {
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`
  const labels = hostLabels(url)
  const host = url.host
    .split('.')
    .map((label) => (labels.includes(label) ? MASK : label))
    .join('.')
  const path = url.pathname
    .split('/')
    .map((segment) => (isShown(segment) ? segment : MASK))
    .join('/')
    .replace(/\/$/, '')
  const query = [...url.searchParams].map(([name, value]) => {
    const shown = isShown(name) ? name : MASK
    return value === '' ? shown : `${shown}=${MASK}`
  })
  return `${url.protocol}//${user}${host}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** The secret pieces of an endpoint, the longest first. */
export function secretsOf(url: URL): readonly string[] {
  const { username, password, pathname, searchParams } = url
  const login = `${decodeComponent(username)}:${decodeComponent(password)}`
  const pieces = [
    username,
    password,
    ...(login === ':' ? [] : [toBase64(utf8(login))]),
    ...pathname.split('/').filter((segment) => !isShown(segment)),
    ...[...searchParams].flatMap(([name, value]) => (isShown(name) ? [value] : [name, value])),
    ...hostLabels(url),
  ]
  return [...new Set(pieces.flatMap((piece) => [piece, decodeComponent(piece)]))]
    .filter((piece) => piece.length >= SECRET)
    .sort((a, b) => b.length - a.length)
}

/** Most characters of a node's message. */
const TEXT = 1_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** A node's message for display: one line of limited length, without the endpoint's secrets. */
export const nodeText = (text: string, secrets: readonly string[]): string =>
  secrets
    .reduce((clean, secret) => clean.replaceAll(secret, MASK), text.replace(CONTROL, ' '))
    .slice(0, TEXT)

/** Headers of every answer with a body. The two pages have a `content-security-policy` of their own. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** Host names of the loopback address. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Number of cached host and port spellings. */
const REMEMBERED = 256

/**
 * Builds the check of `Host` headers against the allowed names. It prevents DNS rebinding, where a foreign
 * site's name resolves to this address. Ports are ignored.
 */
export function hostsOf(allowed: readonly string[]): (host: string) => boolean {
  const names = new Set([...LOOPBACK, ...allowed].map((name) => name.toLowerCase()))
  const known = new Set<string>()
  return (host) => {
    if (known.has(host)) return true
    if (!names.has(nameOf(host.toLowerCase()))) return false
    if (known.size < REMEMBERED) known.add(host)
    return true
  }
}

const nameOf = (host: string): string => host.replace(/:\d{1,5}$/, '')

/** Whether an address is of the loopback interface. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined &&
  (address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.'))

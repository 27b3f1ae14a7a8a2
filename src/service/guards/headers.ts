/** Headers of every answer with a body. The page of the documentation has a policy of its own. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** Names under which a service on the loopback address is reached. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** How many spellings with a port are remembered. */
const REMEMBERED = 256

/**
 * Whether a `Host` header names the service: a page of another site that has its name point here
 * (DNS rebinding) does not. The port is not looked at.
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

/** Whether a connection comes from this machine. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined &&
  (address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.'))

/** Whether a database is that of a server; otherwise it is a file. */
export const isDatabaseUrl = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text)

/** A connection URL without its password. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'postgres://…'
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

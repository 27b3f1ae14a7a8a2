const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const sizeOf = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)

/** Raw bytes as Go's JSON prints them as a text: every byte that is no UTF-8 becomes U+FFFD. */
export function goString(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const size = sizeOf(bytes[at] as number)
    try {
      text += strict.decode(bytes.subarray(at, at + size))
      at += size
    } catch {
      text += '\ufffd'
      at += 1
    }
  }
  return text
}

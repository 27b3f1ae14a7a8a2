import { InvalidKeyDocument } from '../keyfile/document.js'

/** Bytes between two marked lines, with headers: the armor of OpenPGP (RFC 4880, 6.2). */
export type Armored = {
  readonly type: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

const LINE = 64

/** The first armored block of a text, with its checksum verified. Text around it is ignored. */
export function readArmor(given: string): Armored {
  const block = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)\r?\n-----END \1-----/.exec(given)
  if (block === null)
    throw new InvalidKeyDocument('it has no BEGIN and END line that belong together')
  const lines = (block[2] ?? '').split(/\r?\n/).map((line) => line.trim())
  const gap = lines.indexOf('')
  const head = gap < 0 ? [] : lines.slice(0, gap)
  const rest = lines.slice(gap + 1).filter((line) => line !== '')
  const checksum = rest.at(-1)?.startsWith('=') ? rest.pop() : undefined
  const text = rest.join('')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new InvalidKeyDocument('its body is not base64')
  const body = Buffer.from(text, 'base64')
  if (checksum !== undefined && checksum !== `=${checksumOf(body)}`)
    throw new InvalidKeyDocument('its checksum does not hold: it was not copied whole')
  return { type: block[1] ?? '', headers: new Map(head.map(headerOf)), body }
}

/** As `readArmor` reads it, headers in alphabetical order. */
export function writeArmor({ type, headers, body }: Armored): string {
  const text = body.toString('base64')
  const lines = text.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  const head = [...headers].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    `-----BEGIN ${type}-----`,
    ...head.map(([name, value]) => `${name}: ${value}`),
    '',
    ...lines,
    `=${checksumOf(body)}`,
    `-----END ${type}-----`,
    '',
  ].join('\n')
}

function headerOf(line: string): readonly [string, string] {
  const at = line.indexOf(': ')
  if (at < 1) throw new InvalidKeyDocument('one of its headers cannot be read')
  return [line.slice(0, at), line.slice(at + 2)]
}

/** CRC-24 of RFC 4880, 6.1, in base64. */
function checksumOf(bytes: Uint8Array): string {
  let crc = 0xb704ce
  for (const byte of bytes) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return Buffer.from([(crc >> 16) & 0xff, (crc >> 8) & 0xff, crc & 0xff]).toString('base64')
}

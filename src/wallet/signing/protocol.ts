import { SwapError } from '../../engine/errors.js'
import { canonicalBase64, jsonOf, toBase64 } from '../../platform/encoding.js'
import { isObject } from '../../platform/json-object.js'
import { wipe } from '../secret.js'

/**
 * A request to a signer: one JSON document (docs/signers.md#request). Every member but `format` and `public_key` is
 * decoded from `sign_bytes`.
 */
export type SignRequest = {
  readonly format: 'swap.sign/1'
  readonly chain_id: string
  readonly address: string
  /** Base64; `null` if unknown. */
  readonly public_key: string | null
  readonly sign_mode: 'direct' | 'amino'
  readonly account_number: string
  readonly sequence: string
  /** Base64: an encoded `SignDoc`, or Amino JSON. */
  readonly sign_bytes: string
  /** Lower-case hex: the digest to sign. */
  readonly sign_bytes_sha256: string
  /** The messages, fee, memo and timeout height as JSON. */
  readonly content: object
  /** The same as readable lines. */
  readonly text: readonly string[]
}

/** A signer's answer: a public key of 33 bytes, and r and s of 32 bytes each. */
export type SignAnswer = { readonly publicKey: Uint8Array; readonly signature: Uint8Array }

/** Makes one signature. The caller always calls `forget` afterwards, also after errors. */
export type Signer = {
  readonly name: string
  readonly address: string
  /** A program of the user: it may prompt, and its answers are not trusted. */
  readonly isExternal?: boolean
  /** @throws SwapError SIGNER_FAILED; INVALID_REQUEST for a document of another chain */
  sign(request: SignRequest, interrupt: AbortSignal): Promise<SignAnswer>
  /** Discards the private key; signing afterwards is a bug. */
  forget(): void
}

/** A signer did not sign, or signed something else. */
export class SignerFailed extends SwapError {
  constructor(name: string, why: string, hint = 'nothing was sent; look at the signer') {
    super('SIGNER_FAILED', `the signer ${name} did not sign this transaction`, {
      why,
      hint,
      members: { signer: name },
    })
  }
}

/** The document of an answer. */
export const answerText = ({ publicKey, signature }: SignAnswer): string =>
  JSON.stringify({
    public_key: toBase64(publicKey),
    signature: toBase64(signature),
  })

/**
 * Parses an answer. The caller verifies the signature.
 *
 * @throws SignerFailed
 */
export function readAnswer(
  name: string,
  bytes: Uint8Array,
  { sign_mode: mode }: Pick<SignRequest, 'sign_mode'>,
): SignAnswer {
  const refuse = (why: string, hint?: string): never => {
    throw new SignerFailed(name, why, hint)
  }
  if (bytes.length === 0) return refuse('it answered nothing')
  const answer = jsonOf(bytes)
  if (!isObject(answer))
    return refuse(
      'its answer is not one JSON document',
      'nothing was sent; print the answer alone on standard output, messages on standard error',
    )
  const other = Object.keys(answer).find((key) => !MEMBERS.includes(key))
  if (other !== undefined) return refuse(`its answer has a member ${other.slice(0, 40)}`)
  if (answer['sign_mode'] !== undefined && answer['sign_mode'] !== mode)
    return refuse(`it signed in another mode than ${mode}`)
  const publicKey = base64(answer['public_key'])
  const signature = base64(answer['signature'])
  if (publicKey?.length !== 33)
    return refuse('its public_key is not a compressed key: 33 bytes in base64')
  if (signature?.length !== 64)
    return refuse(
      `its signature is not r and s, 64 bytes in base64${signature?.[0] === 0x30 ? ': this one is DER' : ''}`,
    )
  return { publicKey, signature }
}

const MEMBERS = ['public_key', 'signature', 'sign_mode']

const base64 = (value: unknown): Uint8Array | undefined =>
  typeof value === 'string' ? canonicalBase64(value) : undefined

/** Most bytes of a frame: a sign document has a few kB. */
const MOST = 1 << 20

const HEAD = 4

/** The first byte of a reply of the signing process. */
export const STATUS = { done: 0, notOpened: 1, refused: 2 } as const

/** The length prefix of a frame. */
export function headOf(length: number): Buffer {
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(length)
  return head
}

/**
 * The frames of a pipe: four bytes of length, then the content. The chunks are wiped, since one of the frames is a
 * password; the caller wipes the frame.
 */
export async function* framesOf(pipe: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0)
  for await (const chunk of pipe) {
    const joined = Buffer.concat([held, chunk])
    wipe(held, chunk)
    held = joined
    while (held.length >= HEAD) {
      const end = HEAD + held.readUInt32LE()
      if (end > HEAD + MOST) throw new Error('a frame is too long')
      if (held.length < end) break
      const frame = Buffer.from(held.subarray(HEAD, end))
      const rest = Buffer.from(held.subarray(end))
      wipe(held)
      held = rest
      yield frame
    }
  }
}

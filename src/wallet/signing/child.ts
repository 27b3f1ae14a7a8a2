import { SwapError } from '../../engine/errors.js'
import { fromBase64, fromHex } from '../../platform/encoding.js'
import { privateKeyOf } from '../derive.js'
import type { KeyDocument } from '../keyfile/key-document.js'
import { DecryptionFailed, openKey } from '../keyfile/seal.js'
import { keepPrivate } from '../privacy.js'
import { wipe } from '../secret.js'
import { answerText, framesOf, headOf, type SignRequest, STATUS } from './protocol.js'
import { signatureOf } from './signature.js'

export type SigningStart = { readonly document: KeyDocument; readonly chainId: string }

// The entry of the signing process. It reads frames from standard input: the start parameters, passwords until one
// opens the key, and one sign request. It answers each password and the request, and exits. The key is never in the
// memory of the process that started it.

const input = framesOf(process.stdin)

/** The next frame; exits when the pipe is closed. */
async function next(): Promise<Buffer> {
  const { value, done } = await input.next()
  if (done) process.exit()
  return value
}

const reply = (status: number, bytes: Uint8Array): Promise<void> =>
  new Promise((done) => {
    const payload = Buffer.concat([Buffer.of(status), bytes])
    process.stdout.write(Buffer.concat([headOf(payload.length), payload]), () => done())
  })

async function unlock(document: KeyDocument): Promise<Buffer> {
  for (;;) {
    const password = await next()
    try {
      const secret = await openKey(document, password)
      try {
        return await privateKeyOf(secret, document.hd_path)
      } finally {
        wipe(secret.bytes)
      }
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error
      await reply(STATUS.notOpened, Buffer.alloc(0))
    } finally {
      wipe(password)
    }
  }
}

// Ctrl-C reaches every process of the terminal; the parent process handles it.
process.on('SIGINT', () => {})
try {
  keepPrivate()
  const { document, chainId } = JSON.parse((await next()).toString()) as SigningStart
  const privateKey = await unlock(document)
  try {
    await reply(STATUS.done, Buffer.from(document.address))
    const { sign_bytes } = JSON.parse((await next()).toString()) as SignRequest
    const signature = signatureOf(fromBase64(sign_bytes), privateKey, chainId)
    const publicKey = fromHex(document.pubkey)
    await reply(STATUS.done, Buffer.from(answerText({ publicKey, signature })))
  } finally {
    wipe(privateKey)
  }
} catch (error) {
  const { code, message, why, hint, members } =
    error instanceof SwapError ? error : new SwapError('INTERNAL', 'the signing process failed')
  const facts = { code, message, why, hint, members }
  await reply(STATUS.refused, Buffer.from(JSON.stringify(facts)))
}
process.exit()

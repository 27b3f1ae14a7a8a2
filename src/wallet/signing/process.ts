import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { type ErrorCode, SwapError } from '../../engine/errors.js'
import { entryArguments } from '../../platform/built-entry.js'
import type { KeyDocument } from '../keyfile/key-document.js'
import { wipe } from '../secret.js'
import type { SigningStart } from './child.js'
import {
  framesOf,
  headOf,
  readAnswer,
  type SignAnswer,
  type SignRequest,
  STATUS,
} from './protocol.js'

/** A process that opens one key, makes one signature and exits. */
type SigningProcess = {
  /**
   * Sends a password and wipes it.
   *
   * @returns the address of the key, or `undefined` for a wrong password
   */
  unlock(password: Buffer): Promise<string | undefined>
  /** The public key and the signature of a request; the process exits with it. */
  sign(request: SignRequest): Promise<SignAnswer>
  /** Kills the process. */
  end(): void
}

type Child = ChildProcessByStdio<Writable, Readable, null>

/**
 * Starts a signing process for a key file, with an empty environment and no flags of Node, so that no variable can
 * expose its memory.
 */
export function startSigning(document: KeyDocument, chainId: string): SigningProcess {
  const source = new URL('./child.ts', import.meta.url)
  const { SystemRoot } = process.env
  const child: Child = spawn(process.execPath, [...entryArguments('signer.js', source)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: SystemRoot === undefined ? {} : { SystemRoot },
    windowsHide: true,
  })
  const failed = once(child, 'error').then(([error]) => error as Error)
  failed.catch(() => {})
  // The end of the answers reports that the process has ended.
  child.stdin.on('error', () => {})
  const replies = framesOf(child.stdout)
  const ask = async (bytes: Uint8Array) => {
    await send(child, bytes)
    const answer = await Promise.race([replies.next(), failed])
    if (answer instanceof Error || answer.done) throw signerEnded(answer)
    const [status = STATUS.refused] = answer.value
    const payload = answer.value.subarray(1)
    if (status === STATUS.refused) throw refusalOf(payload)
    return { status, payload }
  }
  const start: SigningStart = { document, chainId }
  const begun = send(child, Buffer.from(JSON.stringify(start)))
  return {
    async unlock(password) {
      try {
        await begun
        const { status, payload } = await ask(password)
        return status === STATUS.done ? payload.toString() : undefined
      } finally {
        wipe(password)
      }
    },
    sign: async (request) => {
      const { payload } = await ask(Buffer.from(JSON.stringify(request)))
      return readAnswer(document.address, payload, request)
    },
    end() {
      child.stdin.destroy()
      child.kill('SIGKILL')
    },
  }
}

/** Writes a frame; resolves when the bytes have left this process. */
async function send({ stdin }: Child, bytes: Uint8Array): Promise<void> {
  const written = (part: Uint8Array) =>
    new Promise<void>((done) => {
      stdin.write(part, () => done())
    })
  await written(headOf(bytes.length))
  await written(bytes)
}

function refusalOf(payload: Buffer): SwapError {
  const { code, message, ...facts } = JSON.parse(payload.toString()) as {
    readonly code: ErrorCode
    readonly message: string
  }
  return new SwapError(code, message, facts)
}

const signerEnded = (answer: unknown): SwapError =>
  new SwapError('INTERNAL', 'the signing process ended before it had signed', {
    why: answer instanceof Error ? answer.message : 'it gave no answer',
    hint: 'nothing was signed; run the command again',
  })

import crypto, { createHash, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: Error | null, key: Buffer) => void

const derive = crypto.scrypt
const known = new Map<string, Promise<Buffer>>()

/**
 * In place of `scrypt` of `node:crypto`: derives each key once a worker. A derivation at the cost of
 * our key files takes a third of a second, and tests open the file that they have just made.
 */
function rememberedScrypt(
  password: Uint8Array,
  salt: Uint8Array,
  length: number,
  options: ScryptOptions,
  done: Done,
): void {
  const name = createHash('sha256')
    .update(JSON.stringify([password.length, length, options]))
    .update(password)
    .update(salt)
    .digest('hex')
  const key =
    known.get(name) ??
    new Promise<Buffer>((resolve, reject) =>
      derive(password, salt, length, options, (error, made) =>
        error ? reject(error) : resolve(made),
      ),
    )
  known.set(name, key)
  // A copy: keys are overwritten after use.
  key.then(
    (made) => done(null, Buffer.from(made)),
    (error: Error) => done(error, Buffer.alloc(0)),
  )
}

Object.assign(crypto, { scrypt: rememberedScrypt })
syncBuiltinESMExports()

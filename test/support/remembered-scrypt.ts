import crypto, { createHash, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { closingLast } from './closing.js'

type Done = (error: Error | null, key: Buffer) => void

const derive = crypto.scrypt
const known = new Map<string, Promise<Buffer>>()
let isCheap = false

/**
 * Until the end of the file, derivations at the cost of our key files run at a thousandth of it: for tests
 * whose key files are made and opened in this process only.
 */
export function deriveCheaply(): void {
  isCheap = true
  closingLast({ close: () => void (isCheap = false) })
}

/** Whether key files are derived at a thousandth of their cost. */
export const derivesCheaply = (): boolean => isCheap

/** The costs to derive at, with a salt that keeps the keys of different costs apart. */
function costsOf(salt: Uint8Array, options: ScryptOptions): [Uint8Array, ScryptOptions] {
  const { N = 0, r, p } = options
  if (!isCheap || N < 2 ** 17) return [salt, options]
  return [Buffer.concat([salt, Buffer.from(`${N} ${r} ${p}`)]), { ...options, N: N / 1_024 }]
}

/**
 * Replaces `scrypt` of `node:crypto`: derives each key once a worker. A derivation at the cost of our key
 * files takes a third of a second, and tests open the file that they have just made.
 */
function rememberedScrypt(
  password: Uint8Array,
  ownSalt: Uint8Array,
  length: number,
  ownOptions: ScryptOptions,
  done: Done,
): void {
  const [salt, options] = costsOf(ownSalt, ownOptions)
  const name = createHash('sha256')
    .update(JSON.stringify([password.length, length, options]))
    .update(password)
    .update(salt)
    .digest('hex')
  const key =
    known.get(name) ??
    new Promise<Buffer>((resolve, reject) =>
      derive(password, salt, length, options, (error, derived) =>
        error ? reject(error) : resolve(derived),
      ),
    )
  known.set(name, key)
  // A copy: keys are overwritten after use.
  key.then(
    (derived) => done(null, Buffer.from(derived)),
    (error: Error) => done(error, Buffer.alloc(0)),
  )
}

Object.assign(crypto, { scrypt: rememberedScrypt })
syncBuiltinESMExports()

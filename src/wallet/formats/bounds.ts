import { NoKeyDocument } from '../keyfile/document.js'

/** Bytes that a derivation may hold at once: a file that asks for more can end the process. */
const MEMORY = 2 ** 30

/** Steps of the slow derivations that take about ten seconds here. */
const SCRYPT_WORK = 2 ** 24
const PBKDF2_ROUNDS = 10_000_000
const ARGON2_KIB = 2 ** 23

type Scrypt = { readonly n: number; readonly r: number; readonly p: number }

/** Refuses what would take more than 1 GiB or about ten seconds, and what is no parameter at all. */
export function boundScrypt({ n, r, p }: Scrypt): void {
  if (!Number.isInteger(Math.log2(n)) || n < 2 || !isCount(r) || !isCount(p))
    throw strange('scrypt')
  if (128 * r * (n + p) > MEMORY || n * r * p > SCRYPT_WORK) throw excessive('scrypt')
}

export function boundPbkdf2(rounds: number): void {
  if (!isCount(rounds)) throw strange('pbkdf2')
  if (rounds > PBKDF2_ROUNDS) throw excessive('pbkdf2')
}

/** @param memory KiB */
export function boundArgon2({ memory, passes }: { memory: number; passes: number }): void {
  if (!isCount(memory) || memory < 8 || !isCount(passes)) throw strange('argon2id')
  if (memory * 1024 > MEMORY || memory * passes > ARGON2_KIB) throw excessive('argon2id')
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1

const strange = (kdf: string) => new NoKeyDocument(`its parameters for ${kdf} cannot be read`)

const excessive = (kdf: string) =>
  new NoKeyDocument(`it asks ${kdf} for more than 1 GiB or ten seconds: such a file is an attack`)

/** Cost below which a file is called weak. */
export const isWeakScrypt = ({ n, r, p }: Scrypt): boolean => n * r * p < 2 ** 15 * 8
export const isWeakPbkdf2 = (rounds: number): boolean => rounds < 200_000

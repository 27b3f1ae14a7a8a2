import { KeyfileInvalid } from '../errors.js'
import { COST, InvalidKeyDocument, MOST } from './key-document.js'
import type { ScryptCost } from './scrypt.js'

/** The cost of deriving a key from a password, by the parameters of a file. */
export type KdfCost = {
  /** The derivation and its parameters, e.g. `scrypt n=262144 r=8 p=1`. */
  readonly description: string
  /** Processor time, estimated from the time of one step on a machine of 2025. */
  readonly seconds: number
  readonly bytes: number
  /** Whether it is within the costs that programs write in this format. */
  readonly usual: boolean
  /** Whether it is below today's minimum, so that passwords can be guessed too fast. */
  readonly weak: boolean
}

/**
 * Files that need this much memory are refused, even with `--allow-slow-kdf`: 2 GiB, above which neither OpenSSL's
 * scrypt nor Argon2 in WebAssembly works.
 */
const MEMORY = 2 ** 31

/** Greatest count of a derivation: the most rounds of Node's PBKDF2. */
const MOST_COUNT = 2 ** 31 - 1

/** Seconds of one step of OpenSSL's scrypt, scrypt in JavaScript, PBKDF2 and Argon2. */
const STEP = { scrypt: 4e-7, slowScrypt: 3e-6, pbkdf2: 1e-6, argon2: 2.5e-6 } as const

/** Greatest cost that this program writes (`--scrypt-cost 20`): 1 GiB, about four seconds. */
const OWN_WORK = MOST.n * COST.r

/** Greatest usual cost of Ethereum's keystores: n=262144 with r=8 p=1 or r=1 p=8; 256 MiB. */
const SCRYPT_WORK = 2 ** 21
const SCRYPT_BYTES = 2 ** 28 + 2 ** 20

/** Four times the usual rounds of THORChain's and Ethereum's keystores: about a second. */
const PBKDF2_ROUNDS = 1_000_000

/** cosmjs writes 12 MiB and 24 passes. */
const ARGON2_KIB = 64 * 1024
const ARGON2_WORK = 2 ** 19

/** Bcrypt has no parameter in an armored key: the Cosmos SDK always uses cost 12. */
export const bcryptCost: KdfCost = {
  description: 'bcrypt cost 12',
  seconds: 0.5,
  bytes: 4096,
  usual: true,
  weak: false,
}

/** Argon2 as the Cosmos SDK uses it for an armored key, which has no parameters either. */
export const sdkArgon2Cost: KdfCost = {
  description: 'argon2id 64 MiB t=1',
  seconds: 0.5,
  bytes: 2 ** 26,
  usual: true,
  weak: false,
}

/** The cost of a key file of this program. */
export const ownCost = (params: ScryptCost): KdfCost => {
  const cost = scryptCost(params)
  return { ...cost, usual: params.n * params.r * params.p <= OWN_WORK }
}

/** The cost of a file of another program. @throws InvalidKeyDocument for invalid parameters */
export function scryptCost({ n, r, p }: ScryptCost): KdfCost {
  if (!Number.isInteger(Math.log2(n)) || n < 2 || !isCount(r) || !isCount(p))
    throw unreadable('scrypt')
  const work = n * r * p
  const bytes = 128 * r * (n + p)
  return withinMemory({
    description: `scrypt n=${n} r=${r} p=${p}`,
    seconds: work * (n < 2 ** (16 * r) ? STEP.scrypt : STEP.slowScrypt),
    bytes,
    usual: work <= SCRYPT_WORK && bytes <= SCRYPT_BYTES,
    weak: work < 2 ** 15 * 8,
  })
}

/** @throws InvalidKeyDocument */
export function pbkdf2Cost(rounds: number): KdfCost {
  if (!isCount(rounds)) throw unreadable('pbkdf2')
  return withinMemory({
    description: `pbkdf2 ${rounds} rounds`,
    seconds: rounds * STEP.pbkdf2,
    bytes: 0,
    usual: rounds <= PBKDF2_ROUNDS,
    weak: rounds < 200_000,
  })
}

/**
 * @param memory KiB
 * @throws InvalidKeyDocument
 */
export function argon2Cost({ memory, passes }: { memory: number; passes: number }): KdfCost {
  if (!isCount(memory) || memory < 8 || !isCount(passes)) throw unreadable('argon2id')
  return withinMemory({
    description: `argon2id ${memory / 1024} MiB t=${passes}`,
    seconds: memory * passes * STEP.argon2,
    bytes: memory * 1024,
    usual: memory <= ARGON2_KIB && memory * passes <= ARGON2_WORK,
    // The fixed salt makes every file of cosmjs weak.
    weak: true,
  })
}

/**
 * Refuses a derivation with an unusual cost before it starts: a manipulated file could occupy the processor for minutes
 * or exhaust the memory.
 *
 * @param allowed whether `--allow-slow-kdf` is set
 * @throws KeyfileInvalid
 */
export function requireUsualCost(path: string, cost: KdfCost, allowed: boolean): void {
  if (cost.usual || allowed) return
  throw new KeyfileInvalid(
    path,
    `its ${cost.description} would take about ${amountOf(cost)}, more than any program writes`,
    'if you trust the file: --allow-slow-kdf; else restore it from a copy',
  )
}

/** The time and the memory of a derivation, as text. */
const amountOf = ({ seconds, bytes }: KdfCost): string =>
  `${timeOf(seconds)} of processor time and ${Math.max(1, Math.round(bytes / 1e6))} MB of memory`

const timeOf = (seconds: number): string =>
  seconds < 7200 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 3600)} hours`

const withinMemory = (cost: KdfCost): KdfCost => {
  if (cost.bytes < MEMORY) return cost
  throw new InvalidKeyDocument(`its ${cost.description} would take 2 GiB of memory or more`)
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_COUNT

const unreadable = (kdf: string) =>
  new InvalidKeyDocument(`its parameters for ${kdf} cannot be read`)

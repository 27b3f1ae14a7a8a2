import { KeyfileInvalid } from '../errors.js'
import { COST, InvalidKeyDocument, MOST } from './document.js'
import type { ScryptCost } from './scrypt.js'

/** The cost of deriving a key from a password, by the parameters of a file. */
export type KdfCost = {
  /** The derivation and its parameters, e.g. `scrypt n=262144 r=8 p=1`. */
  readonly description: string
  /** Processor time, estimated from what one step takes on a machine of 2025. */
  readonly seconds: number
  readonly bytes: number
  /** Whether it is within what programs write in this format. */
  readonly usual: boolean
  /** Cheaper than a key file should be today: passwords can be guessed too fast. */
  readonly weak: boolean
}

/** Memory that no file may ask for, whatever flag is given: 4 GiB. */
const MEMORY = 2 ** 32

/** Seconds a step takes: of OpenSSL's scrypt, of scrypt in JavaScript, of PBKDF2 and of Argon2. */
const STEP = { scrypt: 4e-7, slowScrypt: 3e-6, pbkdf2: 1e-6, argon2: 2.5e-6 } as const

/** What swap writes at most (`--scrypt-cost 20`): 1 GiB, about four seconds. */
const OWN_WORK = MOST.n * COST.r

/** What Ethereum's keystores ask for at most: n=262144 with r=8 p=1 or r=1 p=8; 256 MiB. */
const SCRYPT_WORK = 2 ** 21
const SCRYPT_BYTES = 2 ** 28 + 2 ** 20

/** Four times what keystores of THORChain and Ethereum ask for: about a second. */
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

/** Of a key file of swap. */
export const ownCost = (params: ScryptCost): KdfCost => {
  const cost = scryptCost(params)
  return { ...cost, usual: params.n * params.r * params.p <= OWN_WORK }
}

/** Of a file of another program. @throws InvalidKeyDocument for what is no parameter */
export function scryptCost({ n, r, p }: ScryptCost): KdfCost {
  if (!Number.isInteger(Math.log2(n)) || n < 2 || !isCount(r) || !isCount(p))
    throw unreadable('scrypt')
  const work = n * r * p
  const bytes = 128 * r * (n + p)
  return bounded({
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
  return bounded({
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
  return bounded({
    description: `argon2id ${memory / 1024} MiB t=${passes}`,
    seconds: memory * passes * STEP.argon2,
    bytes: memory * 1024,
    usual: memory <= ARGON2_KIB && memory * passes <= ARGON2_WORK,
    // cosmjs uses one salt for all files: what is guessed for one is guessed for all.
    weak: true,
  })
}

/**
 * Refuses a derivation beyond what its format needs, before any of it is computed: a file that was
 * tampered with could occupy the processor for minutes or exhaust the memory.
 *
 * @param allowed the user has said `--allow-slow-kdf`
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

/** The time and the memory of a derivation, for people. */
const amountOf = ({ seconds, bytes }: KdfCost): string =>
  `${timeOf(seconds)} of processor time and ${Math.max(1, Math.round(bytes / 1e6))} MB of memory`

const timeOf = (seconds: number): string =>
  seconds < 7200 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 3600)} hours`

const bounded = (cost: KdfCost): KdfCost => {
  if (cost.bytes <= MEMORY) return cost
  throw new InvalidKeyDocument(`its ${cost.description} would take more than 4 GiB of memory`)
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1

const unreadable = (kdf: string) =>
  new InvalidKeyDocument(`its parameters for ${kdf} cannot be read`)

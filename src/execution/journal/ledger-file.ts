import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Check } from 'typebox/schema'
import { errorCode, SwapError } from '../../engine/errors.js'
import { attempt } from '../../platform/attempt.js'
import { regularText } from '../../platform/file-stream.js'
import type { Ledger } from '../ports.js'
import { ownFolder, storageFailure } from './durable.js'
import type { Owner } from './intent.js'
import { Signing } from './intent-schema.js'
import { lockAccount } from './lock.js'

/** Longest wait for the lock, which is held for one write, in milliseconds. */
const LOCK_MS = 10_000

/** The ledger in a folder: one append-only file per account, one JSON line per signature. */
export const ledgerIn = (folder: string): Ledger => ({
  read: (owner) => readLedger(folder, owner),
  async claim(owner, signing, judge) {
    ownFolder('the record of signatures', folder)
    const lock = await lockAccount(folder, owner, LOCK_MS)
    try {
      const before = readLedger(folder, owner)
      judge(before)
      const { hash, id } = signing
      if (!before.some((each) => each.hash === hash && each.id === id))
        append(folder, owner, signing)
    } finally {
      lock.release()
    }
  },
})

const pathOf = (folder: string, { chainId, address }: Owner): string =>
  join(folder, `${chainId}.${address}.jsonl`)

function readLedger(folder: string, owner: Owner): readonly Signing[] {
  const path = pathOf(folder, owner)
  let text: string
  try {
    text = regularText(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw storageFailure('the record of signatures', folder, error)
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => signingIn(line, path))
}

/** What a loss of power leaves of a line: its beginning, and zeros. Its transaction was never published. */
const isCutOff = (line: string): boolean => /^(\{[^}]*)?$/.test(line.replaceAll('\0', ''))

function signingIn(line: string, path: string): readonly Signing[] {
  const value: unknown = attempt(() => JSON.parse(line))
  if (value === undefined && isCutOff(line)) return []
  if (Check(Signing, value)) return [value]
  throw new SwapError('NOT_READY', 'the record of signatures cannot be read', {
    why: `${path} has a line that is not an entry`,
    hint: 'look at it; nothing is signed while it is not known what was signed before',
    members: { path },
  })
}

function append(folder: string, owner: Owner, signing: Signing): void {
  try {
    const file = openSync(pathOf(folder, owner), 'a', 0o600)
    try {
      // The leading line break separates it from a truncated line. A single write may be short on a full disk.
      writeFileSync(file, `\n${JSON.stringify(signing)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw storageFailure('the record of signatures', folder, error)
  }
}

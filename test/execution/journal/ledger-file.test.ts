import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { Interrupted } from '../../../src/execution/interrupted.js'
import type { Signing } from '../../../src/execution/journal/intent-schema.js'
import { journalIn } from '../../../src/execution/journal/journal.js'
import { ledgerIn } from '../../../src/execution/journal/ledger-file.js'
import { claimSigning, spentLastDay } from '../../../src/execution/plan/limits.js'
import { type Ledger, spentUnattended } from '../../../src/execution/ports.js'
import { temporaryFolder } from '../../support/folder.js'

const root = temporaryFolder('ledger')
let folders = 0
const place = () => join(root, `${(folders += 1)}`)
const owner = { chainId: 'demo-1', address: 'demo1abc' }
const at = (chain: string, local = chain) => ({
  chain_time: `2026-11-${chain}T00:00:00Z`,
  local_time: `2026-11-${local}T00:00:00Z`,
})
const hashOf = (digit: string) => digit.repeat(64)
const signed = (hash: string, id = 'x_00000001') => ({ hash: hashOf(hash), id, ...at('20') })
const { signal: interrupt } = new AbortController()
/** Two state folders of one user. */
const two = () => {
  const ledger = ledgerIn(place())
  return [
    { ledger, journal: journalIn(place()), interrupt },
    { ledger, journal: journalIn(place()), interrupt },
  ] as const
}
const limits = { perTx: undefined, perDay: 100n }

describe('the record of unattended signatures', () => {
  test('holds the daily limit for all state folders together', async () => {
    const [one, other] = two()
    await claimSigning(one, owner, signed('A'), { worth: 60n, limits })
    await assert.rejects(
      claimSigning(other, owner, signed('B', 'x_00000002'), { worth: 60n, limits }),
      { code: 'LIMIT_EXCEEDED' },
    )
    await claimSigning(other, owner, signed('C', 'x_00000003'), { worth: 40n, limits })
    assert.equal(spentLastDay(one, owner, at('20')), 100n)
    assert.equal(spentLastDay(one, { ...owner, address: 'demo1other' }, at('20')), 0n)
  })

  test('lets only one state folder claim the same bytes', async () => {
    const [one, other] = two()
    await claimSigning(one, owner, signed('A'), { worth: 1n })
    await assert.rejects(claimSigning(other, owner, signed('A', 'x_00000002'), { worth: 1n }), {
      code: 'BUSY',
    })
    await claimSigning(one, owner, signed('A'), { worth: 1n })
    assert.equal(one.ledger.read(owner).length, 1)
  })

  test('has one entry of each transaction of an intent, and one of the same bytes once they are printed', async () => {
    const [{ ledger }] = two()
    const entries = [signed('A'), signed('B'), signed('A', '')].map((each) => ({
      ...each,
      micro_usd: '1',
    }))
    for (const each of [...entries, ...entries]) await ledger.claim(owner, each, () => {})
    assert.deepEqual(ledger.read(owner), entries)
  })

  test('has none of a process that is stopped while it waits for the record', async () => {
    const [one] = two()
    const stop = new AbortController()
    const ledger: Ledger = {
      ...one.ledger,
      claim(...call) {
        stop.abort()
        return one.ledger.claim(...call)
      },
    }
    const records = { ...one, ledger, interrupt: stop.signal }
    await assert.rejects(claimSigning(records, owner, signed('A'), { worth: 1n }), Interrupted)
    assert.deepEqual(one.ledger.read(owner), [])
  })

  test('does not count confirmed signatures', async () => {
    const [one] = two()
    await claimSigning(one, owner, signed('A'), { worth: 1_000n })
    assert.equal(spentLastDay(one, owner, at('20')), 0n)
  })

  test('keeps its entries when the clock of this machine or the time of the chain jumps', () => {
    const entry: Signing = { ...signed('A'), micro_usd: '7' }
    const spent = (chain: string, local: string) =>
      spentUnattended([entry], at(chain, local), () => false)
    assert.equal(spent('20', '29'), 7n)
    assert.equal(spent('29', '20'), 7n)
    assert.equal(spent('19', '19'), 7n)
    assert.equal(spent('20', '10'), 7n)
    assert.equal(spent('21', '21'), 0n)
    // The machine's clock was ahead when it was signed: the chain's time decides.
    assert.equal(spent('21', '19'), 0n)
  })

  test.runIf(existsSync('/dev/null'))(
    'is refused where a device is in its place, which would keep nothing',
    async () => {
      const folder = place()
      mkdirSync(folder)
      symlinkSync('/dev/null', join(folder, `${owner.chainId}.${owner.address}.jsonl`))
      const ledger = ledgerIn(folder)
      assert.throws(() => ledger.read(owner), { code: 'NOT_READY' })
      const signing = { ...signed('A'), micro_usd: '1' }
      await assert.rejects(
        ledger.claim(owner, signing, () => {}),
        { code: 'NOT_READY' },
      )
    },
  )

  test('is read with a line that a power failure cut off, and refused with one that was changed, or where it cannot be read', async () => {
    const folder = place()
    const records = { ledger: ledgerIn(folder), journal: journalIn(place()), interrupt }
    const file = join(folder, 'demo-1.demo1abc.jsonl')
    await claimSigning(records, owner, signed('A'), { worth: 1n, limits })
    appendFileSync(file, `{"hash":"AB\n{"has${'\0'.repeat(9)}\n${'\0'.repeat(9)}`)
    await claimSigning(records, owner, signed('B', 'x_00000002'), { worth: 1n, limits })
    assert.equal(spentLastDay(records, owner, at('20')), 2n)
    const text = readFileSync(file, 'utf8')
    for (const changed of [
      `${text}{"hash":"AB"}\n`,
      text.replace('"micro_usd":', '"micro_usd"'),
      text.replaceAll(/[{}]/g, '#'),
    ]) {
      writeFileSync(file, changed)
      assert.throws(() => spentLastDay(records, owner, at('20')), { code: 'NOT_READY' })
    }
    rmSync(file)
    mkdirSync(file)
    assert.throws(() => spentLastDay(records, owner, at('20')), { code: 'NOT_READY' })
  })
})

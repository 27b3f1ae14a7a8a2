import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { execute } from '../../../src/execution/execute.js'
import { journalIn, newIntentId } from '../../../src/execution/journal/journal.js'
import { spentLastDay } from '../../../src/execution/plan/limits.js'
import { temporaryFolder } from '../../support/folder.js'
import { intent } from '../script.js'
import { type Stage, stage } from '../stage.js'

const owner = ({ chain, account }: Stage) => ({
  chainId: chain.chainId,
  address: account.address,
})

const now = async ({ chain }: Stage) => ({
  chain_time: (await chain.market()).time,
  local_time: new Date().toISOString(),
})

/** Two confirmed swaps, of which the file of the newer one is cut. */
async function damagedStage() {
  const at = await stage()
  const limits = { perTx: undefined, perDay: 10n ** 12n }
  const [older, newer] = [await at.run({ limits }), await at.run({ limits })]
  const folder = join(at.folder, 'journal')
  const name = readdirSync(folder).find((each) => each.includes(`.${newer.report.id}.`))!
  const file = join(folder, name)
  return { at, limits, older, newer, file, damage: () => writeFileSync(file, '{') }
}

describe('a finished entry of the journal that cannot be read', () => {
  test.skipIf(process.platform === 'win32')('may be a pipe, which is not waited for', async () => {
    const { at, file } = await damagedStage()
    rmSync(file)
    execFileSync('mkfifo', [file])
    assert.equal(journalIn(join(at.folder, 'journal'), () => {}).recent(10).unread[0]?.path, file)
  })
  test('is skipped by the search for a hash and by listings, which report it', async () => {
    const { at, older, newer, file, damage } = await damagedStage()
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"mode": ?"\w+"/, '"mode":7'))
    const [invalid] = journalIn(join(at.folder, 'journal'), () => {}).recent(10).unread
    assert.match(invalid!.reason, /^\/mode must be equal/)
    damage()
    const notes: string[] = []
    const journal = journalIn(join(at.folder, 'journal'), (text) => void notes.push(text))
    const { intents, unread } = journal.recent(10)
    assert.deepEqual(
      [intents.map(({ id }) => id), unread],
      [[older.report.id], [{ path: file, reason: 'it is not JSON, or not to be opened' }]],
    )
    assert.equal(journal.find(older.report.txs[0]!.hash)?.id, older.report.id)
    assert.equal(notes.length, 1)
    assert.ok(notes[0]!.endsWith(file), notes[0])
    assert.throws(() => journal.find(newer.report.id!), { code: 'OUTCOME_UNKNOWN' })
    assert.deepEqual(journal.open(), [])
  })

  test('never lowers the sum that was sold in a day: a daily limit refuses and names the file', async () => {
    const { at, limits, newer, file, damage } = await damagedStage()
    const before = spentLastDay(at.session(), owner(at), await now(at))
    assert.ok(before > 0n && newer.error === undefined)
    damage()
    await assert.rejects(at.run({ limits }), (error: Error & { code: string; why: string }) => {
      assert.equal(error.code, 'LIMIT_EXCEEDED')
      assert.ok(error.why.includes(file), error.why)
      return true
    })
    assert.equal((await at.run()).error, undefined)
    assert.equal(
      (await at.run({ limits: { ...limits, perDay: undefined, perTx: 10n ** 12n } })).error,
      undefined,
    )
    assert.equal(at.executed().length, 4)
  })

  test('prevents every signature while its transaction is open', async () => {
    const at = await stage()
    at.fail({ kind: 'timeout' })
    await at.run({ waitMs: 2_000 })
    const folder = join(at.folder, 'journal')
    const [name = ''] = readdirSync(folder)
    assert.match(name, /\.open\.json$/)
    writeFileSync(join(folder, name), '{')
    for (const search of [() => at.journal.recent(10), () => at.journal.find('AB'.repeat(32))])
      assert.throws(search, { code: 'OUTCOME_UNKNOWN' })
    await assert.rejects(execute(at.session(), await at.order(), newIntentId), {
      code: 'OUTCOME_UNKNOWN',
    })
  })
})

describe('an open entry of the journal', () => {
  test('whose members differ from its signed bytes stops further signatures', async () => {
    const at = await stage()
    at.fail({ kind: 'timeout' })
    await at.run({ waitMs: 2_000 })
    const folder = join(at.folder, 'journal')
    const file = join(folder, readdirSync(folder)[0]!)
    const written = readFileSync(file, 'utf8')
    const [open] = at.journal.open()
    const [tx] = open!.txs
    const sold = open!.legs[0]!.funds
    const edits = [
      ['/txs/0/timeout_height', `"timeout_height":${tx!.timeout_height}`, '"timeout_height":1'],
      ['/txs/0/sequence', `"sequence":"${tx!.sequence}"`, '"sequence":"77"'],
      ['/txs/0/public_key', tx!.public_key, btoa('k'.repeat(33))],
      [
        '/txs/0/signed_height',
        `"signed_height":${tx!.signed_height}`,
        `"signed_height":${tx!.timeout_height}`,
      ],
      ['/txs/0/legs/0', '"legs":[0]', '"legs":[]'],
      ['/txs/0/legs/1', '"legs":[0]', '"legs":[0,1]'],
      ['/txs/0/legs/0', `"funds":{"denom":"${sold.denom}"`, '"funds":{"denom":"x"'],
      ['/address', `"address":"${at.account.address}"`, '"address":"demo1other"'],
    ] as const
    for (const [member, own, edited] of edits) {
      writeFileSync(file, written.replace(own, edited))
      await assert.rejects(
        execute(at.session(), await at.order(), newIntentId),
        (error: Error & { code: string; why: string }) =>
          error.code === 'OUTCOME_UNKNOWN' && error.why.startsWith(`${member} is `),
        member,
      )
    }
    writeFileSync(file, written)
    assert.equal(at.journal.open().length, 1)
  })
})

test('a journal whose folder cannot be reached is not an empty one', () => {
  const folder = temporaryFolder()
  const fresh = journalIn(join(folder, 'new'))
  assert.deepEqual(fresh.open(), [])
  fresh.requireRoom(intent)
  assert.deepEqual(readdirSync(join(folder, 'new')), [])
  writeFileSync(join(folder, 'file'), '')
  symlinkSync(join(folder, 'unmounted'), join(folder, 'link'))
  for (const name of ['file', 'link']) {
    const journal = journalIn(join(folder, name, 'state', 'journal'))
    assert.throws(() => journal.open(), { code: 'NOT_READY' })
    assert.throws(() => journal.recent(1), { code: 'NOT_READY' })
    assert.throws(() => journal.requireRoom(intent), { code: 'NOT_READY' })
  }
})

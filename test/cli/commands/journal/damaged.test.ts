import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { JournalAnswer } from '../../../../src/execution/lifecycle/report-schema.js'
import { network, problem } from '../execute/stage.js'
import { orderCalls } from '../order/calls.js'

const net = await network()
const { executed } = net
const { order, signed } = orderCalls(net)
const place = ['sell', '1', 'rune', 'usdc', '--max-cross', '100%', '--price'] as const
/** The newest entry is damaged, the one before it is whole. */
const older = (await signed(...place, '5')).txs[0]!.hash
const { id } = await signed(...place, '6')
const damaged = id!
const folder = join(net.home, 'state', 'journal')
/** The damaged file. */
const path = join(folder, readdirSync(folder).find((name) => name.includes(`.${damaged}.`))!)
assert.match(path, /\.done\.json$/)
truncateSync(path, 40)

const hasNote = (stderr: string) =>
  assert.ok(stderr.includes(`cannot be read, and is left out: ${path}`), stderr)

test('the journal shows the coins of an order that rests as sent', async () => {
  const { stdout } = await net.run('journal', '-o', 'human', '--width', '80')
  assert.match(stdout, /^ +UTC +ID +WHAT +SENT +RECEIVED +STATUS\b/m)
  assert.match(stdout, / order +1 RUNE +confirmed\b/)
})

describe('a damaged entry of a finished transaction', () => {
  test('is left out of the journal, which names the file in its document or in a note', async () => {
    const { status, stdout } = await net.run('journal', '--json')
    assert.equal(status, 0, stdout)
    const document: unknown = JSON.parse(stdout)
    assert.ok(Value.Check(JournalAnswer, document), stdout)
    const { intents, unread } = document
    assert.deepEqual(
      intents.flatMap(({ txs }) => txs.map(({ hash }) => hash)),
      [older],
    )
    assert.deepEqual(unread, [{ path, reason: 'it is not JSON, or not to be opened' }])
    for (const form of [[], ['--csv'], ['-q']]) hasNote((await net.run('journal', ...form)).stderr)
  })

  test('keeps no other transaction from being shown, and is refused by its own id', async () => {
    const { status, stdout, stderr } = await net.run('tx', 'show', older, '-q')
    assert.deepEqual([status, stdout.trim()], [0, 'included'])
    hasNote(stderr)
    const refused = problem(await net.run('tx', 'show', damaged, '--json'))
    assert.deepEqual([refused.code, refused['path']], ['OUTCOME_UNKNOWN', path])
  })

  test('keeps nothing from being signed where no limit depends on the day', async () => {
    await signed(...place, '7')
    await signed(...place, '8', '--limits-per-tx-usd', '500')
    await signed('cancel', 'rune/usdc/sell/8', '--limits-per-day-usd', '500')
  })

  test('keeps a sale from being signed with a limit of the day, until it is moved away', async () => {
    const limited = [...place, '9', '--limits-per-day-usd', '500'] as const
    const before = executed.length
    const refused = problem(await order(...limited, '--yes'))
    assert.deepEqual([refused.code, refused['rule']], ['LIMIT_EXCEEDED', 'per_day_usd'])
    assert.ok(JSON.stringify(refused).includes(path), JSON.stringify(refused))
    assert.equal(executed.length, before)
    const shown = await order(...limited, '--dry-run')
    assert.equal(JSON.parse(shown.stdout).limits.left_today_usd, null, shown.stdout)
    renameSync(path, join(net.home, 'moved.json'))
    await signed(...limited)
  })
})

test('an entry without a transaction is shown as one for which nothing was signed', async () => {
  const { id } = await signed(...place, '8')
  const folder = join(net.home, 'state', 'journal')
  const file = join(folder, readdirSync(folder).find((name) => name.includes(`.${id}.`))!)
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), txs: [] }))
  for (const verb of ['show', 'wait']) {
    const ended = await net.run('tx', verb, id!, '--json')
    assert.deepEqual([ended.status, problem(ended).code], [2, 'NOT_FOUND'])
  }
})

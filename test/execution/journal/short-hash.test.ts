import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { execute } from '../../../src/execution/execute.js'
import { journalIn, newIntentId } from '../../../src/execution/journal/journal.js'
import { slippageFlag, stage } from '../stage.js'

test('the journal finds a hash with 0x, and one shortened as on screens where one entry alone has it', async () => {
  const at = await stage()
  const task = await at.order({ mode: 'legs', ...slippageFlag(900) }, 2n * 10n ** 13n)
  const { id, txs } = (await execute(at.session(), task, newIntentId)).report
  const journal = journalIn(join(at.folder, 'journal'))
  const [{ hash = '' } = {}, second] = txs
  assert.equal(journal.find(second!.hash)?.id, id)
  const start = hash.slice(0, 8)
  const short = [start, `${start.toLowerCase()}...`, `${hash.slice(0, 4)}…${hash.slice(-4)}`]
  for (const word of [hash, `0x${hash}`, ...short]) assert.equal(journal.find(word)?.id, id, word)
  const otherEnd = `${hash.slice(-4, -1)}${hash.endsWith('0') ? 1 : 0}`
  for (const word of [
    hash.slice(0, 7),
    hash.slice(1),
    `…${hash.slice(-8)}`,
    `${hash.slice(0, 4)}…${otherEnd}`,
  ])
    assert.equal(journal.find(word), undefined, word)
  journal.put({ ...journal.find(hash)!, id: newIntentId() })
  assert.equal(journal.find(start), undefined)
  assert.ok(journal.find(hash))
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Included, Scan } from '../../src/chain/tx/outcome.js'
import { drive } from '../../src/execution/lifecycle/drive.js'
import { inBlock, run, SEQUENCE, scripted, TIMEOUT } from './script.js'

const past = [[TIMEOUT + 1, SEQUENCE]] as const

describe('waiting', () => {
  test('ends, and says nothing, where the nodes keep too little to tell', async () => {
    const { driven } = await run(
      {
        standings: [[[TIMEOUT + 900, SEQUENCE + 7n]]],
        scan: { kind: 'incomplete', why: 'block 121 is pruned', passes: false },
      },
      { state: 'unknown', maybe_sent: true },
    )
    assert.equal(driven.kind, 'unknown')
    assert.match(driven.kind === 'unknown' ? driven.why : '', /keeps older blocks/)
  })
})

describe('dead', () => {
  test('is only what is past its height with its sequence unused, on two looks', async () => {
    const { driven, counts, error } = await run({ standings: [past] })
    assert.equal(driven.kind, 'expired')
    assert.equal(counts.accounts, 2)
    assert.equal(error?.members['funds'], 'untouched')
  })

  test('is nothing at its very height', async () => {
    const { driving, entry } = scripted({ standings: [[[TIMEOUT, SEQUENCE]]] })
    assert.equal((await drive({ ...driving, waitMs: 3_000 }, entry())).kind, 'unknown')
  })

  test('is nothing while one node is still before it', async () => {
    const two = [
      [TIMEOUT + 5, SEQUENCE],
      [TIMEOUT, SEQUENCE],
    ] as const
    const { driving, entry } = scripted({ standings: [two] })
    assert.equal((await drive({ ...driving, waitMs: 3_000 }, entry())).kind, 'unknown')
  })

  test('is nothing when the second look sees the sequence used', async () => {
    const { driving, entry } = scripted({ standings: [past, [[TIMEOUT + 2, SEQUENCE + 1n]]] })
    assert.equal((await drive({ ...driving, waitMs: 3_000 }, entry())).kind, 'unknown')
  })

  test('is nothing when the sequence was used and no block shows by what', async () => {
    const { driving, entry } = scripted({ standings: [[[TIMEOUT + 9, SEQUENCE + 1n]]] })
    const driven = await drive({ ...driving, waitMs: 3_000 }, entry())
    assert.equal(driven.kind, 'unknown')
  })

  test('is nothing when a block holds it, whatever the account says', async () => {
    const done = inBlock('tx_router_2hop')
    const { driven } = await run({ standings: [past], scan: { kind: 'found', included: done } })
    assert.equal(driven.kind, 'included')
  })

  test('is nothing that stands in a block without having used its sequence: it may come again', async () => {
    const early: Included = { ...inBlock('tx_err_no_balance'), code: 5, usedSequence: false }
    const { driving, entry } = scripted({ found: () => early })
    assert.equal((await drive({ ...driving, waitMs: 3_000 }, entry())).kind, 'unknown')
    const { driven, error } = await run({ found: () => early, standings: [past] })
    assert.equal(driven.kind, 'expired')
    assert.equal(error?.members['funds'], 'untouched')
  })

  test('is nothing that has no timeout height', async () => {
    const { driving, entry } = scripted({ standings: [past] })
    const driven = await drive(driving, entry({ timeout_height: 0 }))
    assert.equal(driven.kind, 'unknown')
  })

  test('is what is past its height and was unused at it, whatever came later', async () => {
    const { driven } = await run({
      standings: [[[TIMEOUT + 900, SEQUENCE + 7n]]],
      past: { [TIMEOUT]: SEQUENCE },
    })
    assert.equal(driven.kind, 'expired')
    const pruned = await run({
      standings: [[[TIMEOUT + 900, SEQUENCE + 7n]]],
      past: { [TIMEOUT]: SEQUENCE },
      scan: { kind: 'incomplete', why: 'gone', passes: false },
    })
    assert.equal(pruned.driven.kind, 'expired')
  })

  test('is what was refused by all and is in no block, when its height has passed', async () => {
    const later = { standings: [[[TIMEOUT + 9, SEQUENCE + 1n]]] as const }
    const { driven } = await run(later, { state: 'refused' })
    assert.equal(driven.kind, 'expired')
    const { driving, entry } = scripted(later)
    const sent = entry({ state: 'unknown', maybe_sent: true })
    assert.equal((await drive({ ...driving, waitMs: 3_000 }, sent)).kind, 'unknown')
  })

  test('is what was signed with a sequence that was used before it', async () => {
    const { driven } = await run(
      {
        standings: [[[TIMEOUT + 9, SEQUENCE + 1n]]],
        past: { 120: SEQUENCE + 1n, [TIMEOUT]: SEQUENCE + 1n },
      },
      { state: 'unknown', maybe_sent: true },
    )
    assert.equal(driven.kind, 'expired')
  })

  test('is nothing that a node says was used in between while it hides by what', async () => {
    const { driving, entry } = scripted({
      standings: [[[TIMEOUT + 9, SEQUENCE + 1n]]],
      past: { 120: SEQUENCE, [TIMEOUT]: SEQUENCE + 1n },
    })
    assert.equal((await drive({ ...driving, waitMs: 3_000 }, entry())).kind, 'unknown')
  })

  test('is what another one is seen in the place of, also after its height', async () => {
    const other: Scan = { kind: 'replaced', hash: 'CD'.repeat(32), height: TIMEOUT + 3 }
    const { driven } = await run({
      standings: [[[TIMEOUT + 9, SEQUENCE + 1n]]],
      scan: (from) => (from > TIMEOUT ? other : { kind: 'absent' }),
    })
    assert.equal(driven.kind, 'replaced')
  })

  test('is nothing while a block cannot be read; one that nobody keeps any more is passed over', async () => {
    const unread = (passes: boolean): Scan => ({ kind: 'incomplete', why: 'block 130', passes })
    const { driving, entry } = scripted({ standings: [past], scan: unread(true) })
    assert.equal((await drive({ ...driving, waitMs: 3_000 }, entry())).kind, 'unknown')
    assert.equal((await run({ standings: [past], scan: unread(false) })).driven.kind, 'expired')
  })
})

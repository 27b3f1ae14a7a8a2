import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { IncludedTx, Inspection, Scan } from '../../src/chain/tx/outcome.js'
import { inBlock, run, type Script, SEQUENCE, TIMEOUT } from './script.js'

const past = [[TIMEOUT + 1, SEQUENCE]] as const
const used = [[TIMEOUT + 9, SEQUENCE + 1n]] as const
const usedByBoth = [...used, [TIMEOUT + 9, SEQUENCE + 1n]] as const
const contradiction = [SEQUENCE + 1n, SEQUENCE] as const
const other: Scan = { kind: 'replaced', hash: 'CD'.repeat(32), height: TIMEOUT + 3 }

/** How a transaction ends that was sent and is waited for a little. */
const endOf = async (script: Script, change: Parameters<typeof run>[1] = {}) =>
  (await run(script, change, 3_000)).end

describe('a transaction has expired', () => {
  test('when its height has passed with its sequence unused, at two polls of the account', async () => {
    const { end, counts, error, report } = await run({ accountStates: [past] })
    assert.equal(end, 'expired')
    assert.equal(counts.accounts, 2)
    assert.equal(error?.members['funds'], 'untouched')
    assert.equal(error?.members['evidence'], 'one_node')
    assert.equal(report.evidence, 'one_node')
  })

  test('when two nodes show its sequence unused', async () => {
    const both = [[TIMEOUT + 1, SEQUENCE] as const, [TIMEOUT + 2, SEQUENCE] as const]
    const { end, report } = await run({ nodes: 2, accountStates: [both] })
    assert.equal(end, 'expired')
    assert.equal(report.evidence, 'agreed')
  })

  test('when the account had not used the sequence at its height, whatever came later', async () => {
    const later: Script = {
      accountStates: [[[TIMEOUT + 900, SEQUENCE + 7n]]],
      past: { [TIMEOUT]: SEQUENCE },
    }
    assert.equal((await run(later)).end, 'expired')
    const scan: Scan = { kind: 'incomplete', why: 'gone', passes: false }
    assert.equal((await run({ ...later, scan })).end, 'expired')
  })

  test('when it was signed with a sequence that was used before', async () => {
    const script = { accountStates: [used], past: { 120: SEQUENCE + 1n, [TIMEOUT]: SEQUENCE + 1n } }
    assert.equal((await run(script, { state: 'sent' })).end, 'expired')
  })

  test('with the reason of the refusal, when every node had refused it', async () => {
    const refusal = {
      code: 5,
      codespace: 'sdk',
      log: 'spendable balance 0rune: insufficient funds',
    }
    const { end, error, report } = await run(
      { accountStates: [past] },
      { state: 'refused', ...refusal },
    )
    assert.equal(end, 'expired')
    assert.equal(error?.code, 'INSUFFICIENT_FUNDS')
    assert.equal(error?.members['funds'], 'untouched')
    assert.match(error?.why ?? '', /insufficient funds; block 141 shows its sequence unused/)
    assert.equal(report.status, 'refused')
  })

  test('when only a block is missing that no node keeps', async () => {
    const scan: Scan = { kind: 'incomplete', why: 'block 130', passes: false }
    assert.equal((await run({ accountStates: [past], scan })).end, 'expired')
  })
})

describe('a transaction has not expired', () => {
  const cases: readonly (readonly [string, Script])[] = [
    ['at its very height', { accountStates: [[[TIMEOUT, SEQUENCE]]] }],
    [
      'while one node is before its height',
      {
        accountStates: [
          [
            [TIMEOUT + 5, SEQUENCE],
            [TIMEOUT, SEQUENCE],
          ],
        ],
      },
    ],
    [
      'when the second poll shows the sequence used',
      { accountStates: [past, [[TIMEOUT + 2, SEQUENCE + 1n]]] },
    ],
    ['when the sequence was used and no block shows by what', { accountStates: [used] }],
    [
      'when a block uses the sequence and no account shows it',
      { accountStates: [past], scan: other },
    ],
    [
      'when the sequence was used in between and the node hides by what',
      { accountStates: [used], past: { 120: SEQUENCE, [TIMEOUT]: SEQUENCE + 1n } },
    ],
    [
      'while a block cannot be read for the moment',
      { accountStates: [past], scan: { kind: 'incomplete', why: 'block 130', passes: true } },
    ],
    ['when one of two nodes alone shows its sequence unused', { nodes: 2, accountStates: [past] }],
    [
      'when one of two nodes alone shows its sequence unused at its height',
      { nodes: 2, accountStates: [used], past: { [TIMEOUT]: SEQUENCE } },
    ],
    [
      'when one of two nodes alone shows its sequence used before it was signed',
      { nodes: 2, accountStates: [used], past: { 120: SEQUENCE + 1n, [TIMEOUT]: SEQUENCE + 1n } },
    ],
    [
      'when two nodes contradict one another about the sequence before it was signed',
      {
        nodes: 2,
        accountStates: [usedByBoth],
        past: { 120: contradiction, [TIMEOUT]: SEQUENCE + 1n },
      },
    ],
    [
      'when its sequence was used before it was signed and a block that could hold it is pruned',
      {
        accountStates: [used],
        past: { 120: SEQUENCE + 1n, [TIMEOUT]: SEQUENCE + 1n },
        scan: { kind: 'incomplete', why: 'block 130 is pruned', passes: false },
      },
    ],
  ]
  for (const [when, script] of cases)
    test(when, async () => assert.equal(await endOf(script), 'unknown'))

  test('at its height on the node furthest behind: it may still be included', async () => {
    for (const [, script] of cases.slice(0, 2))
      assert.match((await run(script, {}, 3_000)).why, /may be included until block 140/)
  })

  test('without a timeout height', async () => {
    for (const script of [
      { accountStates: [past] },
      { accountStates: [used], past: { 0: SEQUENCE } },
    ])
      assert.equal((await run(script, { timeout_height: 0 }, 3_000)).end, 'unknown')
  })

  test('when the nodes keep too few blocks to decide, however long the wait', async () => {
    const { end, why } = await run(
      {
        accountStates: [[[TIMEOUT + 900, SEQUENCE + 7n]]],
        scan: { kind: 'incomplete', why: 'block 121 is pruned', passes: false },
      },
      { state: 'sent' },
    )
    assert.equal(end, 'unknown')
    assert.match(why, /keeps older blocks/)
  })

  test('when neither the blocks up to its height nor the hundred after them show by what', async () => {
    const scans: (readonly number[])[] = []
    const scan = (from: number, to: number): Scan => {
      scans.push([from, to])
      return { kind: 'absent' }
    }
    const accountStates = [[[TIMEOUT + 900, SEQUENCE + 7n]]] as const
    assert.equal((await run({ accountStates, scan }, {}, 0)).end, 'unknown')
    assert.deepEqual(scans.slice(0, 2), [
      [121, TIMEOUT],
      [TIMEOUT + 1, TIMEOUT + 100],
    ])
  })

  test('when a block has it, whatever the account shows', async () => {
    const found: Scan = { kind: 'found', included: inBlock('tx_router_2hop') }
    const scan = (from: number): Scan => (from === 121 ? found : { kind: 'absent' })
    assert.equal((await run({ accountStates: [past], scan })).end, 'included')
  })

  test('when the index names a block up to its height, and not a later one', async () => {
    const at = (height: number) => run({ found: () => inBlock('tx_router_2hop', height) }, {}, 0)
    assert.equal((await at(TIMEOUT)).end, 'included')
    assert.equal((await at(TIMEOUT + 1)).end, 'unknown')
  })

  test('when its block shows that it has not used its sequence, until its height has passed', async () => {
    const early: IncludedTx = { ...inBlock('tx_err_no_balance'), code: 5, usedSequence: false }
    assert.equal(await endOf({ found: () => early }), 'unknown')
    const inspection: Inspection = { kind: 'included', included: early, evidence: 'agreed' }
    const found = () => inBlock('tx_router_2hop')
    assert.equal(await endOf({ found, inspection }), 'unknown')
    assert.equal((await run({ found: () => early, accountStates: [past] })).end, 'expired')
  })
})

describe('a transaction was replaced', () => {
  test('when another one with its sequence is in a block, also after its height', async () => {
    const { end, error } = await run({
      accountStates: [used],
      scan: (from) => (from > TIMEOUT ? other : { kind: 'absent' }),
    })
    assert.equal(end, 'replaced')
    assert.equal(error?.members['funds'], 'untouched')
  })

  test('but not if one node reports it and another contradicts', async () => {
    const { end, why } = await run(
      {
        nodes: 2,
        accountStates: [used],
        scan: (from) => (from > TIMEOUT ? other : { kind: 'absent' }),
        inspection: { kind: 'disputed', why: 'node 1 says this, and node 2 that' },
      },
      {},
      3_000,
    )
    assert.equal(end, 'unknown')
    assert.match(why, /node 1 .* node 2/)
  })
})

describe('two nodes that contradict one another about the account', () => {
  test('leave the outcome unknown, and both are named', async () => {
    const scripts: readonly Script[] = [
      {
        accountStates: [
          [
            [TIMEOUT + 5, SEQUENCE + 1n],
            [TIMEOUT + 6, SEQUENCE],
          ],
        ],
      },
      {
        accountStates: [
          [
            [TIMEOUT + 5, SEQUENCE + 1n],
            [TIMEOUT + 5, SEQUENCE],
          ],
        ],
      },
      { accountStates: [usedByBoth], past: { [TIMEOUT]: contradiction } },
    ]
    for (const script of scripts) {
      const { end, error } = await run({ nodes: 2, ...script })
      assert.equal(end, 'unknown')
      assert.equal(error?.code, 'OUTCOME_UNKNOWN')
      assert.match(error?.why ?? '', /node 1 shows sequence 53 used .* node 2 shows it unused/)
    }
  })
})

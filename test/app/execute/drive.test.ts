import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { conclude } from '../../../src/app/execute/follow/conclude.js'
import { type Driving, drive, type Entry } from '../../../src/app/execute/follow/drive.js'
import type { Intent, Journal, TxRecord } from '../../../src/app/execute/follow/intent.js'
import type { Chain, Included, Scan, Sent, Standing } from '../../../src/app/execute/ports.js'
import type { Session } from '../../../src/app/execute/session.js'
import { reasonOf } from '../../../src/chain/tx/failure.js'
import { decodeTxResult, movementsOf } from '../../../src/chain/tx/result.js'
import { rootNode } from '../../../src/snapshot/reader.js'
import { recorded } from '../../demo/rpc/recorded.js'

const HASH = 'AB'.repeat(32)
const SEQUENCE = 53n
const TIMEOUT = 140

const tx: TxRecord = {
  state: 'signed',
  hash: HASH,
  bytes: 'AAAA',
  public_key: btoa('k'.repeat(33)),
  account_number: '3',
  sequence: `${SEQUENCE}`,
  timeout_height: TIMEOUT,
  signed_height: 120,
  legs: [0],
  maybe_sent: false,
  height: null,
  code: null,
  codespace: null,
  log: null,
}

const intent: Intent = {
  format: 'swap.intent/1',
  id: 'x_00000001',
  network: 'demo',
  chain_id: 'demo-1',
  address: 'thor1payer',
  key: 'demo',
  once: null,
  unattended: false,
  mode: 'batch',
  quote_id: null,
  created: '2026-11-21T16:55:07.123Z',
  worth_micro_usd: null,
  contract: 'thor1router',
  recipient: 'thor1payer',
  affiliate: null,
  slippage_bps: 50,
  legs: [
    {
      funds: { denom: 'btc-btc', amount: '100' },
      output: 'rune',
      expected: '10',
      min_return: '9',
      quoted: '10',
      pairs: ['thor1pair'],
    },
  ],
  txs: [tx],
  report: null,
}

/** What a real node put into a block, as the state machine sees it. */
function inBlock(name: string, height = 125): Included {
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  const { tx_result } = (recorded[name] as any).response.result
  const { events, ...result } = decodeTxResult(rootNode(tx_result), height)
  return { ...result, reason: reasonOf(result), movements: movementsOf(events) }
}

/** What a real node answered to a broadcast. */
function checked(name: string): Sent {
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  const { result } = (recorded[name] as any).response
  const { code, codespace, log } = result
  return { kind: 'refused', by: 'node', reason: reasonOf(result), code, codespace, log }
}

type Script = {
  readonly sent?: readonly Sent[]
  readonly found?: (look: number) => Included | undefined
  /** Sequence and height by the number of the look; the last one stays. */
  readonly standings?: readonly (readonly (readonly [height: number, sequence: bigint])[])[]
  readonly scan?: Scan
}

const accepted: Sent = { kind: 'accepted', by: 'node' }
const unknown: Sent = { kind: 'unknown', why: 'node closed the connection' }

/** A chain that says what the script says, a journal in memory, and a clock that goes by itself. */
function scripted({ sent = [accepted], found, standings = [[[121, SEQUENCE]]], scan }: Script) {
  const counts = { broadcasts: 0, looks: 0, accounts: 0 }
  const states: string[] = []
  const chain = {
    network: 'demo',
    endpoints: ['node'],
    async broadcast() {
      return sent[Math.min(counts.broadcasts++, sent.length - 1)]!
    },
    async find() {
      return found?.(counts.looks++)
    },
    async standings(): Promise<readonly Standing[]> {
      const now = standings[Math.min(counts.accounts++, standings.length - 1)]!
      return now.map(([height, sequence]) => ({
        ...{ node: 'node', height, sequence, accountNumber: 3n, publicKey: undefined },
      }))
    },
    async scan(): Promise<Scan> {
      return scan ?? { kind: 'absent' }
    },
    balances: async () => [],
  } as unknown as Chain
  const journal = {
    put(now: Intent) {
      states.push(now.txs[0]!.state)
    },
  } as unknown as Journal
  let now = 0
  const driving: Driving = {
    chain,
    journal,
    clock: {
      now: () => now,
      sleep: async (ms) => {
        now += ms
      },
      time: () => '2026-11-21T16:55:07.123Z',
    },
    progress: () => {},
    interrupt: new AbortController().signal,
    everyMs: 1_000,
    waitMs: undefined,
    stillMs: 30_000,
    until: 'included',
  }
  const entry = (change: Partial<TxRecord> = {}): Entry => ({
    intent: { ...intent, txs: [{ ...tx, ...change }] },
    at: 0,
  })
  return { driving, entry, counts, states }
}

const run = async (script: Script, change: Partial<TxRecord> = {}) => {
  const { driving, entry, counts, states } = scripted(script)
  const at = entry(change)
  const driven = await drive(driving, at)
  const { report, error } = await conclude(driving as unknown as Session, at, driven)
  return { driven, at, counts, states, report, error }
}

describe('what a node says drives a transaction to its end', () => {
  test('code 0 in the mempool and 5 in the block: a failed command, and only the fee is gone', async () => {
    const failed = inBlock('tx_err_contract_min_return')
    const { error, report, states } = await run({
      found: (look) => (look > 0 ? failed : undefined),
    })
    assert.equal(error?.code, 'SLIPPAGE_EXCEEDED')
    assert.equal(error?.members['funds'], 'fee_only')
    assert.equal(report.status, 'failed')
    assert.deepEqual(states.slice(0, 3), ['broadcasting', 'accepted', 'included'])
  })

  test('gas used above gas wanted: out of gas is told as that', async () => {
    const failed = inBlock('tx_err_out_of_gas')
    assert.ok(failed.gasUsed > failed.gasWanted)
    const { error } = await run({ found: () => failed })
    assert.equal(error?.code, 'TX_FAILED')
    assert.match(error?.message ?? '', /out of gas/)
  })

  test('not found in the index right after its block: found in the block itself', async () => {
    const done = inBlock('tx_router_2hop')
    const { driven } = await run({
      standings: [[[121, SEQUENCE]], [[126, SEQUENCE + 1n]]],
      scan: { kind: 'found', included: done },
    })
    assert.equal(driven.kind, 'included')
  })

  test('a sequence that is too low, at once: refused, and dead once another one is seen in its place', async () => {
    const { driven, counts } = await run({ sent: [checked('broadcast_err_seq_low')] })
    assert.equal(driven.kind, 'refused')
    assert.equal(counts.broadcasts, 1)
    const seen = await run(
      {
        standings: [[[121, SEQUENCE]], [[123, SEQUENCE + 1n]]],
        scan: { kind: 'replaced', hash: 'CD'.repeat(32), height: 122 },
      },
      { state: 'refused' },
    )
    assert.equal(seen.driven.kind, 'replaced')
    assert.equal(seen.counts.broadcasts, 0)
    assert.equal(seen.error?.code, 'TX_FAILED')
  })

  test('a sequence that is too low, after a doubt: says nothing, for the bytes may be in', async () => {
    const done = inBlock('tx_router_2hop')
    const { driven, states } = await run({
      sent: [unknown, checked('broadcast_err_seq_low')],
      found: (look) => (look > 2 ? done : undefined),
    })
    assert.equal(driven.kind, 'included')
    assert.ok(!states.includes('refused'))
  })

  test('a sequence that is too high: refused, and never counted as dead before its height', async () => {
    const { at } = await run({ sent: [checked('broadcast_err_seq_high')] })
    assert.equal(at.intent.txs[0]?.state, 'refused')
    const later = scripted({ standings: [[[130, 20n]]] })
    const driven = await drive(
      { ...later.driving, waitMs: 5_000 },
      later.entry({ state: 'refused' }),
    )
    assert.equal(driven.kind, 'unknown')
  })

  test('a doubt is never taken back: the same bytes, and then the chain decides', async () => {
    const { driven, counts, states } = await run({
      sent: [unknown, unknown, accepted],
      standings: [[[121, SEQUENCE]], [[122, SEQUENCE]], [[141, SEQUENCE]]],
    })
    assert.equal(driven.kind, 'expired')
    assert.equal(counts.broadcasts, 3)
    assert.equal(states.at(-2), 'expired')
  })

  test('no connection at all: it never left, and is given up for good', async () => {
    const { driven, error, at } = await run({ sent: [{ kind: 'unsent', why: 'refused' }] })
    assert.equal(driven.kind, 'abandoned')
    assert.equal(error?.code, 'UPSTREAM_ERROR')
    assert.equal(at.intent.txs[0]?.state, 'abandoned')
  })
})

describe('dead', () => {
  const past = [[TIMEOUT + 1, SEQUENCE]] as const

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
})

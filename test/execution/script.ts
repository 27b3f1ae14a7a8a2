import { NodeFault } from '../../src/chain/rpc/faults.js'
import type { Included, Scan, Sent } from '../../src/chain/tx/outcome.js'
import { reasonOf } from '../../src/chain/tx/refusal.js'
import { decodeTxResult } from '../../src/chain/tx/result.js'
import { SwapError } from '../../src/engine/errors.js'
import { rootCursor } from '../../src/engine/snapshot/json-cursor.js'
import type { Intent, Journal, TxRecord } from '../../src/execution/journal/intent.js'
import { conclude } from '../../src/execution/lifecycle/conclude.js'
import { type Driving, drive, type Entry } from '../../src/execution/lifecycle/drive.js'
import type { Chain, Standing } from '../../src/execution/ports.js'
import type { Session } from '../../src/execution/session.js'
import { recorded } from '../demo-chain/node/recorded.js'

/** A signed transaction that may come until TIMEOUT. */
export const HASH = 'AB'.repeat(32)
export const SEQUENCE = 53n
export const TIMEOUT = 140

export const tx: TxRecord = {
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

export const intent: Intent = {
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
export function inBlock(name: string, height = 125): Included {
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  const { tx_result } = (recorded[name] as any).response.result
  return decodeTxResult(rootCursor(tx_result), height)
}

/** What a real node answered to a broadcast. */
export function checked(name: string): Sent {
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  const { result } = (recorded[name] as any).response
  const { code, codespace, log } = result
  return { kind: 'refused', by: 'node', reason: reasonOf(result), code, codespace, log }
}

export type Script = {
  readonly sent?: readonly Sent[]
  readonly found?: (look: number) => Included | undefined
  /** Sequence and height by the number of the look; the last one stays. */
  readonly standings?: readonly (readonly (readonly [height: number, sequence: bigint])[])[]
  /** What blocks say; by the first of them where that matters. */
  readonly scan?: Scan | ((from: number) => Scan)
  /** Sequences at heights of the past, where the node keeps them. */
  readonly past?: Readonly<Record<number, bigint>>
  /** Writes of the journal that work; then the disk is full. */
  readonly room?: number
}

export const accepted: Sent = { kind: 'accepted', by: 'node' }
export const unknown: Sent = { kind: 'unknown', why: 'node closed the connection' }

/** A chain that says what the script says, a journal in memory, and a clock that goes by itself. */
export function scripted({
  sent = [accepted],
  found,
  standings = [[[121, SEQUENCE]]],
  scan,
  past,
  room = Number.POSITIVE_INFINITY,
}: Script) {
  const counts = { broadcasts: 0, looks: 0, accounts: 0, writes: 0 }
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
    async standings(_address: string, height?: number): Promise<readonly Standing[]> {
      if (height !== undefined) {
        const sequence = past?.[height]
        if (sequence === undefined)
          throw new NodeFault('height_unavailable', 'node', 'has no such block')
        return [{ node: 'node', height, sequence, accountNumber: 3n, publicKey: undefined }]
      }
      const now = standings[Math.min(counts.accounts++, standings.length - 1)]!
      return now.map(([height, sequence]) => ({
        ...{ node: 'node', height, sequence, accountNumber: 3n, publicKey: undefined },
      }))
    },
    async scan(_wanted: unknown, from: number): Promise<Scan> {
      return (typeof scan === 'function' ? scan(from) : scan) ?? { kind: 'absent' }
    },
    balances: async () => [],
  } as unknown as Chain
  const journal = {
    put(now: Intent) {
      counts.writes += 1
      if (counts.writes > room) throw new SwapError('NOT_READY', 'the journal cannot be used')
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

export const run = async (script: Script, change: Partial<TxRecord> = {}) => {
  const { driving, entry, counts, states } = scripted(script)
  const at = entry(change)
  const driven = await drive(driving, at)
  const { report, error, unwritten } = await conclude(driving as unknown as Session, at, driven)
  return { driven, at, counts, states, report, error, unwritten }
}

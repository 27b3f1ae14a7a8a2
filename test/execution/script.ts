import { NodeFault } from '../../src/chain/rpc/faults.js'
import type { BroadcastResult, IncludedTx, Inspection, Scan } from '../../src/chain/tx/outcome.js'
import { reasonOf } from '../../src/chain/tx/refusal.js'
import { decodeTxResult } from '../../src/chain/tx/result.js'
import { SwapError } from '../../src/engine/errors.js'
import { rootCursor } from '../../src/engine/snapshot/json-cursor.js'
import {
  type Entry,
  type Intent,
  type Journal,
  type TxRecord,
  txOf,
} from '../../src/execution/journal/intent.js'
import { resultOf } from '../../src/execution/lifecycle/result.js'
import { type Tracking, track, type Waiting } from '../../src/execution/lifecycle/track.js'
import type { AccountState, Chain } from '../../src/execution/ports.js'
import type { AccountLock } from '../../src/execution/session.js'
import { recorded } from '../demo-chain/node/recorded.js'

/** A lock that no other process can take. */
export const ownLock = async (): Promise<AccountLock> => ({ isHeld: () => true, release() {} })

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
}

/** What a real node put into a block, as the state machine sees it. */
export function inBlock(name: string, height = 125): IncludedTx {
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  const { tx_result } = (recorded[name] as any).response.result
  return decodeTxResult(rootCursor(tx_result), height)
}

/** What a real node answered to a broadcast. */
export function checked(name: string): BroadcastResult {
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  const { result } = (recorded[name] as any).response
  const { code, codespace, log } = result
  return { kind: 'refused', by: 'node', reason: reasonOf(result), code, codespace, log }
}

export type Script = {
  readonly sent?: readonly BroadcastResult[]
  readonly found?: (look: number) => IncludedTx | undefined
  /** Sequence and height by the number of the look; the last one stays. */
  readonly accountStates?: readonly (readonly (readonly [height: number, sequence: bigint])[])[]
  /** What blocks say; by the first and last of them where that matters. */
  readonly scan?: Scan | ((from: number, to: number) => Scan)
  /** Sequences at heights of the past, one for each node that keeps them. */
  readonly past?: Readonly<Record<number, bigint | readonly bigint[]>>
  /** Nodes that are configured; each standing is of another one. */
  readonly nodes?: number
  /** What all nodes say of a transaction at a height; by default what was found, by one node. */
  readonly inspection?: Inspection
  /** Writes of the journal that work; then the disk is full. */
  readonly room?: number
}

export const accepted: BroadcastResult = { kind: 'accepted', by: 'node' }
export const unknown: BroadcastResult = { kind: 'unknown', why: 'node closed the connection' }

const stateOf = (i: number, height: number, sequence: bigint): AccountState => ({
  node: `node ${i + 1}`,
  height,
  sequence,
  accountNumber: 3n,
  publicKey: undefined,
})

/** A chain that says what the script says, a journal in memory, and a clock that goes by itself. */
export function scripted({
  sent = [accepted],
  found,
  accountStates = [[[121, SEQUENCE]]],
  scan,
  past,
  nodes = 1,
  inspection,
  room = Number.POSITIVE_INFINITY,
}: Script) {
  const counts = { broadcasts: 0, looks: 0, accounts: 0, writes: 0 }
  const states: string[] = []
  let seen: IncludedTx | undefined
  const chain = {
    network: 'demo',
    endpoints: Array.from({ length: nodes }, (_, i) => `node ${i + 1}`),
    isOwn: false,
    async broadcast() {
      return sent[Math.min(counts.broadcasts++, sent.length - 1)]!
    },
    async find() {
      seen = found?.(counts.looks++)
      return seen
    },
    async inspect(_hash: string, height: number): Promise<Inspection> {
      if (inspection !== undefined) return inspection
      // Another transaction that used the sequence did what it should.
      const included = seen ?? { ...inBlock('tx_router_2hop'), height }
      return { kind: 'included', included, evidence: 'one_node' }
    },
    async accountStates(_address: string, height?: number): Promise<readonly AccountState[]> {
      if (height !== undefined) {
        const kept = past?.[height]
        if (kept === undefined)
          throw new NodeFault('height_unavailable', 'node', 'has no such block')
        return [kept].flat().map((sequence, i) => stateOf(i, height, sequence))
      }
      const now = accountStates[Math.min(counts.accounts++, accountStates.length - 1)]!
      return now.map(([height, sequence], i) => stateOf(i, height, sequence))
    },
    async scan(_wanted: unknown, from: number, to: number): Promise<Scan> {
      const now = (typeof scan === 'function' ? scan(from, to) : scan) ?? {
        kind: 'absent' as const,
      }
      if (now.kind === 'found') seen = now.included
      return now
    },
    balances: async () => [],
  } as unknown as Chain
  let written = intent
  const journal = {
    put(now: Intent) {
      counts.writes += 1
      if (counts.writes > room) throw new SwapError('NOT_READY', 'the journal cannot be used')
      states.push(now.txs[0]!.state)
      written = now
    },
    find: () => written,
  } as unknown as Journal
  let now = 0
  const session: Tracking = {
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
    isHeld: () => true,
    pollIntervalMs: 1_000,
    stallMs: 30_000,
  }
  const entry = (change: Partial<TxRecord> = {}): Entry => ({
    intent: { ...intent, txs: [{ ...tx, ...change }] },
    at: 0,
  })
  return { session, entry, counts, states }
}

export const untilIncluded: Waiting = { wait: 'included', waitMs: undefined }

/** Tracks a transaction on a scripted chain to its end, or for so long. */
export const run = async (
  script: Script,
  change: Partial<TxRecord> = {},
  waitMs: number | undefined = undefined,
) => {
  const { session, entry, counts, states } = scripted(script)
  const at = entry(change)
  const outcome = await track(session, { ...untilIncluded, waitMs }, at)
  const { report, error, unwritten } = resultOf(at, outcome)
  const why = outcome.kind === 'unknown' ? outcome.why : ''
  const { state } = txOf(at)
  const end = outcome.kind === 'settled' ? state : outcome.kind
  return { end, why, state, at, counts, states, report, error, unwritten }
}

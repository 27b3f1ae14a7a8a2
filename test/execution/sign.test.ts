import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { NodeFault, NodesFailed } from '../../src/chain/rpc/faults.js'
import { decodeSignBytes, signBytesOf } from '../../src/chain/tx/decode-sign-doc.js'
import { SwapError } from '../../src/engine/errors.js'
import type { Market } from '../../src/engine/market/market.js'
import type { Intent } from '../../src/execution/journal/intent.js'
import type { PreparedTx } from '../../src/execution/plan/prepared.js'
import type { Ledger } from '../../src/execution/ports.js'
import type { LockedSession } from '../../src/execution/session.js'
import { sign } from '../../src/execution/sign.js'
import type { Signer } from '../../src/wallet/signing/protocol.js'
import { address, answer, answering, draft, publicKey } from './external-signer.js'
import { intent, scripted } from './script.js'
import { usualTerms } from './stage.js'

const TIMEOUT = Number(draft.timeoutHeight)
const market = (height: number) => ({ height, time: '2026-11-21T16:55:07Z' }) as Market
const marketAt = (height: number | Error) => {
  if (typeof height !== 'number') throw height
  return market(height)
}
const blank: Intent = { ...intent, txs: [] }

/** Signs a transaction that was prepared at one height, with the market at another one by then, or none. */
async function signedAt(
  height: number | Error,
  own: {
    readonly recheck?: () => Promise<void>
    readonly session?: Partial<LockedSession>
    readonly claim?: () => Promise<void>
    readonly whileSigned?: () => void
    /** The height of the nodes when a person has confirmed; otherwise it is signed unattended. */
    readonly confirmedAt?: number
  } = {},
) {
  const { confirmedAt } = own
  const unattended = confirmedAt === undefined
  const { session } = scripted(unattended ? {} : { accountStates: [[[confirmedAt, 12n]]] })
  const calls: string[] = []
  const step =
    (name: string, work = async () => {}) =>
    async () => {
      calls.push(name)
      await work()
    }
  const signer: Signer = {
    name: 'exec:device',
    address,
    forget: () => void calls.push('forget'),
    ...answering((request) => {
      calls.push('sign')
      own.whileSigned?.()
      return answer(request)
    }),
  }
  const signDoc = signBytesOf(draft)
  const accountState = { height: 500, node: 'node', accountNumber: 107n, sequence: 12n, publicKey }
  const built = { signDoc, decoded: decodeSignBytes(signDoc, publicKey), accountState, gasUsed: 1n }
  const journal = {
    ...session.journal,
    put: () => void calls.push('put'),
    requireRoom: () => void calls.push('room'),
  }
  const ledger: Ledger = {
    read: () => [],
    async claim(_owner, _signing, judge) {
      judge([])
      await step('claim', own.claim)()
    },
  }
  const chain = { ...session.chain, prefix: demo.prefix, market: async () => marketAt(height) }
  const signing = sign(
    { ...session, chain, journal, ledger, ...own.session } as LockedSession,
    {
      account: { name: 'demo', address, publicKey, unlock: async () => signer },
      terms: { ...usualTerms, unattended },
    },
    {
      market: market(510),
      built,
      txMicroUsd: async () => 5n,
      recheck: step('recheck', own.recheck),
    } satisfies Partial<PreparedTx>,
    blank,
    [0],
  )
  const result = await signing.catch((error: unknown) => error as Error & { code?: string })
  return { result, calls: calls.join(' ') }
}

describe('a signature', () => {
  test('is made on a checked market, and recorded before its transaction is returned', async () => {
    const { result, calls } = await signedAt(511)
    assert.equal(calls, 'recheck sign room claim put forget')
    assert.ok('intent' in result)
    const [tx] = result.intent.txs
    assert.equal(tx?.state, 'signed')
    assert.equal(tx?.signed_height, 500)
    assert.equal((await signedAt(510)).calls, 'sign room claim put forget')
  })

  test('is not made one block before the timeout height', async () => {
    assert.ok('intent' in (await signedAt(TIMEOUT - 2)).result)
    const { result, calls } = await signedAt(TIMEOUT - 1)
    assert.equal('code' in result && result.code, 'QUOTE_EXPIRED')
    assert.equal(calls, 'forget')
  })

  test('is not made, and no key unlocked for it, where the confirmation came that late', async () => {
    const { calls } = await signedAt(TIMEOUT - 2, { confirmedAt: TIMEOUT - 2 })
    assert.equal(calls, 'recheck sign room claim put forget')
    const late = await signedAt(TIMEOUT - 1, { confirmedAt: TIMEOUT - 1 })
    assert.equal('code' in late.result && late.result.code, 'QUOTE_EXPIRED')
    assert.equal(late.calls, '')
  })

  test('is not made where the market moved, or the user stops meanwhile', async () => {
    const moved = await signedAt(511, { recheck: () => Promise.reject(new Error('moved')) })
    assert.equal((moved.result as Error).message, 'moved')
    assert.equal(moved.calls, 'recheck forget')
    const stopped = await signedAt(511, { session: { interrupt: AbortSignal.abort() } })
    assert.equal((stopped.result as Error).name, 'Interrupted')
    assert.equal(stopped.calls, 'recheck forget')
  })

  test('is not made where no node answers any more, which the error says', async () => {
    const fault = new NodeFault('refused', 'http://node', 'refused the connection')
    const { result, calls } = await signedAt(new NodesFailed([{ fault, atMs: 1 }], 1_000))
    assert.equal(calls, 'forget')
    assert.ok(result instanceof SwapError)
    assert.equal(result.code, 'UPSTREAM_ERROR')
    assert.match(result.hint!, /^nothing was signed; try again/)
  })

  test('is not recorded where the user stops while it is made', async () => {
    const stop = new AbortController()
    const { result, calls } = await signedAt(511, {
      whileSigned: () => stop.abort(),
      session: { interrupt: stop.signal },
    })
    assert.equal((result as Error).name, 'Interrupted')
    assert.equal(calls, 'recheck sign room forget')
  })

  test('is not published where a limit refuses it', async () => {
    const { calls } = await signedAt(511, { claim: () => Promise.reject(new Error('a limit')) })
    assert.equal(calls, 'recheck sign room claim forget')
  })
})

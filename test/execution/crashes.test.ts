import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { seededRandom } from '../../src/demo-chain/market/random.js'
import { jsonReply } from '../../src/demo-chain/node/reply.js'
import { SwapError } from '../../src/engine/errors.js'
import { execute, resume } from '../../src/execution/execute.js'
import { type Intent, isDone, isFinal, type Journal } from '../../src/execution/journal/intent.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import type { Chain } from '../../src/execution/ports.js'
import type { OrderTask, SwapTask } from '../../src/execution/task.js'
import { buyTask, resting } from './orders-stage.js'
import { ownLock } from './script.js'
import { type Hook, type Stage, stage, usualTerms } from './stage.js'

/** Rounds: each one is an execution that is cut off, and what comes after it. */
const ROUNDS = process.env['SWAP_LONG'] ? 40 : 4

/** Rounds on one chain, which goes on from one to the next. */
const ON_ONE = 20

/** A node that answers after every time limit, and its delay in milliseconds. */
const PATIENCE_MS = 1_000
const LATE_MS = 1_300

/** The process is gone at this point: nothing of it runs any more, not even to clear up. */
class Killed extends Error {
  override name = 'Killed'
}

/** Lets so many steps pass that the world can see, and ends the process before or after the next. */
class Fuse {
  constructor(
    private left: number,
    private readonly after: boolean,
  ) {}

  async around<T>(step: () => T | Promise<T>): Promise<T> {
    if (this.left < 0) throw new Killed()
    this.left -= 1
    if (this.left < 0 && !this.after) throw new Killed()
    const done = await step()
    if (this.left < 0) throw new Killed()
    return done
  }

  aroundSync(step: () => void): void {
    if (this.left < 0) throw new Killed()
    this.left -= 1
    if (this.left < 0 && !this.after) throw new Killed()
    step()
    if (this.left < 0) throw new Killed()
  }
}

const fusedChain = (chain: Chain, fuse: Fuse): Chain => ({
  ...chain,
  broadcast: (bytes) => fuse.around(() => chain.broadcast(bytes)),
  find: (hash) => fuse.around(() => chain.find(hash)),
  accountStates: (address) => fuse.around(() => chain.accountStates(address)),
})

const fusedJournal = (journal: Journal, fuse: Fuse): Journal => ({
  ...journal,
  put: (intent) => fuse.aroundSync(() => journal.put(intent)),
})

/** Faults of the node that are on while the process runs and dies. */
const FAULTS = [
  ...Array.from({ length: 8 }, () => undefined),
  { kind: 'lost-reply', once: true },
  { kind: 'timeout', once: true },
  { kind: 'slippage', once: true },
  { kind: 'halt', once: true },
  { kind: 'busy' },
  { kind: 'funds' },
  { kind: 'reset', method: 'broadcast_tx_sync', once: true },
  { kind: 'truncated', method: 'broadcast_tx_sync', once: true },
  { kind: 'empty', method: 'broadcast_tx_sync', once: true },
  { kind: '502', method: 'broadcast_tx_sync', once: true },
  { kind: 'not-json', method: 'tx' },
  { kind: 'sequence-lie' },
  ...(['lies-up', 'lies-down', 'forgets', 'forgets', 'late', 'late-refusal'] as const),
] as const

/** What a node does wrongly that no fault of the demo chain does. */
type Oddity = Extract<(typeof FAULTS)[number], string>
let oddity: Oddity | undefined

/** Stands between the wire and the node, and does one of these. */
const odd: Hook = async (request, next) => {
  const isBroadcast = request.body.includes('"broadcast_tx_sync"')
  if (oddity === 'forgets' && request.body.includes('"method":"tx"')) {
    const { id } = JSON.parse(request.body.toString()) as { id: number }
    const error = { code: -32603, message: 'Internal error', data: 'tx (AB) not found' }
    return jsonReply(200, JSON.stringify({ jsonrpc: '2.0', id, error }))
  }
  if (!isBroadcast || (oddity !== 'late' && oddity !== 'late-refusal')) return next()
  // It takes them, and says so too late; or it is late before it even looks at them.
  const reply = oddity === 'late' ? await next() : undefined
  await new Promise((done) => setTimeout(done, LATE_MS))
  return reply ?? next()
}

/** Errors with which a process may truthfully end. */
const TRUTHFUL = new Set([
  'BUSY',
  'OUTCOME_UNKNOWN',
  'TX_FAILED',
  'SLIPPAGE_EXCEEDED',
  'INSUFFICIENT_FUNDS',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_INVALID_DATA',
  'QUOTE_EXPIRED',
])

/** A process that runs until its end, or until it is killed. */
async function live(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Killed) return
    if (error instanceof SwapError && TRUTHFUL.has(error.code)) return
    throw error
  }
}

/** Everything that the journal says against everything that the chain holds. */
function check({ executed, intents }: Stage, seed: number): { double: number; forgotten: number } {
  const onChain = new Map(executed().map((tx) => [tx.hash, tx]))
  const known = new Map<string, Intent>()
  let double = 0
  let forgotten = 0
  const perKey = new Map<string, number>()
  const included = new Set(
    intents().flatMap(({ txs }) =>
      txs.filter(({ state }) => state === 'included').map((tx) => tx.hash),
    ),
  )
  for (const intent of intents())
    for (const tx of intent.txs) {
      known.set(tx.hash, intent)
      const real = onChain.get(tx.hash)
      assert.ok(isFinal(tx), `seed ${seed}: ${tx.hash} is ${tx.state} in the end`)
      // Signed again at the same height, the same swap is the same bytes: one of both has sent them.
      if (tx.state === 'abandoned' && included.has(tx.hash)) continue
      assert.equal(tx.state === 'included', real !== undefined, `seed ${seed}: ${tx.state}`)
      if (real === undefined) continue
      assert.equal(tx.code, real.code, `seed ${seed}`)
      if (real.code === 0 && intent.once !== null)
        perKey.set(intent.once, (perKey.get(intent.once) ?? 0) + 1)
    }
  for (const count of perKey.values()) if (count > 1) double += 1
  for (const hash of onChain.keys()) if (!known.has(hash)) forgotten += 1
  return { double, forgotten }
}

/** Rounds of orders; each ends after its kills with what rests in the book. */
const ORDER_ROUNDS = process.env['SWAP_LONG'] ? 100 : 3

describe('a process that is killed at any point', () => {
  test(
    `never executes a swap twice and forgets nothing: ${ROUNDS} times`,
    () => rounds(ROUNDS, swapOf),
    3_600_000,
  )
  test(
    `never places an order twice and forgets nothing: ${ORDER_ROUNDS} times`,
    () =>
      rounds(
        ORDER_ROUNDS,
        (at, { once, deadlineBlocks }) =>
          buyTask(at, '0.1', AMOUNT, { ...usualTerms, once, deadlineBlocks }),
        async (at, seed) => {
          const placed = at.intents().filter(({ txs }) => txs.some(isDone)).length
          assert.equal(await resting(at, '0.1'), BigInt(placed) * AMOUNT, `seed ${seed}`)
        },
      ),
    3_600_000,
  )
})

/** What each order adds at its price. */
const AMOUNT = 1_000_000n

type TaskOf = (
  at: Stage,
  terms: { readonly once: string; readonly deadlineBlocks: number },
) => Promise<SwapTask | OrderTask>

const swapOf: TaskOf = (at, terms) => at.order({ ...terms, gas: 5_000_000n })

/** @param verify compares the chain with the journal after the rounds on it */
async function rounds(
  count: number,
  taskOf: TaskOf,
  verify: (at: Stage, seed: number) => Promise<void> = async () => {},
): Promise<void> {
  let found = { double: 0, forgotten: 0 }
  let at: Stage | undefined
  for (let seed = 1; seed <= count; seed += 1) {
    at ??= withMemory(await stage({ hook: odd, patienceMs: PATIENCE_MS }))
    await round(at, seed, taskOf)
    if (seed % ON_ONE !== 0 && seed < count) continue
    const now = check(at, seed)
    found = { double: found.double + now.double, forgotten: found.forgotten + now.forgotten }
    await verify(at, seed)
    at = undefined
  }
  assert.deepEqual(found, { double: 0, forgotten: 0 })
}

/** The same market is not read twice at one height: it is what takes longest. */
function withMemory(given: Stage): Stage {
  let kept: { readonly height: number; readonly market: ReturnType<Chain['market']> } | undefined
  const market = (): ReturnType<Chain['market']> => {
    const { height } = given.real
    if (kept?.height !== height) kept = { height, market: given.chain.market() }
    return kept.market
  }
  return { ...given, chain: { ...given.chain, market } }
}

function healed(at: Stage): void {
  oddity = undefined
  at.heal()
}

async function round(at: Stage, seed: number, taskOf: TaskOf): Promise<void> {
  const draw = seededRandom(`crash ${seed}`)
  const random = () => draw() / 2 ** 32
  const pick = (most: number) => Math.floor(random() * most)
  const once = `round ${seed}`
  const fault = FAULTS[pick(FAULTS.length)]
  oddity = typeof fault === 'string' ? fault : undefined
  if (fault === 'lies-up' || fault === 'lies-down') at.lie(fault === 'lies-up' ? 1n : -1n)
  if (typeof fault === 'object') at.fail(fault)
  // Some die several times in a row; each is another process.
  const lives = 1 + pick(4)
  for (let life = 0; life < lives; life += 1) {
    // Most of them near the moment at which the bytes leave, where it matters most.
    const fuse = new Fuse(random() < 0.6 ? pick(8) : pick(24), random() < 0.5)
    const session = at.session({
      chain: fusedChain(at.chain, fuse),
      journal: fusedJournal(at.journal, fuse),
      lock: ownLock,
      stallMs: 8_000,
    })
    const open = at.journal.open()[0]
    const isResumed = life > 0 && open !== undefined && random() < 0.25
    await live(async () => {
      if (isResumed) return resume(session, open)
      const task = await taskOf(at, { once, deadlineBlocks: 5 + pick(8) })
      return execute(session, task, newIntentId)
    })
    for (let blocks = pick(3); blocks > 0; blocks -= 1) at.block()
    if (random() < 0.5) healed(at)
  }
  healed(at)
  for (let blocks = 20; blocks > 0; blocks -= 1) at.block()
  const session = at.session({ chain: at.chain })
  for (const open of at.journal.open()) await live(() => resume(session, open))
}

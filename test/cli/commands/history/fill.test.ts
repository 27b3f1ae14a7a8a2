import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { fillIndex } from '../../../../src/cli/commands/history/fill.js'
import { fillingOf, historyRequestOf } from '../../../../src/cli/commands/history/request.js'
import { createOutput } from '../../../../src/cli/output.js'
import { SwapError } from '../../../../src/engine/errors.js'
import type {
  Indexer,
  IndexOptions,
  IndexRun,
} from '../../../../src/operations/history/history-port.js'
import { openNode } from '../../../chain/rpc/stage.js'
import { chainOf, grow, growQuietly, threePairs } from '../../../support/chain.js'
import { runSwap } from '../../../support/cli.js'
import { closingLast } from '../../../support/closing.js'
import { temporaryFolder } from '../../../support/folder.js'

const run: IndexRun = {
  done: 3,
  left: 0,
  rate: 3,
  leftMs: 0,
  swaps: 1,
  quarantined: 0,
  pruned: [],
  silent: [],
  forgotten: 0,
  unshared: 0,
  beyond: 0,
  complete: true,
  ms: 1_000,
}

/** What a command has of an index that is filled as `index` says, and what it wrote. */
function desk(index: (options: IndexOptions) => Promise<IndexRun>) {
  const written: string[] = []
  let status: number | undefined
  const sink = {
    write: (text: string, done: (error?: Error | null) => void) => {
      written.push(text)
      done()
      return true
    },
    on: () => {},
  }
  const setExit = (code: number) => {
    status = code
  }
  const out = createOutput(
    { stdout: sink, stderr: sink, setExit },
    {},
    { color: 'never', width: 80, ascii: false },
  )
  const indexer: Indexer = {
    run: index,
    runShort: async () => ({ earlier: 0, later: 0, beyond: 0 }),
    close: () => {},
  }
  const form = { kind: 'human', quiet: 0, verbose: false, atomic: false } as const
  return {
    written,
    status: () => status,
    fill: () =>
      fillIndex({ out, form }, { indexer: async () => indexer }, { from: 7, reindex: true }),
  }
}

test('a list that ends before the chain has a note with the number of missing blocks, or why they cannot be read', async () => {
  const chain = chainOf({}, threePairs)
  grow(chain, 3)
  const { rpc, rest } = closingLast(await openNode(chain))
  const env = { SWAP_HOME: temporaryFolder('cli-behind'), SWAP_RPC: rpc, SWAP_REST: rest }
  await runSwap(['history', '--sync', '-qq'], { env })
  growQuietly(chain, 201)
  const { stderr } = await runSwap(['history'], { env })
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /the list ends 201 blocks before the newest: swap history --sync/,
  )
  const reset = closingLast(await openNode(chainOf({}, threePairs)))
  for (const more of [[], ['--sync']]) {
    const { stderr } = await runSwap(['history', ...more], { env: { ...env, SWAP_RPC: reset.rpc } })
    const note =
      /the index has 3 blocks after the newest one of the nodes: these are behind, or the chain was reset; then: swap history --reindex/
    assert.match(stderr.replace(/\s+/g, ' '), note)
  }
  const beyond = await runSwap(['history', '--sync', '--from-height', '9999'], { env })
  assert.equal(beyond.status, 2)
  assert.match(beyond.stderr, /it is 9999, and the newest block of the chain is 324/)
  const unreached = await runSwap(['history'], { env: { ...env, SWAP_RPC: 'http://127.0.0.1:1' } })
  assert.match(
    unreached.stderr.replace(/\s+/g, ' '),
    /newer blocks are not in the list: http:\/\/127\.0\.0\.1:1 refused the connection: it was tried for/,
  )
})

describe('filling the index', () => {
  test('passes the first height and --reindex on, and reports the result', async () => {
    let asked: IndexOptions | undefined
    const { fill, written, status } = desk(async (options) => {
      asked = options
      return run
    })
    assert.equal(await fill(), true)
    assert.deepEqual([asked?.from, asked?.reindex], [7, true])
    assert.match(
      written.join(''),
      /note: indexed 3 blocks with 1 swap in 1\.0 s, 3\.0 blocks a second/,
    )
    assert.equal(status(), undefined)
  })
  for (const [name, exit, isLate] of [
    ['SIGINT', 130, false],
    ['SIGTERM', 143, false],
    ['SIGINT', 130, true],
  ] as const)
    test(`ends with ${exit} on ${name}${isLate ? ' during the last batch' : ', with the command that continues'}`, async () => {
      const { fill, written, status } = desk(async ({ signal }) => {
        process.emit(name, name)
        assert.ok(signal.aborted)
        return isLate ? run : { ...run, complete: false, left: 9 }
      })
      const before = process.listenerCount(name)
      assert.equal(await fill(), false)
      assert.equal(status(), exit)
      assert.equal(process.listenerCount(name), before)
      const isStopped = /stopped with 9 blocks left; go on: swap history --sync/
      assert.equal(isStopped.test(written.join('')), !isLate)
    })
  test('reports a retry', async () => {
    const { fill, written } = desk(async ({ failed }) => {
      failed(new Error('the node was away'))
      return run
    })
    await fill()
    assert.match(written.join(''), /note: tried again: the node was away/)
  })
})

describe('the flags', () => {
  test('become the parameters of the service', () => {
    const txHash = 'Ab'.repeat(32)
    const flags = { txHash, page: '2', limit: '100', type: 'swap', period: '7d', sender: 'x' }
    assert.deepEqual(historyRequestOf({ ...flags, json: true }), {
      txHash,
      page: 2,
      limit: 100,
      type: 'swap',
      period: '7d',
      sender: 'x',
    })
    assert.deepEqual(historyRequestOf({}), {})
  })
  const refused: readonly (readonly [flags: Record<string, string>, what: RegExp])[] = [
    [{ limit: '101' }, /--limit/],
    [{ limit: '1e1' }, /--limit/],
    [{ page: '0' }, /--page/],
    [{ type: 'gift' }, /--type/],
    [{ period: '2d' }, /--period/],
  ]
  for (const [flags, what] of refused)
    test(`${JSON.stringify(flags)} is refused`, () =>
      assert.throws(
        () => historyRequestOf(flags),
        (error) =>
          error instanceof SwapError &&
          error.code === 'INVALID_REQUEST' &&
          what.test(error.message),
      ))
  test('have the range to index', () => {
    assert.equal(fillingOf({}), undefined)
    assert.deepEqual(fillingOf({ sync: true }), { from: undefined, reindex: false })
    assert.deepEqual(fillingOf({ reindex: true, fromHeight: '5' }), { from: 5, reindex: true })
    assert.throws(() => fillingOf({ fromHeight: '5' }), /--from-height needs --sync/)
    assert.throws(() => fillingOf({ fromHeight: '0', sync: true }), /--from-height/)
  })
})

import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { AlreadyKnown, type Chain } from '../../../src/demo-chain/blocks/chain.js'
import { resultsHash } from '../../../src/demo-chain/blocks/hashing.js'
import { agentsOf } from '../../../src/demo-chain/genesis/known-accounts.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { readable } from '../../../src/demo-chain/market/document.js'
import { contractInfo } from '../../../src/demo-chain/modules/dispatch.js'
import { encodeChanges } from '../../../src/demo-chain/store/state.js'
import { accountTx, executeMessage, sendMessage } from '../../../src/demo-chain/tx/sign.js'
import { chainOf, document, grow, majorPairs, supplies, totals } from '../../support/chain.js'
import { longTest } from '../../support/long.js'

const LONG = process.env['SWAP_LONG'] !== undefined
/** At least 32: in that block the first transaction of seed 1 fails. */
const BLOCKS = LONG ? 300 : 36
const WHOLE = { keep: BLOCKS + 1 }

/** A chain with its agents, checked after every block. */
function chainWithAgents() {
  const chain = chainOf(WHOLE)
  const start = chain.stateAt(chain.height)
  assert.ok(start)
  const supply = supplies(start)
  const sums = Array.from({ length: BLOCKS }, () => {
    chain.makeBlock()
    return totals(chain)
  })
  const blocks = Array.from({ length: BLOCKS }, (_, i) => {
    const block = chain.block(chain.height - BLOCKS + 1 + i)
    assert.ok(block)
    return block
  })
  return { chain, blocks, supply, sums }
}

describe('a demo chain with its agents', () => {
  let lived: ReturnType<typeof chainWithAgents>
  beforeAll(() => {
    lived = chainWithAgents()
  })

  test('conserves every denom: balances add up to the supply after each block', () => {
    for (const sum of lived.sums) assert.deepEqual(sum, lived.supply)
  })

  test('has the same blocks for the same seed, and others for another', () => {
    const hashes = lived.blocks.slice(0, 10).map(({ hash }) => hash)
    assert.deepEqual(grow(chainOf(WHOLE), 10), hashes)
    assert.notDeepEqual(grow(chainOf({ ...WHOLE, seed: 2 }), 1), hashes.slice(0, 1))
  })

  test('links every block to the one before it', () => {
    for (const [i, block] of lived.blocks.entries()) {
      const before = lived.blocks[i - 1]
      if (before === undefined) continue
      assert.equal(block.header.lastBlockHash, before.hash)
      assert.equal(block.header.appHash, before.appHash)
      assert.equal(block.header.lastResultsHash, resultsHash(before.txs.map((tx) => tx.result)))
      assert.equal(block.header.time - before.header.time, 2_000_000_000n)
    }
  })

  test('starts with the market of its document', () => {
    const read = marketSnapshotOf(chainOf()) as typeof document
    assert.deepEqual(
      JSON.parse(JSON.stringify(read)),
      JSON.parse(JSON.stringify(readable(document))),
    )
  })

  test('has agents that trade, quote, lend, look for arbitrage and sometimes fail', () => {
    const seen = new Map<string, number>()
    for (const { txs } of lived.blocks)
      for (const { result } of txs) {
        seen.set(`code ${result.code}`, (seen.get(`code ${result.code}`) ?? 0) + 1)
        for (const { type } of result.events) seen.set(type, (seen.get(type) ?? 0) + 1)
      }
    for (const wanted of [
      'code 0',
      'code 5',
      'wasm-rujira-fin/trade',
      'wasm-rujira-fin/order.create',
      'wasm-rujira-bow/swap',
      'wasm-rujira-bow/deposit',
      'wasm-liquidy-swap/swap',
    ])
      assert.ok(seen.has(wanted), `${wanted} never happened: ${JSON.stringify([...seen])}`)
    assert.ok((seen.get('code 0') ?? 0) > 5 * (seen.get('code 5') ?? 0))
  })

  longTest('has the same state when its transactions are replayed', () => {
    const again = chainOf({ ...WHOLE, life: false })
    for (const { txs } of lived.blocks)
      again.makeBlock({ before: () => txs.map(({ bytes }) => bytes) })
    // Compared as a whole: a difference would be too long to print.
    assert.ok(encodeChanges(again.store.entries()) === encodeChanges(lived.chain.store.entries()))
  })
})

test('a demo chain of another id, prefix and dialect works as well', () => {
  const chain = chainOf({ chainId: 'swap-truth-1', prefix: 'thor', dialect: 'stack' }, majorPairs)
  grow(chain, 5)
  const texts = Array.from(
    { length: 5 },
    (_, at) => chain.block(chain.height - at)?.txs ?? [],
  ).flat()
  const swapped = texts.filter(({ result }) =>
    result.events.some(({ type }) => type === 'wasm-liquidy-swap/swap'),
  )
  assert.ok(swapped.length > 0)
  const printed = JSON.stringify(swapped.map(({ result }) => result.events))
  assert.ok(printed.includes('"thor1') && !printed.includes('"demo1'))
  assert.equal(chain.announced.header.chainId, 'swap-truth-1')
})

test('the demo chain has both versions of the pair contract', () => {
  const chain = chainOf()
  const state = chain.store.at(chain.height)
  const versions = new Set(document.pairs.map((pair) => pair.fin_version))
  assert.deepEqual([...versions].sort(), ['1.0.0', '1.1.0'])
  for (const pair of document.pairs)
    assert.equal(
      contractInfo(state, pair.address)?.code,
      pair.fin_version === '1.0.0' ? 'fin-1.0' : 'fin-1.1',
    )
})

describe('old heights of the demo chain', () => {
  test('are available for the last blocks, and refused before them', () => {
    const chain = chainOf({ keep: 5 }, majorPairs)
    grow(chain, 8)
    assert.equal(chain.earliest, chain.height - 4)
    assert.ok(chain.stateAt(chain.earliest) && chain.block(chain.earliest))
    assert.equal(chain.stateAt(chain.earliest - 1), undefined)
    assert.equal(chain.block(chain.earliest - 1), undefined)
    assert.equal(chain.stateAt(chain.height + 1), undefined)
  })

  test('answer as when they were the newest', () => {
    const chain = chainOf({ keep: 30 }, majorPairs)
    const then = new Map<number, string>()
    const print = (height: number) => encodeChanges(chain.store.entries(height))
    for (let block = 0; block < 8; block++) {
      chain.makeBlock()
      then.set(chain.height, print(chain.height))
    }
    for (const [height, text] of then) assert.equal(print(height), text)
  })

  longTest(
    'take bounded memory, however many blocks were made',
    () => {
      const chain = chainOf({ keep: 5 }, majorPairs)
      grow(chain, 10)
      const early = chain.store.size
      grow(chain, LONG ? 300 : 30)
      // New orders have new prices; the kept history does not add to that.
      const present = [...chain.store.entries()].length
      assert.ok(
        chain.store.size - present < early,
        `${chain.store.size} values, ${present} present`,
      )
      assert.equal(chain.height - chain.earliest, 4)
    },
    600_000,
  )
})

describe('the three steps of a block', () => {
  test('are visible before its state is available, and then before it is indexed', () => {
    const chain = chainOf({}, majorPairs)
    const { height } = chain
    const sealed = chain.seal({ before: () => [Buffer.from('no transaction')] })
    const { hash } = sealed.txs.at(-1)!
    assert.equal(chain.announced, sealed)
    assert.equal(chain.height, height)
    assert.equal(chain.block(height + 1), sealed)
    assert.equal(chain.stateAt(height + 1), undefined)
    chain.accept()
    assert.equal(chain.height, height + 1)
    assert.equal(chain.indexed, height)
    assert.equal(chain.find(hash), undefined)
    chain.index()
    assert.equal(chain.indexed, height + 1)
    assert.equal(chain.find(hash)?.block, sealed)
  })

  test('notify a listener when its state is available', () => {
    const chain = chainOf({}, majorPairs)
    const heights: number[] = []
    const stop = chain.subscribe((block) => heights.push(block.header.height - chain.height))
    grow(chain, 2)
    stop()
    grow(chain, 1)
    assert.deepEqual(heights, [0, 0])
  })
})

test('a transaction that has succeeded is not accepted again', () => {
  const chain = chainOf({}, majorPairs)
  for (;;) {
    const tx = chain.makeBlock().txs.find(({ result }) => result.code === 0)
    if (!tx) continue
    assert.throws(() => chain.broadcast(tx.bytes), AlreadyKnown)
    assert.equal(chain.find(tx.hash)?.block.header.height, chain.height)
    return
  }
})

test('a transaction that has failed is checked again: its sequence is used', () => {
  const chain = chainOf({ life: false }, majorPairs)
  const state = chain.stateAt(chain.height)
  const [agent] = agentsOf(chain.options.prefix, chain.options.seed).trader
  assert.ok(state && agent)
  const messages = [executeMessage(agent.address, agent.address, '{}')]
  const bytes = accountTx(chain.options, state, agent, { gas: 1_000_000n, messages })
  assert.equal(chain.broadcast(bytes).code, 0)
  assert.throws(() => chain.broadcast(bytes), AlreadyKnown)
  assert.match(chain.makeBlock().txs[0]?.result.log ?? '', /no such contract$/)
  assert.match(chain.broadcast(bytes).log, /^account sequence mismatch, expected 1, got 0/)
})

test('a transaction that is in two blocks is found while one of them is kept', () => {
  const chain = chainOf({ life: false, keep: 2 }, majorPairs)
  const before = () => [Buffer.from('no transaction')]
  grow(chain, 1)
  const [first, second] = [chain.makeBlock({ before }), chain.makeBlock({ before })]
  assert.equal(first.txs[0]?.hash, second.txs[0]?.hash)
  grow(chain, 1)
  assert.equal(chain.block(first.header.height), undefined)
  assert.equal(chain.find(second.txs[0]!.hash)?.block.header.height, second.header.height)
})

describe('a pending transaction', () => {
  /** Signed payments of a trader with the same sequence. */
  const payments = (chain: Chain) => {
    const [agent] = agentsOf(chain.options.prefix, chain.options.seed).trader
    const state = chain.stateAt(chain.height)
    assert.ok(state && agent)
    return [1n, 2n].map((amount) => {
      const messages = [sendMessage(agent.address, agent.address, [{ denom: 'rune', amount }])]
      return accountTx(chain.options, state, agent, { gas: 1_000_000n, messages })
    }) as [Uint8Array, Uint8Array]
  }

  test('that another source adds to the block too is executed once', () => {
    const chain = chainOf({ life: false }, majorPairs)
    const [payment] = payments(chain)
    assert.equal(chain.broadcast(payment).code, 0)
    const { txs } = chain.makeBlock({ before: () => [payment] })
    assert.deepEqual(
      txs.map(({ result }) => result.code),
      [0],
    )
  })

  test('is dropped when another one has used its sequence', () => {
    const chain = chainOf({ life: false }, majorPairs)
    const [payment, other] = payments(chain)
    assert.equal(chain.broadcast(payment).code, 0)
    chain.makeBlock({ admits: () => false })
    assert.equal(chain.pending().length, 1)
    chain.makeBlock({ before: () => [other], admits: () => false })
    assert.equal(chain.pending().length, 0)
  })
})

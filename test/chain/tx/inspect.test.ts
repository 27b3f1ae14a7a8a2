import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { inspectTx } from '../../../src/chain/tx/inspect.js'
import { txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { commitJson, headerJson } from '../../../src/demo-chain/node/rpc/rpc-json.js'
import { payFromFaucet } from '../../../src/demo-chain/process/faucet.js'
import { address, bytes, changing, funded, over } from '../../execution/tx-nodes.js'
import { chainOf } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { noPauses } from '../rpc/stage.js'

const hash = txHashOf(bytes)

/** The chain with the transaction in a block, and so many after it. */
function including(later: number, chain = funded()): EmbeddedChain {
  chain.broadcast(bytes)
  for (let i = 0; i <= later; i += 1) chain.makeBlock()
  return chain
}

const one = including(1)
const newest = including(0)
const height = newest.height

/** The same transaction with the same result in another block, after another payment. */
const other = chainOf({ life: false })
payFromFaucet(other, address, [{ denom: 'rune', amount: 10n ** 10n + 1n }])
other.makeBlock()
including(1, other)

type Change = Parameters<typeof changing>[0]
type Node = { readonly chain: EmbeddedChain; readonly change?: Change }

/** Everything that a test of several inspections by the same nodes needs. */
async function inspector(nodes: readonly Node[], { down = 0, isOwn = false } = {}) {
  const { urls } = await over(
    nodes.map(({ chain, change = () => {} }) => ({ chain, middleware: changing(change) })),
    down,
  )
  const { rpc } = closing(
    openNodes({ chainId: demo.chainId, rpc: urls, deadlineMs: 2_000, limits: noPauses }),
  )
  return () => inspectTx(rpc, { hash, height }, { patienceMs: 1_000, isOwn })
}

const isOf = (...methods: readonly string[]): ((method: string) => boolean) =>
  methods.includes.bind(methods)

/** A node that has no answer to some methods. */
const without =
  (...methods: readonly string[]): Change =>
  (method, _, answer) => {
    if (!isOf(...methods)(method)) return
    delete answer.result
    answer.error = { code: -32603, message: 'Internal error', data: 'it is pruned' }
  }

/** A node that changes the results of transactions. */
const results =
  (change: (result: { [name: string]: unknown }) => void): Change =>
  (method, result) => {
    if (method === 'tx') change(result.tx_result)
    for (const each of result.txs_results ?? []) change(each)
  }

const log = (text: string) => results((each) => Object.assign(each, { log: text }))
const both =
  (...changes: readonly Change[]): Change =>
  (...call) =>
    changes.forEach((change) => void change(...call))

describe('an included transaction', () => {
  const rows: readonly (readonly [string, readonly Node[], object, object])[] = [
    ['by one node with the next header', [{ chain: one }], {}, { evidence: 'block' }],
    [
      'by one node at its newest block',
      [{ chain: newest }],
      {},
      { evidence: 'one_node', isProvisional: true },
    ],
    ['by the node of this program', [{ chain: newest }], { isOwn: true }, { evidence: 'block' }],
    [
      'by one node without the next header',
      [{ chain: one, change: without('commit') }],
      {},
      { evidence: 'one_node', isProvisional: false },
    ],
    [
      'by the index of one node',
      [{ chain: one, change: without('block') }],
      {},
      { evidence: 'one_node', isProvisional: false },
    ],
    [
      'by one of two nodes with the next header, where the other does not answer',
      [{ chain: one }],
      { down: 1 },
      { evidence: 'block' },
    ],
    [
      'by a block and by the index of another node',
      [{ chain: one }, { chain: one, change: without('block') }],
      {},
      { evidence: 'agreed' },
    ],
    [
      'by the index of a node and by a block',
      [{ chain: one, change: without('block') }, { chain: one }],
      {},
      { evidence: 'agreed' },
    ],
  ]
  for (const [how, nodes, terms, expected] of rows)
    test(`is known ${how}: ${JSON.stringify(expected)}`, async () => {
      const seen = await (await inspector(nodes, terms))()
      assert.ok(seen.kind === 'included')
      const { included: _, ...known } = seen
      assert.deepEqual(known, { kind: 'included', ...expected })
    })

  test('is described by the node whose next header commits to it', async () => {
    const inspect = await inspector([
      { chain: one, change: both(without('commit'), log('loose')) },
      { chain: one, change: log('committed') },
    ])
    const seen = await inspect()
    assert.equal(seen.kind === 'included' && seen.included.log, 'committed')
  })
})

describe('a transaction is not known to be included', () => {
  const nextOfOther: Change = (method, result) => {
    const block = other.block(height + 1)!
    if (method === 'commit')
      result.signed_header = { header: headerJson(block.header), commit: commitJson(block) }
  }
  const changedBy = (gas: object): Change => results((each) => Object.assign(each, gas))
  const rows: readonly (readonly [string, readonly Node[], number, string, RegExp])[] = [
    [
      'where the next header names another block',
      [{ chain: one, change: nextOfOther }],
      ...([0, 'unsupported', /last_block_id must be/] as const),
    ],
    [
      'where the commit of the next header is of another one',
      [
        {
          chain: one,
          change: (method, result) => {
            if (method === 'commit') result.signed_header.commit.block_id.hash = 'AB'.repeat(32)
          },
        },
      ],
      ...([0, 'unsupported', /must be the hash of the header/] as const),
    ],
    [
      'where two nodes have different blocks',
      [{ chain: one }, { chain: other }],
      ...([0, 'disputed', /something else about its results/] as const),
    ],
    ...[{ gas_wanted: '1' }, { gas_used: '1' }, { events: [] }, { code: 7 }].map(
      (change) =>
        [
          `where nodes differ in ${Object.keys(change)}`,
          [{ chain: newest }, { chain: newest, change: changedBy(change) }],
          ...([0, 'disputed', /says (something else|code 7)/] as const),
        ] as const,
    ),
    [
      'where a block has more results than transactions',
      [
        {
          chain: newest,
          change: (_, result) => result.txs_results?.push(result.txs_results[0]),
        },
      ],
      ...([0, 'unsupported', /must hold 1 results/] as const),
    ],
    [
      'where the node has no results yet',
      [{ chain: one, change: without('block_results') }],
      ...([0, 'unsupported', /no results of block \d+ yet/] as const),
    ],
    [
      'where the index names another height',
      [
        {
          chain: one,
          change: both(without('block'), (method, result) => {
            if (method === 'tx') result.height = `${height + 1}`
          }),
        },
      ],
      ...([0, 'unsupported', /keeps neither block/] as const),
    ],
    [
      'where one of two nodes has the next header, and the other is behind',
      [{ chain: one }, { chain: funded() }],
      ...([0, 'unsupported', /alone of 2 nodes.* before \d+$/] as const),
    ],
    [
      'where one of two nodes answers, at its newest block',
      [{ chain: newest }],
      ...([1, 'unsupported', /alone of 2 nodes/] as const),
    ],
  ]
  for (const [where, nodes, down, kind, why] of rows)
    test(`${where}: ${kind}`, async () => {
      const seen = await (await inspector(nodes, { down }))()
      assert.equal(seen.kind, kind)
      assert.match('why' in seen ? seen.why : '', why)
    })

  test('by a node of another chain, which is not asked again', async () => {
    let network = 'other-1'
    const change: Change = (method, result) => {
      if (method === 'status') result.node_info.network = network
    }
    const inspect = await inspector([{ chain: one, change }])
    for (const why of [/other-1/, /no node answers/]) {
      const seen = await inspect()
      assert.equal(seen.kind, 'unsupported')
      assert.match('why' in seen ? seen.why : '', why)
      network = demo.chainId
    }
  })
})

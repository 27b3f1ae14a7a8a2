import assert from 'node:assert/strict'
import {
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { beforeAll, describe, test } from 'vitest'
import { NodeFault, NodeRefusal } from '../../../src/chain/rpc/faults.js'
import { type NodeServer, serveChain } from '../../../src/demo-chain/node/server.js'
import { chainOf, document, grow } from '../../support/chain.js'
import { closing, closingLast } from '../../support/closing.js'
import { CHAIN_ID, failureOf, faultyNode, noPauses, openSource } from './stage.js'

const chain = chainOf({ life: false, keep: 10, oracles: true })
grow(chain, 20)
let node: NodeServer

beforeAll(async () => {
  node = closingLast(await serveChain(chain, { rpcPort: 0, restPort: 0 }))
})

const opened = () =>
  closing(
    openSource({
      chainId: CHAIN_ID,
      rpc: [node.rpc],
      rest: [node.rest],
      deadlineMs: 5_000,
      limits: noPauses,
    }),
  )

const smart = (address: string, message: object) => ({
  path: '/cosmwasm.wasm.v1.Query/SmartContractState',
  data: QuerySmartContractStateRequest.encode({
    address,
    queryData: Buffer.from(JSON.stringify(message)),
  }).finish(),
})
const configs = document.pairs.map(({ address }) => smart(address, { config: {} }))

describe('a source over a real node', () => {
  test('reads the newest height', async () => {
    assert.equal(await opened().newestHeight(), chain.height)
  })

  test('answers many queries in their order, at one height', async () => {
    const answers = await opened().queries(configs, chain.height - 3)
    assert.equal(answers.length, document.pairs.length)
    assert.ok(answers.filter(({ ok }) => ok).length > 20)
    for (const [at, answer] of answers.entries()) {
      // Some pairs of the demo market refuse on purpose: halted, or unreadable.
      if (!answer.ok) assert.match(answer.text, /query wasm contract failed/)
      if (!answer.ok) continue
      const { data } = QuerySmartContractStateResponse.decode(answer.value)
      const { denoms } = JSON.parse(Buffer.from(data).toString())
      assert.deepEqual(denoms, [document.pairs[at]?.base, document.pairs[at]?.quote])
    }
  })

  test('gives the answers of each of several endpoints', async () => {
    const rpc = [node.rpc, node.rpc]
    const source = closing(openSource({ chainId: CHAIN_ID, rpc, deadlineMs: 5_000 }))
    const answers = await source.queries(configs, chain.height)
    assert.deepEqual(await source.queriesOfEach?.(configs, chain.height), [answers, answers])
    assert.equal(opened().queriesOfEach, undefined)
  })

  test('answers an empty list of queries without a request', async () => {
    assert.deepEqual(await opened().queries([], chain.height), [])
  })

  test('returns the refusal of a contract together with the other answers', async () => {
    const [bad, good] = await opened().queries(
      [
        smart(document.router.address, { nope: {} }),
        smart(document.router.address, { config: {} }),
      ],
      chain.height,
    )
    assert.ok(good?.ok)
    assert.ok(bad && !bad.ok)
    assert.equal(bad.code, 6)
    assert.equal(bad.codespace, 'sdk')
    assert.match(bad.text, /query wasm contract failed/)
  })

  test('distinguishes a height in the future from a pruned one', async () => {
    for (const [height, text] of [
      [chain.height + 5, /has no block \d+ yet/],
      [1, /cannot answer as of block 1 any more/],
    ] as const) {
      const error = await failureOf(opened().queries(configs.slice(0, 5), height))
      assert.ok(error instanceof NodeFault)
      assert.equal(error.kind, 'height_unavailable')
      assert.match(error.message, text)
    }
  })

  test('returns the answer or the refusal of another call', async () => {
    const source = opened()
    const results = (await source.call('block_results', { height: String(chain.height) })) as {
      height: string
    }
    assert.equal(results.height, String(chain.height))
    const error = await failureOf(source.call('block', { height: '99999' }))
    assert.ok(error instanceof NodeRefusal)
    assert.equal(error.rpcCode, -32603)
    assert.match(error.why ?? '', /must be less than or equal to the current blockchain height/)
  })

  test('asks again for a new block that the node behind an address does not have yet', async () => {
    const behind = await faultyNode(chain)
    const source = closing(
      openSource({
        chainId: CHAIN_ID,
        rpc: [behind.rpc],
        rest: [],
        deadlineMs: 5_000,
        limits: noPauses,
      }),
    )
    const height = await source.newestHeight()
    behind.fail({ kind: 'behind', n: 2, once: true })
    const { header } = (await source.call('header', { height: `${height}` })) as {
      header: { height: string }
    }
    assert.equal(header.height, `${height}`)
    const error = await failureOf(source.call('header', { height: `${height + 1}` }))
    assert.ok(error instanceof NodeFault)
    assert.equal(error.kind, 'height_unavailable')
  })

  test('reads REST at a height, and returns its refusal', async () => {
    const source = opened()
    const priceAt = (height: number) => source.rest(`/thorchain/network?height=${height}`, height)
    const { rune_price_in_tor } = (await priceAt(chain.height - 2)) as { rune_price_in_tor: string }
    assert.match(rune_price_in_tor, /^[1-9]\d+$/)
    assert.ok((await failureOf(source.rest('/thorchain/nothing'))) instanceof NodeRefusal)
    const prunedFault = await failureOf(priceAt(1))
    assert.ok(prunedFault instanceof NodeFault)
    assert.equal(prunedFault.kind, 'height_unavailable')
  })

  test('reports a chain without REST', async () => {
    const source = closing(openSource({ chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 1_000 }))
    const error = await failureOf(source.rest('/cosmos/bank/v1beta1/supply'))
    assert.ok(error instanceof NodeFault)
    assert.equal(error.kind, 'no_endpoint')
  })

  test('fails pending and later queries when it is closed', async () => {
    const source = opened()
    const under = failureOf(source.newestHeight())
    source.close()
    for (const error of [await under, await failureOf(source.newestHeight())]) {
      assert.ok(error instanceof NodeFault)
      assert.equal(error.kind, 'closed')
    }
  })
})

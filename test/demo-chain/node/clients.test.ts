import assert from 'node:assert/strict'
import { CosmWasmClient } from '@cosmjs/cosmwasm-stargate'
import { StargateClient } from '@cosmjs/stargate'
import {
  Comet38Client,
  type comet38,
  connectComet,
  HttpBatchClient,
  WebsocketClient,
} from '@cosmjs/tendermint-rpc'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import type { NodeServer } from '../../../src/demo-chain/node/server.js'
import { freshTx, keptTx, pairOf, served, stageChain, USDC } from './stage.js'

/** The next so many items of a stream. */
const take = <T>(
  stream: { addListener(listener: { next(item: T): void }): void },
  count: number,
): Promise<readonly T[]> =>
  new Promise((resolve) => {
    const items: T[] = []
    stream.addListener({
      next: (item) => {
        items.push(item)
        if (items.length === count) resolve(items)
      },
    })
  })

describe('the node of the demo chain serves unmodified cosmjs:', () => {
  let chain: EmbeddedChain
  let node: NodeServer
  let pair: string
  beforeAll(async () => {
    chain = stageChain()
    node = await served(chain)
    pair = pairOf(chain, 'rune')
  })
  afterAll(() => node.close())

  test('StargateClient with heights, accounts, balances, blocks and transactions', async () => {
    const client = await StargateClient.connect(node.rpc)
    const { tx, block } = keptTx(chain, ({ result }) => result.code === 0)
    assert.equal(await client.getChainId(), 'swap-truth-1')
    assert.equal(await client.getHeight(), chain.height)
    const address = faucetAddress('thor')
    const account = await client.getAccount(address)
    assert.equal(account?.address, address)
    assert.equal(await client.getAccount('thor1p4vl0k293spyye0c6au7tmrkjwn8485zxt4g4v'), null)
    assert.match((await client.getBalance(address, 'rune')).amount, /^[1-9]\d+$/)
    assert.ok((await client.getAllBalances(address)).length > 5)
    assert.equal((await client.getBalanceStaked(address))?.amount, undefined)
    assert.equal((await client.getBlock(chain.earliest)).header.height, chain.earliest)
    const read = await client.getBlock(block.header.height)
    assert.equal(read.id, block.hash)
    assert.equal(read.txs.length, block.txs.length)
    assert.equal((await client.getTx(tx.hash))?.height, block.header.height)
    assert.equal(
      (await client.searchTx(`tx.height=${block.header.height}`)).length,
      block.txs.length,
    )
    client.disconnect()
  })

  test('CosmWasmClient with codes, contracts, raw state and smart queries', async () => {
    const client = await CosmWasmClient.connect(node.rpc)
    const codes = await client.getCodes()
    assert.deepEqual(
      codes.map((code) => code.id),
      [...codes.keys()].map((at) => at + 1),
    )
    const contract = await client.getContract(pair)
    assert.ok((await client.getContracts(contract.codeId)).includes(pair))
    assert.equal((await client.getContractsByCreator(contract.creator)).includes(pair), true)
    assert.equal((await client.getContractCodeHistory(pair)).length, 1)
    await assert.rejects(
      client.queryContractSmart(faucetAddress('thor'), { config: {} }),
      /no such contract/,
    )
    const raw = await client.queryContractRaw(pair, Buffer.from('contract_info'))
    assert.match(Buffer.from(raw ?? []).toString(), /rujira-fin/)
    assert.deepEqual(
      await client.queryContractRaw(pair, Buffer.from('nothing here')),
      new Uint8Array(),
    )
    const config = await client.queryContractSmart(pair, { config: {} })
    assert.deepEqual(config.denoms, ['rune', USDC])
    await assert.rejects(
      client.queryContractSmart(pair, { nope: {} }),
      /Query failed with \(6\): .*unknown variant `nope`.*: query wasm contract failed: unknown request/,
    )
    client.disconnect()
  })

  test('Comet38Client with every method that it has', async () => {
    const client = await connectComet(node.rpc)
    assert.ok(client instanceof Comet38Client)
    const { tx, block } = keptTx(chain, ({ result }) => result.code === 0)
    const height = block.header.height
    assert.equal((await client.abciInfo()).lastBlockHeight, chain.height)
    assert.equal((await client.block(height)).block.txs.length, block.txs.length)
    assert.equal((await client.blockResults(height)).results.length, block.txs.length)
    assert.equal((await client.commit(chain.height - 1)).canonical, true)
    assert.equal((await client.commit()).canonical, false)
    assert.equal((await client.blockchain(height, height)).blockMetas.length, 1)
    assert.equal((await client.genesis()).chainId, 'swap-truth-1')
    assert.equal((await client.validatorsAll()).total, 1)
    assert.equal((await client.numUnconfirmedTxs()).total, 0)
    assert.equal((await client.blockSearchAll({ query: `block.height=${height}` })).totalCount, 1)
    assert.ok(
      (await client.txSearchAll({ query: `tx.height>${height - 5}`, per_page: 2 })).totalCount,
    )
    const found = await client.tx({ hash: Buffer.from(tx.hash, 'hex'), prove: true })
    assert.equal(found.proof?.proof.total, block.txs.length)
    await client.health()
    assert.equal((await client.status()).syncInfo.latestBlockHeight, chain.height)
    client.disconnect()
  })

  test('HttpBatchClient with every answer of its batches', async () => {
    const batches = new HttpBatchClient(node.rpc, { batchSizeLimit: 10, dispatchInterval: 1 })
    const client = Comet38Client.create(batches)
    const heights = Array.from({ length: 15 }, (_, at) => chain.height - at)
    const blocks = await Promise.all(heights.map((height) => client.block(height)))
    assert.deepEqual(
      blocks.map(({ block }) => block.header.height),
      heights,
    )
    client.disconnect()
  })

  test('WebsocketClient with calls and events of blocks and transactions', async () => {
    const client = Comet38Client.create(new WebsocketClient(node.rpc.replace('http', 'ws')))
    assert.equal((await client.status()).nodeInfo.network, 'swap-truth-1')
    const blocks = take<comet38.NewBlockEvent>(client.subscribeNewBlock(), 2)
    const txs = take<comet38.TxEvent>(client.subscribeTx("message.module='wasm'"), 1)
    // Calls are answered in order: the subscriptions before this one are active.
    await client.health()
    chain.broadcast(freshTx(chain))
    const first = chain.makeBlock()
    const second = chain.makeBlock()
    assert.deepEqual(
      (await blocks).map(({ header }) => header.height),
      [first.header.height, second.header.height],
    )
    const [tx] = await txs
    assert.equal(tx?.height, first.header.height)
    assert.equal(tx?.result.code, 0)
    client.disconnect()
  })
})

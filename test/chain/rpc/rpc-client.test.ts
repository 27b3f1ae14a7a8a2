import assert from 'node:assert/strict'
import { CosmWasmClient, SigningCosmWasmClient } from '@cosmjs/cosmwasm-stargate'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice } from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { describe, test } from 'vitest'
import { NodeFault, NodeRefusal } from '../../../src/chain/rpc/faults.js'
import { openRpcClient } from '../../../src/chain/rpc/rpc-client.js'
import { FAUCET, faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import { chainOf, document, grow } from '../../support/chain.js'
import { CHAIN_ID, closing, failureOf, hasty, requestsOf, send, sendHonest, stub } from './stage.js'

const faucet = faucetAddress('demo')
const { router, usd } = document
const pair = document.pairs.find(({ base, quote }) => base === 'rune' && quote === usd)
const swap = {
  swap: {
    min_return: { denom: 'rune', amount: '1' },
    stages: [{ address: pair?.address ?? '', denom: 'rune' }],
  },
}

const clientOf = (...rpc: readonly string[]) => {
  const client = openRpcClient({ chainId: CHAIN_ID, rpc, deadlineMs: 5_000, limits: hasty })
  closing({ close: () => client.disconnect() })
  return client
}

/** A chain that makes a block of every broadcast, and the methods that its door was asked for. */
async function servedChain() {
  const chain = chainOf({ life: false })
  grow(chain, 3)
  const asked: string[] = []
  let isDeaf = false
  const { rpc } = closing(
    await serveChain(chain, {
      rpcPort: 0,
      restPort: 0,
      middleware: async (request, next) => {
        const methods = requestsOf(request.body.toString()).map(({ method }) => method)
        asked.push(...methods)
        const reply = await next()
        const isBroadcast = methods.some((method) => method.startsWith('broadcast_'))
        if (isBroadcast) chain.makeBlock()
        return isBroadcast && isDeaf ? { ...reply, send: 'reset' } : reply
      },
    }),
  )
  return { chain, rpc, asked, deafen: () => void (isDeaf = true) }
}

const signer = async (rpc: string) =>
  SigningCosmWasmClient.createWithSigner(
    Comet38Client.create(clientOf(rpc)),
    await DirectSecp256k1HdWallet.fromMnemonic(FAUCET.mnemonic, { prefix: 'demo' }),
    { gasPrice: GasPrice.fromString('0rune'), broadcastPollIntervalMs: 5 },
  )

describe('the clients of cosmjs over our transport', () => {
  test('read what they read over their own', async () => {
    const { chain, rpc } = await servedChain()
    const client = CosmWasmClient.create(Comet38Client.create(clientOf(rpc)))
    const [chainId, height, balance, config] = await Promise.all([
      client.getChainId(),
      client.getHeight(),
      client.getBalance(faucet, 'rune'),
      client.queryContractSmart(pair?.address ?? '', { config: {} }),
    ])
    assert.equal(chainId, CHAIN_ID)
    assert.equal(height, chain.height)
    assert.equal(balance.amount, `${10n ** 18n}`)
    assert.deepEqual(config.denoms, ['rune', usd])
    await assert.rejects(client.queryContractSmart(faucet, { config: {} }), /no such contract/)
  })

  test('sign, send and find a swap', async () => {
    const { rpc, asked } = await servedChain()
    const client = await signer(rpc)
    const funds = [{ denom: usd, amount: '100000000000' }]
    const done = await client.execute(faucet, router.address, swap, 'auto', '', funds)
    assert.ok(done.height > 0)
    assert.equal(asked.filter((method) => method === 'broadcast_tx_sync').length, 1)
  })

  test('send a transaction once, also when the node hangs up after it has taken it', async () => {
    const { chain, rpc, asked, deafen } = await servedChain()
    const client = await signer(rpc)
    const before = (await client.getSequence(faucet)).sequence
    deafen()
    const funds = [{ denom: usd, amount: '100000000000' }]
    const error = await failureOf(client.execute(faucet, router.address, swap, 'auto', '', funds))
    assert.ok(error instanceof NodeFault && error.kind === 'reset')
    assert.equal(asked.filter((method) => method === 'broadcast_tx_sync').length, 1)
    assert.equal((await client.getSequence(faucet)).sequence, before + 1)
    assert.equal(chain.block(chain.height)?.txs.length, 1)
  })
})

describe('a broadcast', () => {
  const broadcast = {
    jsonrpc: '2.0',
    id: 1,
    method: 'broadcast_tx_sync',
    params: { tx: 'AA==' },
  } as const

  test('goes to one node only, whatever that does', async () => {
    const sent: string[] = []
    const nodes = await Promise.all(
      ['a', 'b'].map((name) =>
        stub((body, request, response) => {
          if (!body.includes('broadcast')) return sendHonest(response, body, 10)
          sent.push(name)
          request.socket.resetAndDestroy()
        }),
      ),
    )
    for (const node of nodes) closing(node)
    const error = await failureOf(clientOf(...nodes.map(({ url }) => url)).execute(broadcast))
    assert.ok(error instanceof NodeFault)
    assert.equal(sent.length, 1)
  })

  test('goes to a node that lives, where one does not', async () => {
    const dead = await stub(() => {})
    await dead.close()
    let sent = 0
    const alive = closing(
      await stub((body, _request, response) => {
        if (body.includes('broadcast')) sent += 1
        sendHonest(response, body, 10)
      }),
    )
    await clientOf(dead.url, alive.url).execute(broadcast)
    assert.equal(sent, 1)
  })

  test('does not go to a node of another chain', async () => {
    const methods: string[] = []
    const node = closing(
      await stub((body, _request, response) => {
        methods.push(...requestsOf(body).map(({ method }) => method))
        sendHonest(response, body, 10, methods.length > 2 ? 'other-1' : CHAIN_ID)
      }),
    )
    const client = clientOf(node.url)
    await client.execute({ ...broadcast, method: 'health', params: {} })
    const error = await failureOf(client.execute(broadcast))
    assert.ok(error instanceof NodeFault && error.kind === 'wrong_chain')
    assert.ok(!methods.includes('broadcast_tx_sync'))
  })
})

describe('requests that are made together', () => {
  test('travel together, at most ten, and keep their own ids', async () => {
    const sizes: number[] = []
    const node = closing(
      await stub((body, _request, response) => {
        if (!body.includes('abci_info')) sizes.push(requestsOf(body).length)
        sendHonest(response, body, 10)
      }),
    )
    const client = clientOf(node.url)
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        client.execute({ jsonrpc: '2.0', id: `n${at}`, method: 'm', params: { at } }),
      ),
    )
    assert.deepEqual(
      answers.map(({ id, result }) => [id, result.params.at]),
      Array.from({ length: 25 }, (_, at) => [`n${at}`, at]),
    )
    assert.deepEqual(sizes.sort(), [10, 10, 5])
  })

  test('fail one by one where the node refuses one by one', async () => {
    const node = closing(
      await stub((body, _request, response) => {
        if (body.includes('abci_info')) return sendHonest(response, body, 10)
        const answers = requestsOf(body).map(({ id, method }) => ({
          jsonrpc: '2.0',
          id,
          ...(method === 'bad' ? { error: { code: -32601, message: 'none' } } : { result: method }),
        }))
        send(response, answers)
      }),
    )
    const client = clientOf(node.url)
    const settled = await Promise.allSettled(
      ['good', 'bad', 'good'].map((method, id) =>
        client.execute({ jsonrpc: '2.0', id, method, params: {} }),
      ),
    )
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    const [, bad] = settled
    assert.ok(bad?.status === 'rejected' && bad.reason instanceof NodeRefusal)
    assert.equal(bad.reason.rpcCode, -32601)
  })
})

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { SimulateRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { QuerySmartContractStateRequest } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { afterEach, beforeAll, describe, test } from 'vitest'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { jsonReply } from '../../../src/demo-chain/node/reply.js'
import type { NodeServer, ServeOptions } from '../../../src/demo-chain/node/server.js'
import { chainOf, grow, threePairs } from '../../support/chain.js'
import { ask, call } from './ask.js'
import { recorded } from './recorded.js'
import { failingTx, freshTx, pairOf, served } from './stage.js'

type Called = {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly data?: string }
}
const rpcCall = async (url: string, method: string, params: object = {}): Promise<Called> =>
  (await call(url, method, params)) as Called

/** An object inside an answer. */
const part = (result: Called['result'], name: string): Readonly<Record<string, unknown>> =>
  (result?.[name] ?? {}) as Readonly<Record<string, unknown>>

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A query of the application, answered. */
async function query(url: string, path: string, data: Uint8Array = new Uint8Array()) {
  const params = { path, data: Buffer.from(data).toString('hex') }
  return part((await rpcCall(url, 'abci_query', params)).result, 'response')
}

describe('the RPC and REST servers of the demo node', () => {
  let chain: EmbeddedChain
  let pair: string
  const open: NodeServer[] = []
  const serveNode = async (options: Partial<ServeOptions> = {}): Promise<NodeServer> => {
    const node = await served(chain, options)
    open.push(node)
    return node
  }
  beforeAll(() => {
    chain = chainOf({ keep: 10 })
    grow(chain, 15)
    pair = pairOf(chain, 'btc-btc')
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((node) => node.close()))
  })

  test('refuse a pruned height alike', async () => {
    const node = await serveNode()
    const height = String(chain.earliest - 1)
    const text = `failed to load state at height ${height}; version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height (latest height: ${chain.height})`
    const { result } = await rpcCall(node.rpc, 'abci_query', {
      path: '/cosmos.bank.v1beta1.Query/TotalSupply',
      data: '',
      height,
    })
    const { code, log, height: at, codespace } = part(result, 'response')
    assert.deepEqual([code, log, at, codespace], [38, `${text}: not found`, '0', 'sdk'])
    const rest = await ask(`${node.rest}/thorchain/network?height=${height}`)
    assert.equal(rest.status, 500)
    assert.equal(JSON.parse(rest.text).message, `codespace sdk code 38: ${text}: not found`)
    const { error } = await rpcCall(node.rpc, 'block', { height })
    assert.equal(
      error?.data,
      `height ${height} is not available, lowest height is ${chain.earliest}`,
    )
  })

  test('list at most 20 headers, none before the oldest kept block, and only pages that exist', async () => {
    const longer = chainOf({ life: false, keep: 22 }, threePairs)
    grow(longer, 25)
    const { height: newest, earliest } = longer
    const node = await served(longer)
    open.push(node)
    const listed = async (minHeight: number, maxHeight: number) => {
      const range = { minHeight: `${minHeight}`, maxHeight: `${maxHeight}` }
      const { result, error } = await rpcCall(node.rpc, 'blockchain', range)
      const metas = result?.['block_metas'] as { readonly header: { readonly height: string } }[]
      return error?.data ?? metas.map(({ header }) => Number(header.height))
    }
    const latest = Array.from({ length: 20 }, (_, at) => newest - at)
    assert.deepEqual(await listed(0, 0), latest)
    assert.deepEqual(await listed(1, earliest + 1), [earliest + 1, earliest])
    assert.equal(
      await listed(1, earliest - 1),
      `min height ${earliest} can't be greater than max height ${earliest - 1}`,
    )
    const { error } = await rpcCall(node.rpc, 'validators', { page: '2', per_page: '1' })
    assert.equal(error?.data, 'page should be within [1, 1] range, given 2')
  })

  test('name the place where a smart query ran out of gas', async () => {
    const node = await serveNode({ queryGas: 50_000n })
    const text = 'out of gas in location: wasm contract; gasWanted: 50000, gasUsed: '
    const request = QuerySmartContractStateRequest.fromPartial({
      address: pair,
      queryData: Buffer.from('{"book":{"limit":30}}'),
    })
    const { code, log, height } = await query(
      node.rpc,
      '/cosmwasm.wasm.v1.Query/SmartContractState',
      QuerySmartContractStateRequest.encode(request).finish(),
    )
    assert.deepEqual([code, height], [6, String(chain.height)])
    assert.match(String(log), new RegExp(`^${text}\\d+: out of gas: unknown request$`))
  })

  test('return the reason and the gas of a failing simulation', async () => {
    const node = await serveNode()
    const { log } = await query(
      node.rpc,
      '/cosmos.tx.v1beta1.Service/Simulate',
      SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: failingTx(chain) })).finish(),
    )
    assert.match(
      String(log),
      /^rpc error: code = Unknown desc = failed to execute message; message index: 0: Error parsing .*: execute wasm contract failed \[CosmWasm\/wasmd@v0.60.8\/x\/wasm\/keeper\/keeper.go:444\] with gas used: '\d+': unknown request$/,
    )
  })

  test('refuse a known transaction as cached, before its block and after it', async () => {
    const node = await serveNode()
    const tx = base64(freshTx(chain))
    assert.equal((await rpcCall(node.rpc, 'broadcast_tx_sync', { tx })).result?.['code'], 0)
    const again = await rpcCall(node.rpc, 'broadcast_tx_sync', { tx })
    assert.deepEqual(again.error, {
      code: -32603,
      message: 'Internal error',
      data: 'tx already exists in cache',
    })
    const { result } = await rpcCall(node.rpc, 'num_unconfirmed_txs', {})
    assert.equal(result?.['n_txs'], '1')
    chain.makeBlock()
    assert.deepEqual((await rpcCall(node.rpc, 'broadcast_tx_async', { tx })).error, again.error)
  })

  test('return a wrong sequence as a result with a code', async () => {
    const node = await serveNode()
    const tx = freshTx(chain, 7)
    const text = /^account sequence mismatch, expected \d+, got \d+: incorrect account sequence$/
    const { result } = await rpcCall(node.rpc, 'broadcast_tx_sync', { tx: base64(tx) })
    assert.deepEqual([result?.['code'], result?.['codespace']], [32, 'sdk'])
    const reply = await ask(`${node.rpc}/broadcast_tx_sync?tx=0x${Buffer.from(tx).toString('hex')}`)
    assert.deepEqual(JSON.parse(reply.text), { jsonrpc: '2.0', id: -1, result })
    assert.match(String(result?.['log']), text)
  })

  test('print the gas price like the SDK', async () => {
    const priced = await served(chainOf({ gasPrice: 2_000_000n, keep: 100 }))
    const { value } = await query(priced.rpc, '/cosmos.base.node.v1beta1.Service/Config')
    await priced.close()
    const { minimumGasPrice } = ConfigResponse.decode(Buffer.from(String(value), 'base64'))
    const expected = recorded['rest_node_config_with_min_gas'] as { minimum_gas_price: string }
    assert.equal(minimumGasPrice, expected.minimum_gas_price)
  })

  test('announce a block before its state is available and before it is indexed', async () => {
    const node = await serveNode()
    chain.broadcast(freshTx(chain))
    const block = chain.seal()
    const height = String(block.header.height)
    const hash = block.txs.find(({ result }) => result.code === 0)?.hash ?? ''
    const statusHeight = async (): Promise<unknown> => {
      const { result } = await rpcCall(node.rpc, 'status')
      return part(result, 'sync_info')['latest_block_height']
    }
    const found = async (): Promise<unknown> =>
      (await rpcCall(node.rpc, 'tx', { hash: base64(Buffer.from(hash, 'hex')) })).error?.data
    assert.equal(await statusHeight(), height)
    assert.equal(
      (await rpcCall(node.rpc, 'block_results', { height })).error?.data,
      `could not find results for height #${height}`,
    )
    const path = '/cosmos.bank.v1beta1.Query/TotalSupply'
    const { result } = await rpcCall(node.rpc, 'abci_query', { path, data: '', height })
    assert.equal(part(result, 'response')['code'], 26)
    chain.accept()
    assert.equal((await rpcCall(node.rpc, 'block_results', { height })).error, undefined)
    assert.equal(await found(), `tx (${hash}) not found`)
    chain.index()
    assert.equal(await found(), undefined)
  })

  test('allow other sites to read REST, but not with the height header', async () => {
    const node = await serveNode()
    const asking = (headers: string) =>
      ask(`${node.rest}/cosmos/bank/v1beta1/supply`, {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:5173',
          'access-control-request-method': 'GET',
          'access-control-request-headers': headers,
        },
      })
    const refused = await asking('x-cosmos-block-height')
    assert.equal(refused.headers['access-control-allow-origin'], undefined)
    const allowed = await asking('content-type')
    assert.equal(allowed.headers['access-control-allow-origin'], '*')
    assert.equal(allowed.headers['access-control-allow-headers'], 'content-type')
    const reply = await ask(`${node.rest}/nope`, { headers: { origin: 'http://localhost:5173' } })
    assert.equal(reply.headers['access-control-allow-origin'], '*')
  })

  test('do not read a body over a million bytes', async () => {
    const node = await serveNode()
    const whole = { method: 'POST', body: `"${'x'.repeat(999_998)}"` }
    assert.equal((await ask(node.rpc, whole)).status, 500)
    const { status, text } = await ask(node.rpc, { method: 'POST', body: Buffer.alloc(1_000_001) })
    assert.equal(status, 400)
    assert.equal(
      text,
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request","data":"error reading request body: http: request body too large"}}',
    )
    assert.equal(
      (await ask(node.rest, { method: 'POST', body: Buffer.alloc(1_000_001) })).status,
      400,
    )
  })

  test('can be wrapped by a filter that changes, delays and cuts off answers', async () => {
    const seen: string[] = []
    const node = await serveNode({
      middleware: async ({ endpoint: which, url, body }, next) => {
        seen.push(`${which} ${url} ${body.length}`)
        const reply = await next()
        if (url.startsWith('/health'))
          return { ...reply, status: 503, headers: { 'retry-after': '1' } }
        if (url.startsWith('/num_unconfirmed_txs')) return { ...reply, send: { drip: 1 } }
        if (url.startsWith('/abci_info')) return { ...reply, send: 'reset' }
        if (url.startsWith('/genesis')) return { ...reply, send: 'hang' }
        return reply
      },
    })
    const failing = await ask(`${node.rpc}/health`)
    assert.deepEqual([failing.status, failing.headers['retry-after']], [503, '1'])
    assert.match((await ask(`${node.rpc}/num_unconfirmed_txs`)).text, /"n_txs":"0"/)
    await assert.rejects(ask(`${node.rpc}/abci_info`), /ECONNRESET|socket hang up/)
    const hung = ask(`${node.rpc}/genesis`)
    hung.catch(() => {})
    await ask(`${node.rest}/cosmos/base/tendermint/v1beta1/node_info`)
    assert.deepEqual(seen.slice(0, 2), ['rpc /health 0', 'rpc /num_unconfirmed_txs 0'])
    assert.ok(seen.some((each) => each.startsWith('rest /cosmos')))
    // Closing does not wait for a pending answer.
    await Promise.all(open.splice(0).map((server) => server.close()))
    await assert.rejects(hung, /socket hang up|ECONNRESET/)
  })

  test('pass POST below /demo/ to the control of the chain', async () => {
    const node = await serveNode({
      control: (path, body) =>
        path === '/demo/echo' ? Promise.resolve(jsonReply(200, body.toString())) : undefined,
    })
    const posted = await ask(`${node.rpc}/demo/echo`, { method: 'POST', body: '[1]' })
    assert.deepEqual([posted.status, posted.text], [200, '[1]'])
    assert.equal((await ask(`${node.rpc}/demo/else`, { method: 'POST', body: '' })).status, 404)
    assert.equal((await ask(`${node.rpc}/demo/echo`)).status, 404)
  })

  test('leave no connection and no port open after closing', async () => {
    const node = await served(chain)
    const port = Number(node.rpc.split(':').at(-1))
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    await node.close()
    await closed
    const again = await served(chain, { rpcPort: port })
    assert.equal(again.rpc, node.rpc)
    await assert.rejects(served(chain, { rpcPort: port }), /EADDRINUSE/)
    await again.close()
  })
})

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { WebSocket } from 'ws'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { queries } from '../../../src/demo-chain/node/queries/all-queries.js'
import type { Served } from '../../../src/demo-chain/node/server.js'
import { chainOf } from '../../support/chain.js'
import { ask, call } from './ask.js'
import { served } from './stage.js'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const rpc = (method: string, params: string, id = '1'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${method},"params":${params}}`

/** POST bodies that are not JSON, not a request, or not a call. */
const bodies: readonly string[] = [
  '{',
  '}',
  '[',
  '{"jsonrpc"',
  '{"a":1,}',
  '[1,]',
  'nul',
  'null',
  'true',
  '"text"',
  '0',
  '-',
  '1e',
  '01',
  "{'id':1}",
  '{"id":"\\x"}',
  '{"id":"\\u12g4"}',
  '{"id":1}{"id":2}',
  '\u0000',
  '\uFEFF{}',
  '{}',
  '[]',
  '[[]]',
  '[null]',
  '[1,2,3]',
  '[{}]',
  nested(20_000),
  '{"id":{}}',
  '{"id":[],"method":"health"}',
  '{"id":true,"method":"health"}',
  '{"id":1e400,"method":"health"}',
  '{"id":1,"method":5}',
  '{"id":1,"method":null}',
  '{"id":1,"jsonrpc":2,"method":"health"}',
  '{"id":1,"method":"__proto__"}',
  '{"id":1,"method":"constructor"}',
  '{"id":1,"method":"subscribe","params":{"query":"tm.event=\'Tx\'"}}',
  '{"id":1,"method":"block"}',
  '{"id":1,"method":"abci_query"}',
  rpc('"block"', '5'),
  rpc('"block"', '"5"'),
  rpc('"block"', '[]'),
  rpc('"block"', '["1","2"]'),
  rpc('"block"', '{"height":"x"}'),
  rpc('"block"', '{"height":""}'),
  rpc('"block"', '{"height":"1.5"}'),
  rpc('"block"', '{"height":"1e3"}'),
  rpc('"block"', '{"height":{}}'),
  rpc('"block"', '{"height":"99999999999999999999"}'),
  rpc('"block"', '{"height":"-9223372036854775808"}'),
  rpc('"block"', `{"height":"${'9'.repeat(100_000)}"}`),
  rpc('"block"', '{"__proto__":{"height":"1"}}'),
  rpc('"block_by_hash"', '{"hash":"!"}'),
  rpc('"block_by_hash"', '{"hash":5}'),
  rpc('"header_by_hash"', '{"hash":"zz"}'),
  rpc('"header_by_hash"', '{"hash":"abc"}'),
  rpc('"tx"', '{"hash":"="}'),
  rpc('"tx"', '{"hash":"AA=A"}'),
  rpc('"tx"', '{"hash":"","prove":1}'),
  rpc('"tx_search"', '{}'),
  rpc('"tx_search"', '{"query":""}'),
  rpc('"tx_search"', '{"query":"AND AND AND"}'),
  rpc('"tx_search"', '{"query":"a=\'"}'),
  rpc('"tx_search"', '{"query":"a=TIME 2020"}'),
  rpc('"tx_search"', '{"query":"tx.hash EXISTS"}'),
  rpc('"tx_search"', '{"query":"tx.hash=\'zz\'"}'),
  rpc('"tx_search"', '{"query":"tx.height=\'x\'"}'),
  rpc('"tx_search"', `{"query":"a=${'1'.repeat(400)}"}`),
  rpc('"tx_search"', `{"query":"${'a'.repeat(600)}"}`),
  rpc('"tx_search"', '{"query":"a=1","page":"0"}'),
  rpc(
    '"tx_search"',
    '{"query":"a=1","page":"-9223372036854775808","per_page":"9223372036854775807"}',
  ),
  rpc('"tx_search"', '{"query":"a=1","order_by":"sideways"}'),
  rpc('"block_search"', '{"query":"block.height>x"}'),
  rpc('"validators"', '{"height":"0"}'),
  rpc('"validators"', '{"page":"2"}'),
  rpc('"blockchain"', '{"minHeight":"-1","maxHeight":"5"}'),
  rpc('"blockchain"', '{"minHeight":"9","maxHeight":"5"}'),
  rpc('"blockchain"', '{"minHeight":"9223372036854775807","maxHeight":"9223372036854775807"}'),
  rpc('"genesis_chunked"', '{"chunk":"7"}'),
  rpc('"genesis_chunked"', '{"chunk":"-7"}'),
  rpc('"unconfirmed_txs"', '{"limit":"-1"}'),
  rpc('"broadcast_evidence"', '{"evidence":"x"}'),
  rpc('"broadcast_tx_sync"', '{}'),
  rpc('"broadcast_tx_sync"', '{"tx":"AQID"}'),
  rpc('"broadcast_tx_async"', '{"tx":"//////////8="}'),
  rpc('"broadcast_tx_commit"', '{"tx":"CgA="}'),
  rpc('"check_tx"', '{"tx":"EgA="}'),
  rpc('"abci_query"', '{"path":5}'),
  rpc('"abci_query"', '{"path":"/store/bank/key","data":"00"}'),
  rpc('"abci_query"', '{"path":"__proto__","data":""}'),
  rpc('"abci_query"', '{"path":"","data":"0"}'),
]

/** Bytes that are not a message, or not the required one. */
const messages: readonly string[] = [
  'ff',
  'ffffffffffffffffffffff',
  '0a',
  '0aff',
  '0a05616263',
  '0affffffff0f',
  '08',
  '0801',
  '00',
  '0b',
  '0c',
  '07',
  '0f',
  '0d01',
  '0901020304',
  '0a03ff00fe',
  '1a80808080808080808001',
  '12'.repeat(50),
]

const paths: readonly string[] = [
  '/block?height=',
  '/block?height=%',
  '/block?height=%zz',
  '/block?height=0x10',
  '/block?height="',
  '/tx?hash=0xzz',
  '/tx?hash=0x1',
  '/tx?hash="',
  '/tx?prove=maybe',
  '/tx_search?query=0x',
  '/abci_query?data=0a3f',
  '/abci_query?path=5',
  '/%00',
  '/%',
  '//',
  '/websocket',
  '/subscribe?query="tm.event=\'Tx\'"',
  `/block?${'a'.repeat(10_000)}`,
  '/cosmos/nope',
]

const restPaths: readonly string[] = [
  '/',
  '/%',
  '/%ff',
  '/cosmos/bank/v1beta1/balances/',
  '/cosmos/bank/v1beta1/balances/x',
  '/cosmos/bank/v1beta1/balances/x/by_denom?denom=%00',
  '/cosmos/bank/v1beta1/supply/by_denom',
  '/cosmos/bank/v1beta1/supply?pagination.limit=-1',
  '/cosmos/bank/v1beta1/supply?pagination.limit=99999999999999999999999',
  '/cosmos/bank/v1beta1/supply?pagination.key=!',
  '/cosmos/bank/v1beta1/supply?pagination.key=AA==&pagination.offset=1',
  '/cosmos/bank/v1beta1/supply?pagination.offset=18446744073709551615',
  '/cosmos/bank/v1beta1/supply?pagination.reverse=maybe',
  '/cosmos/bank/v1beta1/supply?pagination=5&__proto__.x=1&pagination.__proto__=2',
  '/cosmos/bank/v1beta1/denoms_metadata/',
  '/cosmos/bank/v1beta1/denoms_metadata/a/b/c/d',
  '/cosmos/auth/v1beta1/accounts/%20',
  '/cosmos/tx/v1beta1/txs',
  '/cosmos/tx/v1beta1/txs?query=a=',
  '/cosmos/tx/v1beta1/txs?query=tx.height>0&page=99',
  '/cosmos/tx/v1beta1/txs?query=tx.height>0&order_by=UP',
  '/cosmos/tx/v1beta1/txs/zz',
  '/cosmos/tx/v1beta1/txs/abc',
  '/cosmos/tx/v1beta1/txs/block/0',
  '/cosmos/tx/v1beta1/txs/block/x',
  '/cosmos/base/tendermint/v1beta1/blocks/0',
  '/cosmos/base/tendermint/v1beta1/blocks/-1',
  '/cosmos/base/tendermint/v1beta1/blocks/1',
  '/cosmwasm/wasm/v1/code/0',
  '/cosmwasm/wasm/v1/code/x',
  '/cosmwasm/wasm/v1/code/18446744073709551616',
  '/cosmwasm/wasm/v1/contract/x/smart/e30=',
  '/cosmwasm/wasm/v1/contract/x/raw/=',
]

describe('the demo node', () => {
  let chain: EmbeddedChain
  let node: Served
  beforeAll(async () => {
    chain = chainOf()
    chain.makeBlock()
    node = await served(chain)
  })
  afterAll(() => node.close())

  const lives = async (): Promise<void> => {
    assert.deepEqual(await call(node.rpc, 'health'), { jsonrpc: '2.0', id: 1, result: {} })
  }

  test(`answers each of ${bodies.length} malformed bodies`, async () => {
    for (const body of bodies) {
      const { status, text } = await ask(node.rpc, { method: 'POST', body })
      assert.ok(status === 200 || status === 500, `${status} for ${body.slice(0, 80)}`)
      if (text !== '') JSON.parse(text)
      if (status === 500) assert.match(text, /"code":-32(?:700|603)/, body.slice(0, 80))
      assert.doesNotMatch(text, /TypeError|is not a function|undefined/, body.slice(0, 80))
    }
    await lives()
  })

  test('refuses malformed bytes to every query with a code', async () => {
    for (const path of queries.keys())
      for (const data of messages) {
        const answer = (await call(node.rpc, 'abci_query', { path, data })) as {
          result: { response: { code: number; log: string } }
        }
        const { code, log } = answer.result.response
        assert.ok(code === 0 || log.length > 0, `${path} ${data}`)
        assert.doesNotMatch(log, /index out of range|invalid wire|TypeError/, `${path} ${data}`)
      }
    await lives()
  })

  test(`answers each of ${paths.length + restPaths.length} malformed paths`, async () => {
    for (const path of paths) assert.ok((await ask(`${node.rpc}${path}`)).status >= 200, path)
    for (const path of restPaths) {
      const { status, text } = await ask(`${node.rest}${path}`)
      assert.doesNotMatch(text, /"code":13/, path)
      assert.ok([200, 400, 404, 500, 501].includes(status), `${status} for ${path}`)
    }
    await lives()
  })

  test('answers each malformed REST body', async () => {
    for (const path of ['/cosmos/tx/v1beta1/simulate', '/cosmos/tx/v1beta1/txs'])
      for (const body of [
        ...bodies.slice(0, 27),
        '{"tx_bytes":5}',
        '{"tx_bytes":"!"}',
        '{"tx_bytes":"AQID","mode":2}',
        '{"mode":"X","tx_bytes":"AQ=="}',
        '{"tx":{}}',
      ]) {
        const { status, text } = await ask(`${node.rest}${path}`, { method: 'POST', body })
        assert.doesNotMatch(text, /"code":13/, body.slice(0, 80))
        assert.ok([200, 400, 500].includes(status), `${status} for ${body.slice(0, 80)}`)
      }
    await lives()
  })

  test('closes only the connection on bytes that are not HTTP', async () => {
    for (const bytes of [
      '\r\n\r\n',
      'GET\r\n\r\n',
      'X'.repeat(20_000),
      'POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      '\u0016\u0003\u0001',
      'GET // HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'GET /websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'GET http:// HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET http://x:y/health HTTP/1.1\r\nhost: x\r\n\r\n',
    ])
      await new Promise<void>((resolve) => {
        const socket = connect(Number(node.rpc.split(':').at(-1)), '127.0.0.1', () =>
          socket.end(bytes),
        )
        socket.on('error', () => {})
        socket.on('data', () => {})
        socket.on('close', () => resolve())
      })
    await lives()
  })

  test('answers or ignores each malformed message over a WebSocket', async () => {
    const socket = new WebSocket(`${node.rpc.replace('http', 'ws')}/websocket`)
    const answers: string[] = []
    const done = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        answers.push(data.toString())
        if (data.toString().includes('"last"')) resolve()
      })
    })
    await new Promise((resolve) => socket.once('open', resolve))
    for (const body of bodies) socket.send(body)
    socket.send(rpc('"health"', '{}', '"last"'))
    await done
    assert.ok(answers.length > bodies.length / 2)
    for (const answer of answers) assert.doesNotMatch(answer, /TypeError|is not a function/)
    socket.terminate()
    await lives()
  })
})

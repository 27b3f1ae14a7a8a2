import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { contractInfo } from '../../../src/demo-chain/modules/dispatch.js'
import type { NodeServer } from '../../../src/demo-chain/node/server.js'
import { ask } from './ask.js'
import { assertHeaders, assertSame, assertShape } from './compare.js'
import { excluded, shapes } from './exchange-table.js'
import { type Exchange, exchanges, recorded } from './recorded.js'
import {
  attribute,
  failingTx,
  freshTx,
  keptTx,
  labelled,
  pairOf,
  served,
  stageChain,
} from './stage.js'

const isShape = (name: string): boolean => shapes.some((shape) => shape.test(name))
const whyExcluded = (name: string): string | undefined =>
  excluded.find(([files]) => files.test(name))?.[1]

/** The addresses and values in the recorded requests. */
const THERE = {
  pair: 'thor1up07dctjqud4fns75cnpejr4frmjtddzsmwgcktlyxd4zekhwecqwnhdl7',
  pair11: 'thor1j08452mqwadp8xu25kn9rleyl2gufgfjnv0sn8dvynynakkjukcq36cp27',
  runePair: 'thor1k8re7jwz6rnnwrktnejdwkwnncte7ek7gt29gvnl3sdrg9mtnqksg36d26',
  ethPair: 'thor18egdakntewpnhr9u4wml6rygyszzanapquefkn4fmywt9uevvwzsc4rd7g',
  router: 'thor1yw4xvtc43me9scqfr2jr2gzvcxd3a9y4eq7gaukreugw2yd2f8tsz3392y',
  signer: 'thor1myyjegaplclwpzk8xlrzr6dxyl0mp455t3y7yw',
  signedOnce: 'thor1kg28spdnrgkjes96tjp6vrlxwfkkzf5q3hltda',
  neverSigned: 'thor17u8jr74art6hum0t8cka38k7a5s4dwyc0yfsqz',
  creator: 'thor1xnzd38gyckqgr9yxgrtyks62atdzwhkjx50kg2',
} as const

type TxAnswer = { readonly result?: { readonly tx_result?: { code: number } } }

const hexOf = (text: string): string => Buffer.from(text).toString('hex')

describe('the recorded requests to a real node', () => {
  let chain: EmbeddedChain
  let node: NodeServer
  let changes: readonly (readonly [from: string, to: string])[]
  let good: ReturnType<typeof keptTx>
  let bad: ReturnType<typeof keptTx>
  let waiting = 0

  beforeAll(async () => {
    chain = stageChain()
    chain.broadcast(failingTx(chain))
    chain.makeBlock()
    for (let block = 0; block < 5; block++) chain.makeBlock()
    bad = keptTx(chain, ({ result }) => result.code === 5)
    good = keptTx(
      chain,
      (tx) => tx.result.code === 0 && attribute(tx, 'execute', '_contract_address') !== undefined,
    )
    node = await served(chain)
    const state = chain.store.at(chain.height)
    const signer = attribute(good.tx, 'message', 'sender') ?? ''
    const silent = [...state.keys('auth')].find(
      (address) => accountOf(state, address)?.pubKey === undefined && address.length === 43,
    )
    const here: { readonly [name in keyof typeof THERE]: string } = {
      pair: pairOf(chain, 'btc-btc'),
      pair11: pairOf(chain, 'btc-btc'),
      runePair: pairOf(chain, 'rune'),
      ethPair: pairOf(chain, 'eth-eth'),
      router: labelled(chain, 'liquidy-swap'),
      signer,
      signedOnce: signer,
      neverSigned: silent ?? '',
      creator: contractInfo(state, pairOf(chain, 'btc-btc'))?.creator ?? '',
    }
    changes = Object.entries(THERE).flatMap(([name, from]) => {
      const to = here[name as keyof typeof THERE]
      assert.equal(to.length, from.length, name)
      return [
        [from, to],
        [hexOf(from), hexOf(to)],
      ] as const
    })
  })
  afterAll(() => node.close())

  const changed = <T>(value: T): T => {
    let text = JSON.stringify(value)
    for (const [from, to] of changes) text = text.replaceAll(from, to)
    // The pair here is of the next version, which may have several makers.
    text = text.replace(/"market_maker":("\w+")/g, '"market_makers":[$1]')
    return JSON.parse(text) as T
  }

  /** Recorded heights as heights that this chain keeps. */
  function heightHere(height: string): string {
    if (height === '28') return String(chain.height + 1)
    if (height === '108') return String(chain.height + 50)
    if (height === '3') return String(chain.earliest)
    return Number(height) < 60 && Number(height) > 0 ? String(good.block.header.height) : height
  }

  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  const hash64 = (hash: string): string => Buffer.from(hash, 'hex').toString('base64')

  function paramsHere(name: string, method: string, params: Record<string, unknown>) {
    const here = { ...params }
    const answer = exchanges.get(name)?.response as TxAnswer | undefined
    const failed = answer?.result?.tx_result?.code
    if (typeof here['height'] === 'string') here['height'] = heightHere(here['height'])
    if (method === 'tx' && isShape(name)) here['hash'] = hash64((failed ? bad : good).tx.hash)
    if ('tx' in here && isShape(name)) here['tx'] = base64(freshTx(chain, waiting++))
    if (method === 'blockchain') Object.assign(here, { minHeight: '1', maxHeight: '100000' })
    if (typeof here['query'] === 'string' && name !== 'rpc_tx_search_none')
      here['query'] = here['query'].replace(/height(>?=)\d+/, (_all, sign: string) =>
        sign === '=' ? `height=${good.block.header.height}` : `height>=${chain.earliest}`,
      )
    return here
  }

  /** The path of a simulation holds a whole transaction. */
  function simulationHere(): string {
    const bytes = freshTx(chain)
    const size = Buffer.from([0x12, (bytes.length & 0x7f) | 0x80, bytes.length >> 7])
    return Buffer.concat([size, bytes]).toString('hex')
  }

  function bodyHere(name: string, body: unknown): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const { method, params } = body as { method: string; params?: unknown }
    if (name === 'rpc_simulate')
      return {
        ...body,
        params: { path: '/cosmos.tx.v1beta1.Service/Simulate', data: simulationHere() },
      }
    if (Array.isArray(params)) return { ...body, params: params.map((param) => heightHere(param)) }
    if (typeof params !== 'object' || params === null) return body
    return { ...body, params: paramsHere(name, method, params as Record<string, unknown>) }
  }

  function urlHere(name: string, url: string): string {
    const here = url
      .replace('http://127.0.0.1:26657', node.rpc)
      .replace(/(height="?|blocks?\/)(\d+)/, (_all, before: string, height: string) => {
        return `${before}${heightHere(height)}`
      })
    return isShape(name) ? here.replace(/[0-9A-F]{64}$|[0-9A-F]{64}(?=&)/, good.tx.hash) : here
  }

  /** In a base64 value, a recorded address is inside the decoded bytes. */
  async function repeat(name: string, { request }: Exchange) {
    const { method, url, headers = {}, body } = changed(request)
    const here = bodyHere(name, body)
    const text = here === undefined || typeof here === 'string' ? here : JSON.stringify(here)
    const before = chain.pending().length
    const answering = ask(urlHere(name, url), { method, headers, body: text })
    if (name === 'broadcast_tx_commit') {
      while (chain.pending().length === before) await new Promise(setImmediate)
      chain.makeBlock()
      waiting = 0
    }
    return answering
  }

  for (const [name, exchange] of exchanges) {
    if (whyExcluded(name) !== undefined) continue
    test(`have the same answer here: ${name}`, async () => {
      const answer = await repeat(name, exchange)
      const expected = changed(exchange)
      assert.equal(answer.status, expected.status, answer.text.slice(0, 400))
      assertHeaders(answer.headers, expected.headers)
      if (typeof expected.response === 'string') {
        const host = node.rpc.replace('http://', '')
        assert.equal(answer.text.replaceAll(host, '127.0.0.1:26657'), expected.response)
        return
      }
      const answered: unknown = JSON.parse(answer.text)
      const failure = (expected.response as TxAnswer).result?.tx_result
      if (failure && failure.code !== 0) Object.assign(failure, { code: 5, codespace: 'wasm' })
      if (isShape(name)) assertShape(answered, expected.response)
      else assertSame(answered, expected.response)
    })
  }

  test('are all repeated, except those with a reason', () => {
    for (const name of Object.keys(recorded))
      assert.ok(exchanges.has(name) || whyExcluded(name) !== undefined, name)
    for (const [files] of excluded)
      assert.ok(
        Object.keys(recorded).some((name) => files.test(name)),
        String(files),
      )
    for (const files of shapes)
      assert.ok(
        [...exchanges.keys()].some((name) => files.test(name)),
        String(files),
      )
  })
})

import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { describe, test } from 'vitest'
import { encodeSnapshot } from '../../src/engine/snapshot/encode.js'
import { openChain, SwapError } from '../../src/library/chain.js'
import * as encoding from '../../src/library/web-encoding.js'
import * as buffers from '../../src/platform/encoding.js'
import { ownMarket } from '../chain/market/as-data.js'
import { faultyNode } from '../chain/rpc/stage.js'
import { chainOf, grow, threePairs } from '../support/chain.js'

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing thrown',
    (error: unknown) => (error instanceof SwapError ? error.code : String(error)),
  )

describe('the chain reader of the package', () => {
  test('reads the market of the newest block with fetch, past a node that is away', async () => {
    const chain = chainOf({ seed: 13 }, threePairs)
    grow(chain, 3)
    const { rpc } = await faultyNode(chain)
    const reader = openChain({ network: 'demo', rpc: ['http://127.0.0.1:1', rpc] })
    const snapshot = await reader.readSnapshot()
    assert.deepEqual(snapshot, encodeSnapshot(ownMarket(chain)))
  })
  test('throws the code of a fault, and for a network that is not known', async () => {
    const reader = openChain({ network: 'demo', rpc: ['http://127.0.0.1:1'] })
    assert.equal(await codeOf(reader.readSnapshot()), 'UPSTREAM_ERROR')
    assert.throws(() => openChain({ network: 'nowhere' }), /no network/)
    assert.throws(
      () => openChain({ network: 'demo', rpc: ['nope'] }),
      /^SwapError: rpc\[0\] is not/,
    )
    for (const rpc of ['http://127.0.0.1:1', null, { 0: 'http://127.0.0.1:1' }])
      assert.throws(() => openChain({ network: 'demo', rpc } as never), {
        name: 'SwapError',
        message: 'rpc is not a list of URLs',
      })
    for (const network of [undefined, null, 5])
      assert.throws(() => openChain({ network } as never), /^SwapError: there is no network/)
    assert.throws(() => openChain({ network: 'demo', timeoutMs: 0 }), TypeError)
    for (const height of [1.5, 0, Number.NaN])
      assert.equal(await codeOf(reader.readSnapshot(height)), 'INVALID_REQUEST')
  })
  test('refuses a node of another chain, also for a given height', async () => {
    const { rpc } = await faultyNode(chainOf({ seed: 13 }, threePairs))
    const reader = openChain({ network: 'mainnet', rpc: [rpc] })
    for (const height of [undefined, 1])
      await assert.rejects(reader.readSnapshot(height), {
        code: 'UPSTREAM_INVALID_DATA',
        message: /is of the chain "demo-1", not "thorchain-1"/,
      })
  })
  test('reads the same market where there is no Node, as in browsers', async () => {
    const chain = chainOf({ seed: 13 }, threePairs)
    grow(chain, 3)
    const { rpc } = await faultyNode(chain)
    const { outputFiles } = await build({
      entryPoints: ['dist/library/chain.js'],
      bundle: true,
      format: 'iife',
      globalName: 'library',
      platform: 'browser',
      write: false,
    })
    const page = {
      AbortSignal,
      TextDecoder,
      TextEncoder,
      URL,
      atob,
      btoa,
      fetch,
      performance,
      setTimeout,
    }
    const { openChain: open } = runInNewContext(`${outputFiles[0]!.text}; library`, {
      ...page,
      self: page,
    }) as { readonly openChain: typeof openChain }
    const snapshot = await open({ network: 'demo', rpc: [rpc] }).readSnapshot()
    assert.equal(JSON.stringify(snapshot), JSON.stringify(encodeSnapshot(ownMarket(chain))))
  })
  test('encodes bytes as Node does', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    assert.equal(encoding.toUpperHex(bytes), buffers.toUpperHex(bytes))
    for (const text of ['', '00ff', '7', 'a0B', '12zz34'])
      assert.deepEqual([...encoding.fromHex(text)], [...buffers.fromHex(text)], `"${text}"`)
    assert.equal(encoding.toHex(bytes), buffers.toHex(bytes))
    assert.equal(encoding.toBase64(bytes), buffers.toBase64(bytes))
    assert.deepEqual([...encoding.fromBase64(encoding.toBase64(bytes))], [...bytes])
    for (const text of ['', 'AQ==', 'AQI=', 'AQID', 'AQ', 'AQ=', 'A_ID', 'AQ ID', 'AQ==AQ=='])
      assert.deepEqual(
        encoding.strictBase64(text)?.length,
        buffers.strictBase64(text)?.length,
        `"${text}"`,
      )
  })
})

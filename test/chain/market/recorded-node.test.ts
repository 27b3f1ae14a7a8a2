import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { isHeightUnavailable, NodesFailed } from '../../../src/chain/rpc/faults.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { exchanges } from '../../demo-chain/node/recorded.js'
import { recordedNode } from '../../support/recorded-node.js'
import { openSource } from '../rpc/stage.js'

type RecordedQuery = {
  readonly path: string
  readonly data: Uint8Array
  readonly height: number
  readonly code: number
  readonly codespace: string
  readonly value: string
}

/** Every recorded query to the application that this client could send. */
const recordedQueries: readonly (readonly [file: string, recordedQueries: RecordedQuery])[] = [
  ...exchanges,
].flatMap(([file, { request, response }]) => {
  const { method, params } = (request.body ?? {}) as {
    method?: string
    params?: { path?: string; data?: string; height?: unknown }
  }
  const answer = (response as { result?: { response?: Record<string, string | number> } }).result
    ?.response
  if (request.method !== 'POST' || method !== 'abci_query' || !answer || !params?.path) return []
  const height = Number(params.height ?? answer['height'])
  if (!(height > 0)) return []
  return [
    [
      file,
      {
        path: params.path,
        data: Buffer.from(params.data ?? '', 'hex'),
        height,
        code: Number(answer['code'] ?? 0),
        codespace: String(answer['codespace'] ?? ''),
        value: String(answer['value'] ?? ''),
      },
    ] as const,
  ]
})

/** The code of a height that is in the future, or pruned (cosmos-sdk). */
const HEIGHTS = [26, 38]

let source: Source
let node: Awaited<ReturnType<typeof recordedNode>>
beforeAll(async () => {
  node = await recordedNode()
  source = openSource({ chainId: 'swap-truth-1', rpc: [node.url], deadlineMs: 2_000 })
})
afterAll(async () => {
  source.close()
  await node.close()
})

describe('the recorded answers of a real node', () => {
  test('are numerous enough', () => {
    assert.ok(recordedQueries.length >= 18, `${recordedQueries.length}`)
    assert.ok(
      recordedQueries.some(([, { code }]) => code === 0) &&
        recordedQueries.some(([, { code }]) => code === 6),
    )
  })

  for (const [file, { path, data, height, code, codespace, value }] of recordedQueries)
    test(`${file}: ${code === 0 ? 'an answer' : `code ${code}`}`, async () => {
      const asked = source.queries([{ path, data }], height)
      if (HEIGHTS.includes(code)) {
        await assert.rejects(asked, (error: unknown) => isHeightUnavailable(error))
        return
      }
      const [answer] = await asked
      assert.ok(answer)
      assert.equal(answer.ok, code === 0)
      if (answer.ok) assert.equal(Buffer.from(answer.value).toString('base64'), value)
      else assert.deepEqual([answer.code, answer.codespace], [code, codespace])
    })

  test('are read in one batch with their queries', async () => {
    const at = 27
    const some = recordedQueries.filter(
      ([, { height, code }]) => height === at && !HEIGHTS.includes(code),
    )
    const answers = await source.queries(
      some.map(([, { path, data }]) => ({ path, data })),
      at,
    )
    assert.deepEqual(
      answers.map((answer) => (answer.ok ? 0 : answer.code)),
      some.map(([, { code }]) => code),
    )
  })

  test('have the newest height of the application', async () => {
    const info = exchanges.get('rpc_abci_info')?.response as {
      result: { response: { last_block_height: string } }
    }
    assert.equal(await source.newestHeight(), Number(info.result.response.last_block_height))
  })

  test('have the chain id, which a client of another chain refuses', async () => {
    const other = openSource({ chainId: 'thorchain-1', rpc: [node.url], deadlineMs: 2_000 })
    await assert.rejects(other.newestHeight(), (error: unknown) => {
      assert.ok(error instanceof NodesFailed)
      return /swap-truth-1/.test(`${error.message} ${error.why}`)
    })
    other.close()
  })
})

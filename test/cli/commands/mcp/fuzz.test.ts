import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { LONG } from '../../../support/long.js'
import { network } from '../execute/stage.js'
import { startMcp } from './connect.js'

const net = await network()
const { executed } = net

const TOOLS = ['swap_route', 'swap_split_route', 'swap_tokens', 'swap_book', 'swap_history']
const SIGNING = ['swap_preview_execution', 'swap_execute']
const value = fc.jsonValue({ maxDepth: 3 })
const word = fc.constantFrom('rune', 'btc-btc', 'q_00000000', `p_${'0'.repeat(32)}`, '1', '-1', '')
const request = fc.oneof(
  value,
  fc.dictionary(
    fc.constantFrom('input', 'output', 'quote_id', 'preview_id', 'pair', 'path'),
    value,
  ),
  fc.record({
    input: fc.record({ denom: word, amount: fc.oneof(word, value) }),
    output: fc.record({ denom: word }),
  }),
  fc.record({ quote_id: word }),
  fc.record({ preview_id: word }),
)
const call = fc.record({
  method: fc.constant('tools/call'),
  params: fc.record({ name: fc.constantFrom(...TOOLS, ...SIGNING, 'x'), arguments: request }),
})
const other = fc.record({
  method: fc.constantFrom('tools/list', 'resources/read', 'prompts/get', 'ping', 'x', ''),
  params: value,
})
const garbage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }).map((text) => text.replaceAll('\n', ' ')),
  value.map((each) => JSON.stringify(each)),
)

describe('swap mcp --allow execute', () => {
  test('answers every call once whatever it is sent, writes messages alone, and signs nothing', async () => {
    const running = startMcp(net, '--allow', 'execute', '--from', 'demo', '--slippage', '1%')
    const answered = new Map<unknown, number>()
    let wake = () => {}
    running.onLine((line) => {
      const { jsonrpc, id } = JSON.parse(line) as { jsonrpc: string; id?: unknown }
      assert.equal(jsonrpc, '2.0')
      if (id !== undefined) answered.set(id, (answered.get(id) ?? 0) + 1)
      wake()
    })
    const ask = async (message: object, id: number) => {
      running.send(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
      while (!answered.has(id))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    const clientInfo = { name: 'fuzz', version: '0' }
    await ask(
      {
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      },
      0,
    )
    let id = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ arbitrary: call, weight: 4 }, other),
        garbage,
        async (message, line) => {
          running.send(`${line}\n`)
          // A request with parameters that are no object is no request of the protocol.
          const { params } = message
          if (params === null || typeof params !== 'object' || Array.isArray(params)) return
          id += 1
          await ask(message, id)
        },
      ),
      { numRuns: LONG ? 50_000 : 500 },
    )
    await ask({ method: 'tools/list' }, 1_000_000)
    assert.equal(await running.end(), 0)
    for (const [key, count] of answered)
      if (typeof key === 'number' && key > 0) assert.equal(count, 1, `${key}`)
    assert.ok(!running.notes.join('').includes('a bug'), running.notes.join(''))
    assert.equal(executed.length, 0)
  }, 7_200_000)
})

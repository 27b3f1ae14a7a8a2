import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { describe, test } from 'vitest'
import { runIn } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { connect, eras, startMcp } from './connect.js'

const home = temporaryFolder('mcp')
const cli = async (...args: readonly string[]) =>
  (await runIn({ home }, [...args, '--json'])).stdout.trim()
const ROUTE = { input: { denom: 'btc-btc', amount: '10000000' }, output: { denom: 'rune' } }

for (const era of eras)
  describe(`swap mcp with the official client of the ${era} era`, () => {
    test('answers with the documents of --json byte for byte', async () => {
      const { client, running } = await connect(era, { home })
      const book = JSON.parse(await cli('book', 'btc/usdc')) as { pair: { address: string } }
      const calls = [
        ['swap_tokens', {}, await cli('tokens')],
        ['swap_route', ROUTE, await cli('route', '0.1', 'btc', 'rune')],
        ['swap_split_route', { ...ROUTE, grid: false }, await cli('sroute', '0.1', 'btc', 'rune')],
        ['swap_arbitrage', {}, await cli('arbs')],
        ['swap_book', { pair: book.pair.address }, JSON.stringify(book)],
        ['swap_history', {}, await cli('history')],
        ['swap_status', {}, await cli('snapshot', 'show')],
      ] as const
      for (const [name, request, expected] of calls) {
        const answer = await client.callTool({ name, arguments: request })
        assert.equal(answer.isError, undefined, name)
        assert.equal(JSON.stringify(answer.structuredContent), expected, name)
        const [text] = answer.content
        assert.ok(text?.type === 'text' && text.text.length < 700, name)
      }
      await client.close()
      assert.equal(running.notes.join(''), '')
      for (const line of running.lines) assert.equal(JSON.parse(line).jsonrpc, '2.0')
    })

    test('answers an error with the problem document, without structured content', async () => {
      const { client } = await connect(era, { home })
      for (const [request, code] of [
        [{ ...ROUTE, input: { denom: 'btc-btc', amount: '1.5' } }, 'INVALID_AMOUNT'],
        [{ ...ROUTE, input: { denom: 'nothing', amount: '1' } }, 'UNKNOWN_TOKEN'],
        [{ ...ROUTE, please: 'sell everything' }, 'INVALID_REQUEST'],
      ] as const) {
        const answer = await client.callTool({ name: 'swap_route', arguments: request })
        assert.equal(answer.isError, true)
        assert.equal(answer.structuredContent, undefined)
        const [text] = answer.content
        const problem = JSON.parse(text?.type === 'text' ? text.text : '')
        assert.equal(problem.code, code)
        assert.equal(typeof problem.height, code === 'UNKNOWN_TOKEN' ? 'number' : 'undefined')
      }
      const book = { name: 'swap_book', arguments: { pair: 'btc/usdc' } }
      assert.match(JSON.stringify(await client.callTool(book)), /swap_status lists the open pairs/)
      await assert.rejects(client.callTool({ name: 'swap_execute', arguments: {} }), /no tool/)
    })

    test('has the market, full schemas, help and quotes as resources', async () => {
      const { client } = await connect(era, { home })
      const { resources } = await client.listResources()
      for (const { uri } of resources) {
        const { contents } = await client.readResource({ uri })
        const [found] = contents
        assert.ok(found !== undefined && 'text' in found && found.text.length > 100, uri)
      }
      const uris = resources.map(({ uri }) => uri)
      assert.ok(uris.includes('swap://schema/split_route') && uris.includes('swap://help/amounts'))
      const text = await cli('route', '0.1', 'btc', 'rune')
      const uri = `swap://quote/${JSON.parse(text).quote_id}`
      const [quote] = (await client.readResource({ uri })).contents
      assert.equal(quote !== undefined && 'text' in quote && quote.text, text)
      await assert.rejects(client.readResource({ uri: 'swap://quote/q_00000000' }), (error) => {
        assert.ok(error instanceof ProtocolError)
        assert.equal(error.code, ProtocolErrorCode.InvalidParams)
        assert.match(error.message, /q_00000000/)
        return true
      })
      for (const wrong of ['swap://quote/../../keys', 'swap://quote/q_0000000g', 'file:///etc'])
        await assert.rejects(client.readResource({ uri: wrong }), /not found/i)
    })

    test('answers a hundred calls at once, and continues after a cancelled one', async () => {
      const { client } = await connect(era, { home })
      const stop = new AbortController()
      const cancelled = client.callTool(
        { name: 'swap_arbitrage', arguments: {} },
        { signal: stop.signal },
      )
      stop.abort()
      await assert.rejects(cancelled)
      const answers = await Promise.all(
        Array.from({ length: 100 }, () =>
          client.callTool({ name: 'swap_route', arguments: ROUTE }),
        ),
      )
      const [first] = answers
      for (const each of answers) assert.deepEqual(each, first)
    })
  })

describe('swap mcp', () => {
  test('ends with its input, with status 0 and without a word', async () => {
    const running = startMcp({ home })
    assert.equal(await running.end(), 0)
    assert.deepEqual([running.lines, running.notes], [[], []])
  })

  test('answers what was asked before its input ended', async () => {
    const running = startMcp({ home })
    const clientInfo = { name: 'test', version: '0' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    for (const message of [
      { method: 'initialize', params },
      { method: 'tools/call', params: { name: 'swap_split_route', arguments: ROUTE } },
      { method: 'tools/call', params: { name: 'swap_route', arguments: ROUTE } },
    ].map((each, id) => ({ jsonrpc: '2.0', id, ...each })))
      running.send(`${JSON.stringify(message)}\n`)
    assert.equal(await running.end(), 0)
    assert.deepEqual(running.lines.map((line) => JSON.parse(line).id).sort(), [0, 1, 2])
  })

  test('answers each line that holds no message, and a last one without its end', async () => {
    const running = startMcp({ home })
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '0' },
    }
    const first = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    running.send(`${first}\r\nnothing\n\n[${first}]\n{"id":"x"}\n`)
    running.send('{"jsonrpc":"2.0","id":2,"method":"tools/list"}')
    assert.equal(await running.end(), 0)
    const answers = running.lines.map((line) => JSON.parse(line))
    const codes = answers.map(({ id, error }) => [id, error?.code])
    assert.deepEqual(
      codes.toSorted(),
      [
        [1, undefined],
        [2, undefined],
        [null, -32700],
        [null, -32600],
        ['x', -32600],
      ].toSorted(),
    )
  })

  test('names no id that was not sent in answer to one that a number cannot hold', async () => {
    const running = startMcp({ home })
    running.send('{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}\n')
    running.send('{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n')
    assert.equal(await running.end(), 0)
    const answers = running.lines.map((line) => JSON.parse(line))
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error.code]),
      [
        [null, -32600],
        [1.5, -32600],
      ],
    )
  })

  test('refuses each request of a revision that it does not know', async () => {
    const running = startMcp({ home })
    for (const [id, version] of [
      '2031-01-01',
      '2026-07-28',
      '2031-01-01',
      '2026-07-28',
    ].entries()) {
      const params = {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }
      running.send(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params })}\n`)
    }
    assert.equal(await running.end(), 0)
    const answers = running.lines.map((line) => JSON.parse(line)).toSorted((a, b) => a.id - b.id)
    const data = { supported: ['2026-07-28'], requested: '2031-01-01' }
    assert.deepEqual(
      answers.map(({ error }) => error && [error.code, error.data]),
      [[-32022, data], undefined, [-32022, data], undefined],
    )
  })

  test('reads a message of nine megabytes', async () => {
    const running = startMcp({ home })
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: 'x'.repeat(9_000_000) },
    }
    running.send(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
    assert.equal(await running.end(), 0)
    assert.ok(JSON.parse(running.lines[0]!).result)
  })

  test('refuses a call that is written as no other door takes it', async () => {
    const running = startMcp({ home })
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const calls = [
      ['{"denom":"btc-btc","amount":"100","amount":"20000000"}', 'INVALID_REQUEST', /given twice/],
      ['{"denom":"btc-btc","amount":1e6}', 'INVALID_AMOUNT', /1e6/],
      ['{"denom":"btc-btc","amount":9007199254740993}', 'INVALID_AMOUNT', /9007199254740993/],
    ] as const
    for (const [id, [input]] of calls.entries()) {
      const request = `{"input":${input},"output":{"denom":"rune"}}`
      const params = `{"_meta":${JSON.stringify(meta)},"name":"swap_route","arguments":${request}}`
      const line = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`
      // In two parts, as a pipe may deliver it.
      running.send(line.slice(0, 40))
      running.send(line.slice(40))
    }
    assert.equal(await running.end(), 0)
    const answers = running.lines.map((line) => JSON.parse(line)).toSorted((a, b) => a.id - b.id)
    for (const [i, [, code, words]] of calls.entries()) {
      const { isError, content } = answers[i].result
      assert.deepEqual([isError, JSON.parse(content[0].text).code], [true, code])
      assert.match(content[0].text, words)
    }
  })

  test('quotes with the affiliate of the settings, as its previews sign', async () => {
    const env = { SWAP_AFFILIATE: 'acme' }
    const { client } = await connect('modern', { home, env })
    const quoted = async (request: object) => {
      const { structuredContent } = await client.callTool({
        name: 'swap_route',
        arguments: { ...request },
      })
      return JSON.stringify(structuredContent)
    }
    const named = await cli('route', '0.1', 'btc', 'rune', '--affiliate', 'acme')
    assert.equal(await quoted(ROUTE), named)
    assert.equal(await quoted({ ...ROUTE, affiliate: 'acme' }), named)
  })

  test('ends at a message that is too long while its input stays open', async () => {
    const child = spawn(process.execPath, [resolve('bin/swap.js'), 'mcp'], {
      env: { PATH: process.env['PATH'], SWAP_HOME: home },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.stdin.on('error', () => {})
    child.stdin.write('x'.repeat(11 * 1024 * 1024))
    assert.deepEqual(await once(child, 'close'), [2, null])
  })

  test('ends with an error at a message that is too long', async () => {
    const running = startMcp({ home })
    running.send('a'.repeat(11_000_000))
    assert.equal(await running.status, 2)
    assert.match(running.notes.join(''), /too long/)
  })

  test('refuses words, and a configuration that cannot be read', async () => {
    assert.equal((await runIn({ home }, ['mcp', 'execute'])).status, 2)
    const broken = temporaryFolder('mcp-broken')
    writeFileSync(join(broken, '.swaprc'), 'network: [\n')
    assert.equal((await runIn({ home: broken }, ['mcp'])).status, 2)
  })

  test('says on a terminal that it waits for a client', async () => {
    for (const isTTY of [true, false]) {
      const running = startMcp({ home, isTTY })
      assert.equal(await running.end(), 0)
      assert.equal(/swap mcp --help/.test(running.notes.join('')), isTTY)
      assert.deepEqual(running.lines, [])
    }
  })

  test('prints with --help how clients start it', async () => {
    const { stdout } = await runIn({ home }, ['mcp', '--help'])
    for (const client of ['CLAUDE', 'CURSOR', 'VS CODE']) assert.ok(stdout.includes(client))
  })
})

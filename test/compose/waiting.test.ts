import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { NodeFault } from '../../src/chain/rpc/faults.js'
import type { Nodes } from '../../src/chain/rpc/nodes.js'
import type { Access } from '../../src/compose/chain-access.js'
import { type ShowWaiting, withWaiting } from '../../src/compose/waiting.js'
import type { ChainPort } from '../../src/operations/chain-port.js'
import { runSwap } from '../support/cli.js'

/** A node that takes connections and never answers. */
let silent: Server
let url = ''
beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  assert.ok(typeof address === 'object' && address !== null)
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => void silent.close())

describe('a node that does not answer', () => {
  const ask = (...args: readonly string[]) => runSwap([...args, '--rpc', url, '--timeout', '300ms'])

  test('ends with the limit of the command, what was read, and how to raise the limit', async () => {
    const { status, stderr } = await ask('route', '1', 'btc', 'rune')
    assert.equal(status, 4)
    const text = stderr.replace(/\s+/g, ' ')
    assert.match(text, /error: http:\/\/127\.0\.0\.1:\d+ did not answer in time/)
    assert.match(text, /the market of demo took longer than the limit of the command, 0\.3 s/)
    assert.match(text, /raise the limit: --timeout 2s; or name another node: --rpc <url>/)
  })

  test('is named with each other one where several were asked', async () => {
    const { stderr } = await ask('route', '1', 'btc', 'rune', '--rpc', `${url}/second`)
    const text = stderr.replace(/\s+/g, ' ')
    assert.match(text, /error: none of 2 nodes gave an answer/)
    for (const node of [url, `${url}/second`])
      assert.ok(text.includes(`${node} did not answer within`), text)
  })
})

test('of simultaneous reads the first is shown', async () => {
  const lines: string[] = []
  const ends: (() => void)[] = []
  const read = () => new Promise<never[]>((resolve) => ends.push(() => resolve([])))
  const port = { market: read, balances: read } as unknown as ChainPort
  const nodes = { rpc: { endpoints: [] }, rest: { endpoints: [] } } as unknown as Nodes
  const access = { network: { name: 'demo' }, nodes } as Access
  const show: ShowWaiting = (line, work) => {
    lines.push(line(1))
    return work()
  }
  const shown = withWaiting(port, access, 20_000, show)
  const reads = [shown.market(), shown.balances('demo1abc')]
  for (const end of ends.splice(0)) end()
  await Promise.all(reads)
  const after = shown.balances('demo1abc')
  ends[0]!()
  await after
  assert.deepEqual(lines, [
    'reading the market of demo from : 1 s of 20 s',
    'reading balances from : 1 s of 20 s',
  ])
})

test('a failure that is no time-out keeps its own words', async () => {
  const fault = new NodeFault('reset', 'http://127.0.0.1:1', 'closed the connection')
  const port = { market: () => Promise.reject(fault) } as unknown as ChainPort
  const nodes = { rpc: { endpoints: [] }, rest: { endpoints: [] } } as unknown as Nodes
  const access = { network: { name: 'demo' }, nodes } as Access
  const waiting = withWaiting(port, access, 20_000, (_, work) => work())
  await assert.rejects(waiting.market(), (error) => error === fault)
})

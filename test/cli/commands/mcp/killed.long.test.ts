import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, test } from 'vitest'
import { seededRandom } from '../../../../src/demo-chain/market/random.js'
import { isFinal } from '../../../../src/execution/journal/intent.js'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { bin, network } from '../execute/stage.js'

/** Servers that are really killed in the middle of `swap_execute`. */
const KILLS = 20

const net = await network(500)
const { executed } = net
const usdc = JSON.parse((await net.run('route', '1', 'rune', 'usdc', '--json')).stdout).output.denom

/** A server as a process of its own. */
function server() {
  const flags = ['mcp', '--allow', 'execute', '--from', 'demo', '--slippage', '1%']
  const child = spawn(process.execPath, [bin, ...flags], {
    cwd: net.home,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...net.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)
  let id = 0
  const ask = async (method: string, params: object) => {
    id += 1
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [unknown]
    return typeof line === 'string' ? JSON.parse(line).result : undefined
  }
  return {
    kill: () => void child.kill('SIGKILL'),
    async preview(amount: number): Promise<string> {
      const clientInfo = { name: 'test', version: '0' }
      await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
      const swap = { input: { denom: 'rune', amount: `${amount}` }, output: { denom: usdc } }
      const route = await ask('tools/call', { name: 'swap_route', arguments: swap })
      const { quote_id } = route.structuredContent
      const name = 'swap_preview_execution'
      const shown = await ask('tools/call', { name, arguments: { quote_id } })
      return shown.structuredContent.preview_id
    },
    execute: (preview_id: string) =>
      ask('tools/call', { name: 'swap_execute', arguments: { preview_id } }),
    async end() {
      child.stdin.end()
      await ended
    },
  }
}

describe('swap mcp that is killed in the middle of swap_execute', () => {
  test(`executes at most once at ${KILLS} points, and the journal has what was sent`, async () => {
    let requests = 0
    const whole = server()
    const first = await whole.preview(100_000_000)
    net.hook = (_request, next) => {
      requests += 1
      return next()
    }
    assert.equal((await whole.execute(first)).structuredContent.status, 'confirmed')
    await whole.end()
    const all = requests
    const journal = journalIn(`${net.home}/state/journal`)
    for (let seed = 1; seed <= KILLS; seed += 1) {
      net.hook = (_request, next) => next()
      const before = executed.length
      const running = server()
      const id = await running.preview(100_000_000 + seed * 1_000)
      let left = 1 + Math.floor((seededRandom(`mcp kill ${seed}`)() / 2 ** 32) * all)
      net.hook = async (_request, next) => {
        left -= 1
        if (left !== 0) return next()
        if (seed % 2 === 0) running.kill()
        const reply = await next()
        running.kill()
        return reply
      }
      await running.execute(id)
      running.kill()
      await running.end()
      net.hook = (_request, next) => next()
      const resumed = await net.run('tx', 'resume', '--json')
      assert.ok([0, 10].includes(resumed.status ?? -1), `${seed}: ${resumed.stdout}`)
      assert.ok(executed.length <= before + 1, `${seed} was executed twice`)
      const onChain = new Set(executed.map(({ hash }) => hash))
      for (const tx of journal.recent(1_000).intents.flatMap(({ txs }) => txs)) {
        assert.ok(isFinal(tx) || tx.state === 'signed', `${seed}: ${tx.state}`)
        assert.equal(tx.state === 'included', onChain.has(tx.hash), `${seed}: ${tx.state}`)
      }
    }
    const known = new Set(
      journal.recent(1_000).intents.flatMap(({ txs }) => txs.map(({ hash }) => hash)),
    )
    for (const { hash } of executed) assert.ok(known.has(hash), `${hash} is not in the journal`)
  }, 7_200_000)
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { doctorPort } from '../../../src/compose/doctor-port.js'
import { loadConfig } from '../../../src/config/load.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { doctor } from '../../../src/operations/doctor/doctor.js'
import {
  type ChainCheck,
  chainChecks,
  type DoctorPort,
} from '../../../src/operations/doctor/doctor-port.js'
import { type FaultyNode, faultyNode, send, stub } from '../../chain/rpc/stage.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'

/** The doctor of a configuration with these nodes. */
async function portTo(...rpc: readonly string[]): Promise<DoctorPort> {
  const flags = { rpc: rpc.join(' '), timeout: '60s' }
  const config = await loadConfig({ env: {}, cwd: '/', home: undefined, flags })
  const host = { env: {}, cwd: '/', home: undefined, stdin: process.stdin }
  return closing(doctorPort(config, host))
}

const nodesOf = (chain: EmbeddedChain, count: number): Promise<readonly FaultyNode[]> =>
  Promise.all(Array.from({ length: count }, () => faultyNode(chain)))

const diagnose = async (port: DoctorPort, names: readonly ChainCheck[] = chainChecks) => {
  const answer = await doctor(port, names, [])
  const statuses = answer.checks.map(({ name, status }) => `${name} ${status}`)
  return { ...answer, statuses: [...new Set(statuses)] }
}

describe('the doctor', () => {
  test('reports two nodes of one chain that agree as ok', async () => {
    const nodes = await nodesOf(chainOf({ life: false }), 2)
    const answer = await diagnose(await portTo(...nodes.map(({ rpc }) => rpc)))
    assert.equal(answer.failed, 0, JSON.stringify(answer.checks))
    assert.deepEqual(answer.statuses, [
      'node ok',
      'node 2 ok',
      'network ok',
      'clock skip',
      'contract ok',
      'market ok',
      'market note',
      'demo skip',
    ])
    assert.equal(answer.notes, 2)
  })

  test('names the unreachable node without its secrets, and checks the other', async () => {
    const [good] = await nodesOf(chainOf({ life: false }, majorPairs), 1)
    const port = await portTo('http://me:hunter22@127.0.0.1:1/9f86d081884c7d65', good!.rpc)
    const answer = await diagnose(port)
    const [node] = answer.checks
    assert.equal(node?.status, 'fail')
    assert.match(node?.message ?? '', /http:\/\/\*\*\*@127\.0\.0\.1:1\/\*\*\* refused/)
    assert.doesNotMatch(JSON.stringify(answer), /hunter22|9f86/)
    assert.equal(answer.failed, 1)
    assert.ok(answer.statuses.includes('market ok'))
  })

  test('skips every later check where no node answers', async () => {
    const answer = await diagnose(await portTo('http://127.0.0.1:1'))
    assert.deepEqual(answer.statuses, [
      'node fail',
      'network skip',
      'clock skip',
      'contract skip',
      'market skip',
      'demo skip',
    ])
  })

  test('distinguishes a node that is behind from one on a fork', async () => {
    const chain = chainOf({ life: false }, majorPairs)
    grow(chain, 30)
    const [good, other] = await nodesOf(chain, 2)
    const port = await portTo(good!.rpc, other!.rpc)
    other!.fail({ kind: 'behind', n: 10 })
    const behind = await diagnose(port, ['node'])
    assert.match(behind.checks.at(-1)?.message ?? '', /is 10 blocks behind/)
    assert.deepEqual([behind.failed, behind.notes], [0, 1])
    const otherChain = await faultyNode(chainOf({ life: false, seed: 9 }, majorPairs))
    grow(chain, 1)
    const fork = await diagnose(await portTo(good!.rpc, otherChain.rpc), ['node'])
    assert.match(fork.checks.at(-1)?.message ?? '', /has another block/)
    assert.equal(fork.failed, 1)
  })

  test('reports a node of another chain and one that is catching up', async () => {
    const reply = (network: string, catching_up: boolean) => (body: string) =>
      JSON.stringify(
        (JSON.parse(body) as { id: number; method: string }[]).map(({ id, method }) => ({
          jsonrpc: '2.0',
          id,
          result:
            method === 'status'
              ? {
                  node_info: { network, version: '0.38.0' },
                  sync_info: { catching_up, latest_block_time: '2026-01-01T00:00:00Z' },
                }
              : { response: { last_block_height: '5' } },
        })),
      )
    const serve = async (answer: (body: string) => string) =>
      closing(await stub((body, _request, response) => send(response, answer(body))))
    const other = await serve(reply('other-1', false))
    const wrong = await diagnose(await portTo(other.url), ['node', 'network'])
    assert.deepEqual(wrong.statuses, ['node ok', 'network fail'])
    assert.match(wrong.checks.at(-1)?.message ?? '', /of the chain other-1, not demo/)
    const late = await serve(reply('demo-1', true))
    const behind = await diagnose(await portTo(late.url), ['node'])
    assert.match(behind.checks[0]?.message ?? '', /catching up/)
  })

  test('compares the clock only on a real chain', async () => {
    const [node] = await nodesOf(chainOf({ life: false }, majorPairs), 1)
    const port = await portTo(node!.rpc)
    const [report] = await port.nodes()
    const time = report?.answer?.time ?? 0
    const at = async (seconds: number) => {
      const real = { ...port, network: { ...port.network, real: true } }
      const { checks } = await doctor({ ...real, now: () => time + seconds * 1000 }, ['clock'], [])
      return checks[0]
    }
    assert.equal((await at(7))?.status, 'ok')
    assert.match((await at(-41))?.message ?? '', /41 s behind/)
    assert.match((await at(300))?.message ?? '', /300 s old/)
    assert.deepEqual([(await at(-41))?.status, (await at(300))?.status], ['fail', 'fail'])
  })

  test('names the missing setting where no router is known', async () => {
    const [node] = await nodesOf(chainOf({ life: false }, majorPairs), 1)
    const port = await portTo(node!.rpc)
    const without = { ...port, network: { ...port.network, router: undefined } }
    const { checks } = await doctor(without, ['contract'], [])
    assert.deepEqual([checks[0]?.status, checks[0]?.do?.includes('router.address')], ['fail', true])
  })
})

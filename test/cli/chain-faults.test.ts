import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { freshHome, jsonOf } from '../support/cli.js'
import { LONG } from '../support/long.js'
import { network } from './commands/execute/stage.js'

const net = await network()

describe('a chain that fails', () => {
  const { swap } = freshHome()
  /** A fault of each code, and the others. */
  const rows: readonly (readonly [kind: string, code: string])[] = [
    ['refuse', 'UPSTREAM_ERROR'],
    ['hang', 'UPSTREAM_TIMEOUT'],
    ['429', 'UPSTREAM_RATE_LIMITED'],
    ['not-json', 'UPSTREAM_INVALID_DATA'],
  ]
  const others: typeof rows = [
    ['reset', 'UPSTREAM_ERROR'],
    ['drip', 'UPSTREAM_TIMEOUT'],
    ['huge', 'UPSTREAM_INVALID_DATA'],
    ['502', 'UPSTREAM_ERROR'],
    ['partial-batch', 'UPSTREAM_INVALID_DATA'],
    ['wrong-id', 'UPSTREAM_INVALID_DATA'],
  ]
  for (const [kind, code] of [...rows, ...(LONG ? others : [])])
    test(`that answers with the fault ${kind} ends in ${code} with the node's name, not in a missing route`, async () => {
      await swap('demo', 'fail', kind, '-qq')
      const began = performance.now()
      const ended = await swap('route', '0.1', 'btc', 'rune', '--timeout', '1s', '--json')
      assert.ok(performance.now() - began < 10_000)
      await swap('demo', 'fail', 'off', '-qq')
      const problem = jsonOf(ended)
      assert.deepEqual([ended.status, problem.code], [4, code])
      assert.equal(problem.upstream, 'the demo chain')
      assert.equal(problem.upstreams.length, 1)
    })

  test('is read in spite of shuffled batches, a cap on batches and old encodings', async () => {
    const quote = async () =>
      JSON.parse((await net.run('route', '0.1', 'btc', 'rune', '--json')).stdout)
    const plain = (await quote()).routes
    for (const kind of ['shuffled-batch', 'batch-cap', 'old-encoding']) {
      net.board.add({ kind }, net.real.height)
      assert.deepEqual((await quote()).routes, plain, kind)
      net.heal()
    }
  })

  test('is reported by the doctor with the faults that are switched on, and exit 1', async () => {
    await swap('demo', 'fail', '502', '-qq')
    const { status, stdout } = await swap('doctor')
    await swap('demo', 'fail', 'off', '-qq')
    assert.equal(status, 1)
    assert.match(stdout, /^fail\tnode\tthe demo chain answered with HTTP status 502/m)
    assert.match(stdout, /^note\tdemo\t.*switched on: 502/m)
  })
})

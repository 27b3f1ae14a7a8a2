import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { curve, max } from '../../../../src/operations/split/sizes.js'
import { app, usdc } from '../../../operations/split/asking.js'
import { runSwap } from '../../../support/cli.js'

const pair = { input: { denom: 'btc-btc' }, output: { denom: 'rune' } }

describe('swap curve', () => {
  test('has flags that are members of its request', async () => {
    const flags = [
      '--from',
      '0.1',
      '--to',
      '2',
      '--points',
      '4',
      '--max-hops',
      '2',
      '--exclude',
      'usdc',
    ]
    const { stdout, status } = await runSwap(['curve', 'btc', 'rune', ...flags, '--json'])
    const answer = await curve(app, {
      ...pair,
      input: { denom: 'btc-btc', from: '10000000', to: '200000000' },
      points: 4,
      max_hops: 2,
      exclude: [usdc],
    })
    assert.equal(status, 0)
    assert.equal(stdout, `${JSON.stringify(answer)}\n`)
  })

  test('--split divides each size', async () => {
    const flags = [
      '--from',
      '1',
      '--to',
      '2',
      '--points',
      '2',
      '--split',
      '--split-step',
      '10',
      '--max-legs',
      '2',
    ]
    const answer = await curve(app, {
      ...pair,
      input: { denom: 'btc-btc', from: '100000000', to: '200000000', split_step: 10 },
      points: 2,
      split: true,
      max_legs: 2,
    })
    assert.equal(
      (await runSwap(['curve', 'btc', 'rune', ...flags, '--json'])).stdout,
      `${JSON.stringify(answer)}\n`,
    )
  })

  test('sizes may be dollars; -q is an output a line, --csv a row each', async () => {
    const flags = ['--from', '$100', '--to', '$1000', '--points', '3']
    assert.match(
      (await runSwap(['curve', 'btc', 'rune', ...flags, '-q'])).stdout,
      /^196\.34\d*\n\d+\.\d+\n1963\.\d+\n$/,
    )
    assert.equal(
      (await runSwap(['curve', 'btc', 'rune', ...flags, '--csv'])).stdout.split('\r\n').length,
      5,
    )
    assert.equal(
      (await runSwap(['curve', 'btc', 'rune', ...flags])).stdout.trimEnd().split('\n').length,
      3,
    )
  })

  test('ends with 2 and its code for wrong arguments', async () => {
    const rows: readonly (readonly [readonly string[], string])[] = [
      [['curve', 'btc'], 'INVALID_REQUEST'],
      [['curve', 'btc', 'rune', '5'], 'INVALID_REQUEST'],
      [['curve', 'btc', 'rune', '--points', '1'], 'INVALID_REQUEST'],
      [['curve', 'btc', 'rune', '--from', '2', '--to', '1'], 'INVALID_REQUEST'],
      [['curve', 'btc', 'rune', '--from', '0'], 'INVALID_AMOUNT'],
      [['curve', 'btc', 'btc'], 'SAME_TOKEN'],
      [['curve', 'btc', 'rune', '--split', '--split-step', '20'], 'INVALID_SPLIT_STEP'],
    ]
    for (const [args, code] of rows) {
      const { status, stdout } = await runSwap([...args, '--json'])
      assert.deepEqual([status, JSON.parse(stdout).code], [2, code], args.join(' '))
    }
  })
})

describe('swap curve from a larger to a smaller size', () => {
  test('names its flags, and sizes in the units that were typed', async () => {
    const call = ['curve', 'btc', 'rune', '--from', '5', '--to', '1']
    const { status, stderr } = await runSwap(call)
    assert.equal(status, 2)
    assert.match(stderr, /error: --from and --to clash\n +why +5 BTC is above 1 BTC\n/)
    assert.match((await runSwap([...call, '--atomic'])).stderr, /why +5 is above 1\n/)
    const { errors } = JSON.parse((await runSwap([...call, '--json'])).stdout)
    assert.deepEqual(
      errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/input/from', '/input/to'],
    )
  })
})

describe('swap max', () => {
  test('has flags that are members of its request', async () => {
    const { stdout } = await runSwap(['max', 'btc', 'rune', '--max-impact', '50bps', '--json'])
    assert.equal(
      stdout,
      `${JSON.stringify(await max(app, { ...pair, max_impact_bps: 50, max_hops: 4 }))}\n`,
    )
    const flags = ['--max-impact', '1%', '--split', '--via', 'usdc']
    const answer = await max(app, { ...pair, max_impact_bps: 100, split: true, via: [usdc] })
    assert.equal(
      (await runSwap(['max', 'btc', 'rune', ...flags, '--json'])).stdout,
      `${JSON.stringify(answer)}\n`,
    )
  })

  test('prints the amount with -q, and a next command that works', async () => {
    const amount = (
      await runSwap(['max', 'btc', 'rune', '--max-impact', '0.5%', '-q'])
    ).stdout.trimEnd()
    assert.equal(amount, '0.11585718')
    assert.equal(
      (await runSwap(['max', 'btc', 'rune', '--max-impact', '0.5%', '-q', '--atomic'])).stdout,
      '11585718\n',
    )
    const human = (await runSwap(['max', 'btc', 'rune', '--max-impact', '0.5%', '-o', 'human']))
      .stdout
    const [, next = ''] = /Next +swap (.*)\n/.exec(human) ?? []
    assert.equal((await runSwap(next.split(' '))).status, 0)
  })

  test('needs a limit, and one that some amount keeps', async () => {
    const without = await runSwap(['max', 'btc', 'rune'])
    assert.equal(without.status, 2)
    assert.match(
      without.stderr,
      /--max-impact is missing\n.*\n.*write e\.g\. swap max btc rune --max-impact 1%\n/,
    )
    assert.equal((await runSwap(['max', 'btc', 'rune', '--max-impact', '5'])).status, 2)
    const low = await runSwap(['max', 'btc', 'rune', '--max-impact', '0bps'])
    assert.equal(low.status, 5)
    assert.match(low.stderr, /no amount of BTC for RUNE was found that stays within 0 % \(0 bps\)/)
  })
})

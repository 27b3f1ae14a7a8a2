import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { demo } from '../../../../src/chain/networks/demo.js'
import { renderPlan } from '../../../../src/cli/commands/plan/render.js'
import { PlanAnswer } from '../../../../src/operations/plan/plan-documents.js'
import type { SplitAnswer } from '../../../../src/operations/split/split-documents.js'
import { validate } from '../../../../src/operations/validate.js'
import { styleOf } from '../../../../src/render/style.js'
import { runIn } from '../../../support/cli.js'
import { network } from '../execute/stage.js'

const net = await network()

const every = ['--slices', '3', '--every', '1h']
const planOf = async (amount: string, file: string, sold = 'rune'): Promise<PlanAnswer> => {
  const path = join(net.home, file)
  const words = ['plan', 'twap', amount, sold, 'usdc', ...every, '--file', path, '--json']
  const { stdout } = await net.run(...words)
  return validate(PlanAnswer, JSON.parse(stdout), {})
}

describe('swap plan twap', () => {
  test('writes the file below the current folder, and prints its name with -q', async () => {
    const place = { home: net.home, env: net.env, cwd: net.home }
    const words = ['plan', 'twap', '3', 'rune', 'usdc', '--slices', '2', '--every', '1h']
    const { stdout } = await runIn(place, [...words, '--file', 'here.json', '-q'])
    assert.equal(stdout, 'here.json\n')
    assert.ok(existsSync(join(net.home, 'here.json')))
  })

  test('never overwrites a plan, whose slices may have been executed', async () => {
    await planOf('3', 'kept.json')
    const path = join(net.home, 'kept.json')
    const written = readFileSync(path, 'utf8')
    const words = ['plan', 'twap', '4', 'rune', 'usdc', ...every, '--file', path]
    const { status, stderr } = await net.run(...words)
    assert.equal(status, 2)
    assert.match(stderr, /kept\.json" exists already/)
    assert.equal(readFileSync(path, 'utf8'), written)
  })

  test('its answer is not run as a plan: the error names the file of the plan', async () => {
    const answer = join(net.home, 'answer.json')
    writeFileSync(answer, JSON.stringify(await planOf('3', 'plan.json')))
    const { status, stderr } = await net.run('plan', 'show', answer)
    assert.equal(status, 2)
    assert.match(stderr, /name the file of the plan:\s+".*\/plan\.json"/)
  })

  test('estimates the whole amount and the slices as free splits', async () => {
    const plan = await planOf('3.00000002', 'estimate.json', 'btc')
    const splitOf = async (amount: string) => {
      const words = ['sroute', amount, 'btc', 'usdc', '--no-grid', '--json']
      const answer = JSON.parse((await net.run(...words)).stdout) as SplitAnswer
      return answer.routes[0]!.expected_output
    }
    assert.equal(plan.estimate?.at_once, await splitOf('3.00000002'))
    const amounts = plan.slices.map(({ amount }) => amount)
    assert.deepEqual(amounts, ['100000001', '100000001', '100000000'])
    const [larger, smaller] = [await splitOf('1.00000001'), await splitOf('1')]
    assert.equal(plan.estimate?.apart, `${2n * BigInt(larger) + BigInt(smaller)}`)
    assert.notEqual(larger, smaller)
  })

  test('estimates what is left by the configured affiliate, which the slices pay', async () => {
    const path = join(net.home, 'affiliate.json')
    const env = { ...net.env, SWAP_AFFILIATE: 'acme', SWAP_MAX_HOPS: '1' }
    const of = async (...words: readonly string[]) =>
      JSON.parse((await runIn({ home: net.home, env, cwd: net.home }, [...words, '--json'])).stdout)
    const { estimate } = await of('plan', 'twap', '3', 'btc', 'usdc', ...every, '--file', path)
    const { routes } = (await of('sroute', '3', 'btc', 'usdc')) as SplitAnswer
    assert.equal(estimate.at_once, routes[0]!.expected_output)
  })

  test('estimates what is left of the output after the gas of every slice', async () => {
    const path = (name: string) => join(net.home, `gas-${name}.json`)
    const priced = {
      chain_id: 'demo-1',
      prefix: 'demo',
      rpc: [net.env['SWAP_RPC']],
      router: { address: demo.router?.address, dialect: 'forward' },
      code_ids: [1, 2],
      gas_price: '10',
    }
    net.file('.swaprc', { networks: { free: { ...priced, gas_price: '0' }, priced } })
    const of = async (name: string) => {
      const words = [
        'plan',
        'twap',
        '3',
        'btc',
        'usdc',
        ...every,
        '--file',
        path(name),
        '-n',
        name,
        '--json',
      ]
      return (JSON.parse((await net.run(...words)).stdout) as PlanAnswer).estimate!
    }
    const [free, paying] = [await of('free'), await of('priced')]
    const atOnce = BigInt(free.at_once!) - BigInt(paying.at_once!)
    const apart = BigInt(free.apart!) - BigInt(paying.apart!)
    assert.ok(atOnce > 0n && apart > atOnce * 2n && apart < atOnce * 4n, `${atOnce}, ${apart}`)
  })

  test('has no estimate for an amount that is more than the books hold', async () => {
    const { estimate } = await planOf('30000000000', 'deep.json')
    assert.deepEqual([estimate?.at_once, estimate?.apart], [null, null])
  })
})

describe('a plan on a terminal', () => {
  test('ends with the command that executes the first slice, by the default key', async () => {
    const place = { home: net.home, env: net.env, isTerminal: true }
    const path = join(net.home, 'next.json')
    const words = ['plan', 'twap', '3', 'rune', 'usdc', ...every, '--file', path]
    assert.ok((await runIn(place, words)).stdout.includes(`swap plan run ${path} --from demo`))
  })

  const style = styleOf({ width: 80, tty: true, color: false, ascii: false })
  const naming = { tokens: new Map(), aliases: [] } as never

  test('has a bar and what was paid, and on a narrow one no bar', async () => {
    const plan = await planOf('3', 'shown.json')
    const answer = {
      ...plan,
      received: '7',
      slices: plan.slices.map((slice, i) =>
        i === 0 ? { ...slice, state: 'done' as const, tx_hash: 'AB'.repeat(32) } : slice,
      ),
    }
    const shown = (width: number) => renderPlan(answer, 'next', naming, { ...style, width })
    assert.match(shown(80), /Done +█+░+ +1 of 3 +7 eth-usdc/)
    assert.doesNotMatch(shown(30), /░/)
    assert.match(shown(80), / done .* AB[AB]*…[AB]*AB$/m)
    assert.equal(readFileSync(plan.path, 'utf8').includes('received'), false)
  })

  test('shows which estimates are more than the books hold, and which divisions fail', async () => {
    const plan = await planOf('30000000000', 'deeper.json')
    const division = { slices: 2, received: null, failed: 20, gain: null }
    const level = { worst_bps: 5, p5_bps: 5, median_bps: 5, p95_bps: 5, best_bps: 5, left_out: 2 }
    const estimate = { ...plan.estimate!, recorded: level, divisions: [division] }
    const text = renderPlan({ ...plan, estimate } as PlanAnswer, 'next', naming, style)
    assert.match(text, /At once +more than the books hold/)
    assert.match(text, / 2 +fails +20/)
    assert.match(text.replace(/\s+/g, ' '), /95 % \S+ % without 2 runs that failed/)
  })
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { progressOf } from '../../../../src/cli/commands/plan/progress.js'
import type { Intent, TxState } from '../../../../src/execution/journal/intent.js'
import { evenSlices } from '../../../../src/operations/plan/backtest.js'
import type {
  BacktestAnswer,
  PlanAnswer,
  PlanDocument,
} from '../../../../src/operations/plan/plan-documents.js'
import { runIn } from '../../../support/cli.js'
import { blocksOf, recordTape } from '../../../support/tape.js'
import { network, problem } from '../execute/stage.js'

const net = await network(500)

let files = 0
/** A plan of slices that are due so many hours from now. */
async function planned(...hours: readonly number[]): Promise<string> {
  const path = join(net.home, `plan-${++files}.json`)
  const flags = ['--slices', `${hours.length}`, '--every', '1h', '--file', path]
  const { status, stderr } = await net.run('plan', 'twap', '3', 'rune', 'usdc', ...flags)
  assert.equal(status, 0, stderr)
  const plan = JSON.parse(readFileSync(path, 'utf8')) as PlanDocument
  const at = (hour: number) => new Date(Date.now() + hour * 3_600_000).toISOString()
  const slices = plan.slices.map((slice, i) => ({ ...slice, due: at(hours[i]!) }))
  writeFileSync(path, JSON.stringify({ ...plan, slices }))
  return path
}

const signing = ['--from', 'demo', '--yes', '--slippage', '1%', '--json'] as const
const run = (path: string) => net.run('plan', 'run', path, ...signing)
const owned = ['--from', 'demo', '--json'] as const
const shown = async (path: string): Promise<PlanAnswer> =>
  JSON.parse((await net.run('plan', 'show', path, ...owned)).stdout)
const statesOf = ({ slices }: PlanAnswer) => slices.map(({ state }) => state)

describe('the slices of a plan', () => {
  test('add up to the amount and differ by at most one atomic', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 30n), fc.integer({ min: 2, max: 50 }), (amount, count) => {
        const slices = evenSlices(amount, count, { start: 0, everyMs: 1_000 })
        const sizes = slices.map((slice) => BigInt(slice.amount))
        assert.equal(sizes.length, count)
        assert.equal(
          sizes.reduce((a, b) => a + b),
          amount,
        )
        assert.ok(sizes[0]! - sizes.at(-1)! <= 1n)
        assert.equal(slices.at(-1)!.due, new Date((count - 1) * 1_000).toISOString())
      }),
    )
  })
})

test('a slice whose transaction is open is neither done nor due', () => {
  const [input, due] = [{ denom: 'rune', amount: '2' }, '2026-11-20T00:00:00.000Z']
  const plan = { id: 'p_00000000', input, output: 'usdc', slices: [{ amount: '2', due }] }
  const stateWith = (state: TxState, code: number | null = null) => {
    const tx = { hash: 'AB'.repeat(32), state, code, legs: [0] }
    const intent = { id: 'x_00000001', legs: [{ funds: input, output: 'usdc' }], txs: [tx] }
    const [slice] = progressOf(plan as unknown as PlanDocument, Date.parse(due), (key) =>
      key.endsWith(' 1') ? [intent as unknown as Intent] : [],
    )
    return [slice!.state, slice!.key]
  }
  assert.deepEqual(stateWith('sent'), ['open', 'plan p_00000000 1'])
  assert.deepEqual(stateWith('expired'), ['due', 'plan p_00000000 1'])
  assert.deepEqual(stateWith('included', 5), ['due', 'plan p_00000000 1 2'])
})

describe('swap plan twap', () => {
  test('says what the division was worth on the blocks of a tape, as the backtest of the file does', async () => {
    const tape = await recordTape(join(net.home, 'blocks.tape'), blocksOf(6))
    const path = join(net.home, 'recorded.json')
    const flags = ['--slices', '2', '--every', '2s', '--recorded', tape, '--file', path, '--json']
    const { stdout } = await net.run('plan', 'twap', '3000', 'rune', 'usdc', ...flags)
    const { estimate } = JSON.parse(stdout) as PlanAnswer
    const tested = await net.run('tape', 'backtest', tape, path, '--json')
    const { gain, runs } = JSON.parse(tested.stdout) as BacktestAnswer
    assert.ok(runs.length > 1 && gain !== null, tested.stdout)
    assert.deepEqual(estimate?.recorded, gain)
    const csv = (await net.run('tape', 'backtest', tape, path, '--csv')).stdout.split('\r\n')
    assert.match(csv[0]!, /^height,time,out_symbol,out_denom,at_once_atomic,at_once_human,in_time_/)
    assert.deepEqual([csv.length, csv[1]!.split(',')[0]], [runs.length + 2, `${runs[0]!.height}`])
    assert.ok(BigInt(estimate!.apart!) > BigInt(estimate!.at_once!))
  })

  test('compares numbers of slices on a tape where none is given, and takes the best one', async () => {
    const tape = join(net.home, 'blocks.tape')
    const flags = ['--every', '2s', '--recorded', tape, '--file', join(net.home, 'best.json')]
    const { stdout } = await net.run('plan', 'twap', '3000', 'rune', 'usdc', ...flags, '--json')
    const { estimate, slices } = JSON.parse(stdout) as PlanAnswer
    const divisions = estimate!.divisions!
    // Ten seconds were recorded, and the longest plan takes half of them at most.
    assert.deepEqual(
      divisions.map((each) => each.slices),
      [1, 2, 3],
    )
    assert.equal(divisions[0]!.gain?.best_bps, 0)
    const best = divisions.reduce((a, b) => (b.gain!.median_bps > a.gain!.median_bps ? b : a))
    assert.equal(slices.length, best.slices)
    assert.deepEqual(estimate!.recorded, best.gain)
    const none = await net.run('plan', 'twap', '3', 'rune', 'usdc', '--every', '2s', '--json')
    assert.equal(problem(none).code, 'INVALID_REQUEST')
  })

  test('refuses an amount of the token that is bought', async () => {
    const path = join(net.home, 'bought.json')
    const flags = ['--slices', '2', '--every', '2s', '--file', path, '--json']
    const ended = await net.run('plan', 'twap', 'rune', '3', 'usdc', ...flags)
    assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'])
  })

  test.each([
    ['0.00000002', '3', /^2 atomics cannot be divided in 3; /, 'sell more, or in fewer slices'],
    [
      '0.0000001',
      '5',
      /^0\.00000002 RUNE is too little to swap; /,
      'sell at least 0.00000006 RUNE in each slice: sell more, or in fewer slices',
    ],
    ['0.00000002', '2', /^0\.00000002 RUNE is too little/, 'sell at least 0.00000006 RUNE'],
  ])('refuses %s RUNE in %s slices, with what helps', async (amount, slices, reason, hint) => {
    const path = join(net.home, 'few.json')
    const flags = ['--slices', slices, '--every', '2s', '--file', path, '--json']
    const refused = problem(await net.run('plan', 'twap', amount, 'rune', 'usdc', ...flags))
    assert.deepEqual([refused.code, refused['hint']], ['AMOUNT_TOO_SMALL', hint])
    assert.match(`${refused.detail}`, reason)
    assert.equal(existsSync(path), false)
  })

  test('refuses a plan that takes longer than what was recorded', async () => {
    const tape = join(net.home, 'blocks.tape')
    const ended = await net.run('tape', 'backtest', tape, await planned(0, 1), '--json')
    assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'])
  })
})

describe('swap plan show', () => {
  const onTerminal = async (path: string): Promise<string> => {
    const place = { home: net.home, env: net.env, isTerminal: true }
    return (await runIn(place, ['plan', 'show', path, '--from', 'demo'])).stdout
  }
  test('ends on a terminal with the command that executes the next slice, until all are done', async () => {
    const path = await planned(-2, -1)
    assert.ok((await onTerminal(path)).includes(`swap plan run ${path} --from demo`))
    const later = await planned(1, 2)
    assert.ok((await onTerminal(later)).includes(`swap plan run ${later} --from demo`))
    for (const _ of [1, 2]) assert.equal((await run(path)).status, 0)
    assert.doesNotMatch(await onTerminal(path), /Next/)
  })
})

describe('swap plan run', () => {
  test('refuses to show the executions of an account of another network', async () => {
    const path = await planned(-1, 1)
    for (const account of ['1'.repeat(40), 'demo1656yc8r4q9wrt8sk5kp3mtypu753amk3vyg9pq']) {
      const ended = await net.run('plan', 'show', path, '--from', account, '--json')
      assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_ADDRESS'])
    }
  })
  test('executes one slice that is due a call, and shows the plan when none is', async () => {
    const path = await planned(-2, -1, 1)
    const notes = [/note: slice 1 of 3; the next is due 20.* UTC\n/, /note: slice 2 of 3; the next/]
    for (const done of [1, 2]) {
      const { status, stdout, stderr } = await run(path)
      assert.equal(status, 0)
      assert.match(stderr, notes[done - 1]!)
      assert.deepEqual(JSON.parse(stdout).amount_in, { denom: 'rune', amount: '100000000' })
      assert.equal(statesOf(await shown(path)).filter((state) => state === 'done').length, done)
    }
    const { status, stdout } = await run(path)
    const answer = JSON.parse(stdout) as PlanAnswer
    assert.equal(status, 0)
    assert.deepEqual(statesOf(answer), ['done', 'done', 'waiting'])
    const paid = answer.slices.slice(0, 2).map(({ received }) => BigInt(received!))
    assert.equal(answer.received, `${paid[0]! + paid[1]!}`)
    assert.notEqual(answer.slices[0]!.tx_hash, answer.slices[1]!.tx_hash)
  })

  test('executes a slice once when two calls begin together', async () => {
    const path = await planned(-1, 1)
    await Promise.all([run(path), run(path)])
    assert.deepEqual(statesOf(await shown(path)), ['done', 'waiting'])
    const { stdout } = await net.run('journal', '--json')
    const all = JSON.parse(stdout).intents as readonly { readonly once: string | null }[]
    const { id } = JSON.parse(readFileSync(path, 'utf8')) as PlanDocument
    assert.equal(all.filter(({ once }) => once?.includes(id)).length, 1)
  })

  test('refuses a second account once one has executed a slice: each would sell the whole amount', async () => {
    const path = await planned(-2, -1)
    const { status, stdout } = await run(path)
    assert.equal(status, 0, stdout)
    const other = 'demo1656yc8r4q9wrt8sk5kp3mtypu753amk3vyg9pr'
    const runByOther = () => net.run('plan', 'run', path, '--from', other, '--yes', '--json')
    const { code, detail, hint } = problem(await runByOther())
    assert.equal(code, 'INVALID_REQUEST')
    assert.match(`${detail}`, /another account executes the plan p_/)
    assert.match(`${hint}`, /--from demo;/)
    const shownToOther = await net.run('plan', 'show', path, '--from', other, '-o', 'human')
    assert.match(
      shownToOther.stderr,
      /note: demo1\w+ executes this plan: swap plan show \S+ --from demo/,
    )
    assert.match(shownToOther.stdout, /Next +swap plan run \S+ --from demo\n/)
    assert.equal((await net.run('plan', 'show', path, ...owned)).stderr, '')
    assert.equal((await run(path)).status, 0)
  })

  test('begins a slice again after it failed on the chain', async () => {
    const path = await planned(-2, -1)
    net.board.add({ kind: 'slippage', once: true }, net.real.height)
    const failed = await run(path)
    net.heal()
    assert.notEqual(failed.status, 0)
    assert.deepEqual(statesOf(await shown(path)), ['due', 'due'])
    assert.equal((await run(path)).status, 0)
    assert.deepEqual(statesOf(await shown(path)), ['done', 'due'])
  })

  test('signs nothing when a guard refuses, and the slice stays due', async () => {
    const path = await planned(-1, 1)
    const refused = await net.run('plan', 'run', path, ...signing, '--max-impact', '0.01%')
    assert.equal(refused.status, 5)
    assert.deepEqual(statesOf(await shown(path)), ['due', 'waiting'])
  })

  test('prints no unsigned transaction: signed elsewhere it would not count for its slice', async () => {
    const { status, stderr } = await net.run('plan', 'run', await planned(-1, 1), '--generate-only')
    assert.equal(status, 2)
    assert.match(stderr, /no flag "--generate-only"/)
  })

  test('refuses a plan that was altered, or is for another chain', async () => {
    const path = await planned(-1, 1)
    const plan = JSON.parse(readFileSync(path, 'utf8')) as PlanDocument
    for (const altered of [
      { ...plan, input: { ...plan.input, amount: '300000001' } },
      { ...plan, chain_id: 'thorchain-1' },
      { ...plan, slices: [] },
      ...['2026-02-31T25:00:00.000Z', '2026-02-31T00:00:00.000Z'].map((due) => ({
        ...plan,
        slices: plan.slices.map((slice) => ({ ...slice, due })),
      })),
      { ...plan, note: 'more' },
    ]) {
      writeFileSync(path, JSON.stringify(altered))
      const ended = await run(path)
      assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'])
      assert.match(`${problem(ended).detail}`, /cannot be used as a plan/)
    }
  })

  test('refuses a plan whose executed slice was edited: it would count as another one', async () => {
    const path = await planned(-2, -1)
    assert.equal((await run(path)).status, 0)
    const plan = JSON.parse(readFileSync(path, 'utf8')) as PlanDocument
    const [first] = plan.slices
    const more = [{ ...first!, amount: '200000000' }, ...plan.slices]
    for (const altered of [
      { ...plan, input: { ...plan.input, amount: '500000000' }, slices: more },
      { ...plan, output: 'btc-btc' },
    ]) {
      writeFileSync(path, JSON.stringify(altered))
      for (const ended of [await run(path), await net.run('plan', 'show', path, ...owned)]) {
        assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'])
        assert.match(`${problem(ended).detail}`, /slice 1 was signed/)
      }
    }
    writeFileSync(path, JSON.stringify(plan))
    assert.deepEqual(statesOf(await shown(path)), ['done', 'due'])
  })

  test('reads tokens as denoms alone: a symbol would turn atomics into whole tokens', async () => {
    const path = await planned(-1, 1)
    const plan = JSON.parse(readFileSync(path, 'utf8')) as PlanDocument
    for (const altered of [
      { ...plan, input: { ...plan.input, denom: 'RUNE' } },
      { ...plan, output: 'usdc' },
    ]) {
      writeFileSync(path, JSON.stringify(altered))
      const ended = await run(path)
      assert.deepEqual([ended.status, problem(ended).code], [2, 'UNKNOWN_TOKEN'])
    }
  })
})

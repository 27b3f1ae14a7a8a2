import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { longTest } from '../../../support/long.js'
import { changed, DEMO, network, problem } from './stage.js'

const net = await network()
const { executed } = net

const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo'] as const
const guarded = [...swap, '--yes', '--slippage', '1%'] as const
const unattended = ['--from', 'demo', '--yes', '--slippage', '1%'] as const
/** Two RUNE in two legs, each in a transaction of its own. */
const two = ['execute', '2', 'rune', 'usdc'] as const
const legs = ['--legs', '1:rune/usdc', '--legs', '1:rune/usdc', '--mode', 'legs'] as const

describe('swap execute', () => {
  let quote = ''
  beforeAll(async () => {
    quote = (await net.run('sroute', '1', 'rune', 'usdc', '--json')).stdout
  })
  const refused: readonly (readonly [string, () => unknown, number, string])[] = [
    ['another network', () => changed(quote, 'chain_id', 'other-1'), 5, 'QUOTE_MISMATCH'],
    [
      'a foreign contract',
      () => changed(quote, 'routes.0.legs.0.tx.swap.stages.0.address', DEMO),
      5,
      'QUOTE_MISMATCH',
    ],
    [
      'a recipient',
      () => changed(quote, 'routes.0.legs.0.tx.swap.recipient', `${DEMO}x`),
      5,
      'QUOTE_MISMATCH',
    ],
    [
      'an affiliate',
      () => changed(quote, 'routes.0.legs.0.tx.swap.affiliate_code', 'evil'),
      2,
      'INVALID_AFFILIATE',
    ],
    [
      'another output',
      () => changed(quote, 'routes.0.legs.0.tx.swap.min_return.denom', 'btc-btc'),
      5,
      'QUOTE_MISMATCH',
    ],
    [
      'an amount with an exponent',
      () => changed(quote, 'routes.0.legs.0.funds.amount', '1e8'),
      2,
      'INVALID_REQUEST',
    ],
    ['a problem', () => ({ code: 'NO_ROUTE', status: 422, detail: 'none' }), 3, 'NO_ROUTE'],
    ['nothing', () => '{}', 2, 'INVALID_REQUEST'],
    ['no JSON', () => 'hello', 2, 'INVALID_REQUEST'],
  ]
  for (const [what, document, status, code] of refused)
    test(`ends with ${status} for a quote with ${what}`, async () => {
      const before = executed.length
      const path = net.file('quote.json', document())
      const ended = await net.run('execute', path, ...unattended, '--json')
      assert.equal(ended.status, status, ended.stdout)
      assert.equal(problem(ended).code, code)
      assert.equal(executed.length, before)
    })
})

describe('swap execute without a terminal', () => {
  test('needs a price guard', async () => {
    for (const answer of [['--yes'], ['--confirm', 'usdc', '--no-input']]) {
      const ended = await net.run(...swap, ...answer, '--json')
      assert.equal(ended.status, 2)
      assert.equal(problem(ended).code, 'INVALID_REQUEST')
    }
  })

  test('takes --min-profit for loops only', async () => {
    const ended = await net.run(...swap, '--yes', '--min-profit', '0.1', '--json')
    assert.deepEqual(
      [ended.status, problem(ended)['errors']],
      [2, [{ pointer: '/min_profit', detail: 'the swap pays another token than it sells' }]],
    )
  })

  test('signs nothing without --yes', async () => {
    const ended = await net.run(...swap, '--json')
    assert.equal(ended.status, 2)
    assert.equal(problem(ended).code, 'CONFIRMATION_REQUIRED')
  })

  test('takes the symbol of the output with --confirm, and no other', async () => {
    const wrong = await net.run(...swap, '--confirm', 'RUNE', '--slippage', '1%', '--json')
    assert.equal(wrong.status, 8)
    const right = await net.run(...swap, '--confirm', 'usdc', '--slippage', '1%', '-q', '--ndjson')
    assert.equal(right.status, 0, right.stderr)
    assert.match(right.stdout, /^[0-9A-F]{64}\n$/)
  })

  test('respects the limits of the configuration', async () => {
    const path = join(net.home, 'limited-tx')
    writeFileSync(path, 'limits: { per_tx_usd: 0.1, per_day_usd: 500 }\n')
    const limited = ['--config', path, '--json']
    for (const call of [
      guarded,
      [...swap, '--confirm', 'usdc', '--slippage', '1%', '--no-input'],
    ]) {
      const ended = await net.run(...call, ...limited)
      assert.equal(ended.status, 14)
      assert.equal(problem(ended).code, 'LIMIT_EXCEEDED')
    }
  })

  test('does not raise a limit of the configuration by a flag', async () => {
    const path = join(net.home, 'limited')
    writeFileSync(path, 'limits: { per_tx_usd: 500, per_day_usd: 0.1 }\n')
    const call = [...guarded, '--config', path, '--json']
    const raised = await net.run(...call, '--limits-per-day-usd', '500')
    assert.equal(problem(raised).code, 'LIMIT_EXCEEDED')
    assert.match(raised.stdout, /which needs a person/)
  })

  test('pays another recipient only with --confirm-to', async () => {
    const other = 'demo1656yc8r4q9wrt8sk5kp3mtypu753amk3vyg9pr'
    const ended = await net.run(...guarded, '--to', other, '--json')
    assert.equal(ended.status, 2)
    assert.equal(problem(ended).code, 'CONFIRMATION_REQUIRED')
    const alone = await net.run(...guarded, '--confirm-to', other, '--json')
    assert.match(alone.stderr, /--confirm-to goes with --to/)
  })
  test('does not pay the router', async () => {
    const router = 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08'
    const ended = await net.run(...guarded, '--to', router, '--confirm-to', router, '--json')
    assert.equal(problem(ended).code, 'INVALID_ADDRESS')
  })
})

describe('an amount in percent', () => {
  test('is that share of the balance, rounded down', async () => {
    const half = await net.run(
      ...['execute', '0.01%', 'rune', 'usdc', '--from', 'demo', '--dry-run', '--json'],
      ...['--max-impact', '50%'],
    )
    assert.equal(half.status, 0, half.stderr)
    const held = JSON.parse((await net.run('balances', DEMO, '--json')).stdout) as {
      balances: { denom: string; amount: string }[]
    }
    const rune = BigInt(held.balances.find(({ denom }) => denom === 'rune')!.amount)
    assert.equal(JSON.parse(half.stdout).amount_in.amount, `${rune / 10_000n}`)
  })
})

describe('--mode legs', () => {
  test('is refused with --generate-only and --sign-only', async () => {
    const confirmed = ['--from', 'demo', '--slippage', '1%', '--confirm', 'usdc']
    for (const only of ['--generate-only', '--sign-only']) {
      const { status, stdout } = await net.run(...two, ...confirmed, only, ...legs, '--json')
      assert.equal(status, 2)
      assert.match(stdout, /--mode legs cannot be printed/)
    }
  })

  test('ends with 12 and the resume command after a kill between two legs', async () => {
    const process = net.begin(...two, ...unattended, ...legs, '--json')
    net.hook = async (request, next) => {
      const reply = await next()
      if (request.body.includes('broadcast_tx_sync')) process.kill()
      return reply
    }
    await process.ended
    net.hook = (_request, next) => next()
    const resumed = await net.run('tx', 'resume', '--json')
    assert.equal(resumed.status, 12, resumed.stdout)
    assert.match(String(problem(resumed)['hint']), /swap tx resume x_/)
    const { id } = problem(resumed)
    const answer = ['--confirm', 'usdc', '--slippage', '1%', '--json']
    const rest = await net.run('execute', '--resume', String(id), ...answer)
    assert.equal(rest.status, 0, rest.stdout)
    assert.equal(JSON.parse(rest.stdout).status, 'confirmed')
  })

  test('stops at the first failed leg, reports the others, and continues with --resume in the same sign mode', async () => {
    const call = [...two, ...unattended, ...legs, '--amino']
    let broadcasts = 0
    net.hook = (request, next) => {
      // The market moves against the second one.
      if (request.body.includes('broadcast_tx_sync') && ++broadcasts === 2)
        net.board.add({ kind: 'slippage', once: true }, net.real.height)
      return next()
    }
    const before = executed.length
    const stopped = await net.run(...call, '--json')
    net.hook = (_request, next) => next()
    net.heal()
    assert.equal(stopped.status, 12, stopped.stdout + stopped.stderr)
    const { id, legs: reported } = problem(stopped) as unknown as {
      id: string
      legs: { received: string | null }[]
    }
    assert.deepEqual(
      reported.map(({ received }) => received !== null),
      [true, false],
    )
    assert.deepEqual(
      executed.slice(before).map(({ code }) => code),
      [0, 5],
    )
    const resumed = await net.run('execute', '--resume', id, '--yes', '--slippage', '50%', '--json')
    assert.equal(resumed.status, 0, resumed.stdout + resumed.stderr)
    assert.equal(JSON.parse(resumed.stdout).status, 'confirmed')
    assert.deepEqual(
      executed.slice(before).map(({ code }) => code),
      [0, 5, 0],
    )
    const { txs } = journalIn(join(net.home, 'state', 'journal')).find(id)!
    assert.deepEqual(
      txs.map(({ sign_mode }) => sign_mode),
      ['amino', 'amino', 'amino'],
    )
  })
})

describe('the journal of executions', () => {
  longTest('has the result of a swap with --wait accepted, and so has resume', async () => {
    const sent = await net.run(...guarded, '--wait', 'accepted', '--json')
    assert.equal(sent.status, 0, sent.stdout)
    const { id, status } = JSON.parse(sent.stdout)
    assert.equal(status, 'accepted')
    const { height } = net.real
    while (net.real.height < height + 2) await new Promise((done) => setTimeout(done, 50))
    const { report, open } = JSON.parse((await net.run('tx', 'show', id, '--json')).stdout)
    assert.equal(open, false)
    assert.equal(report.status, 'confirmed')
    assert.ok(BigInt(report.legs[0].received) > 0n)
    assert.equal(report.evidence, 'block')
    const resumed = JSON.parse((await net.run('tx', 'resume', id, '--json')).stdout)
    assert.deepEqual(resumed, report)
  })

  test('lists every signed transaction with its quote and fill', async () => {
    const { intents } = JSON.parse((await net.run('journal', '--json')).stdout)
    const hashes = intents.flatMap(({ txs }: { txs: { hash: string }[] }) =>
      txs.map(({ hash }) => hash),
    )
    for (const { hash } of executed) assert.ok(hashes.includes(hash))
    assert.ok(!JSON.stringify(intents).includes('"bytes":'))
    const csv = (await net.run('journal', '--csv')).stdout
    assert.match(csv, /^time,id,network[^\n]*\r\n[\s\S]*\r\n$/)
    const { status, stdout } = await net.run('tx', 'resume', '-o', 'human', '--width', '40')
    assert.equal(status, 0)
    assert.match(stdout, /^No open transactions: the outcome of\n/)
  })
})

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { demo } from '../../../../src/chain/networks/demo.js'
import { changed, type Ended, network, problem } from '../execute/stage.js'
import { orderCalls, rate, USDC } from './calls.js'

const net = await network()
const { executed } = net

const { order, signed, best } = orderCalls(net)
const place = ['sell', '100', 'rune', 'usdc'] as const
const far = ['--max-cross', '100%'] as const
const small = ['--limits-per-tx-usd', '1'] as const

/** Nothing is signed while the work is done. */
async function signsNothing(work: () => Promise<void>): Promise<void> {
  const before = executed.length
  await work()
  assert.equal(executed.length, before)
}

/** A transaction in a file, made by `--generate-only`. */
async function generated(...args: readonly string[]): Promise<string> {
  const made = await order(...args, '--generate-only', '--deadline', '200')
  assert.equal(made.status, 0, made.stdout + made.stderr)
  return file(made.stdout)
}

const file = (text: string): string => {
  const path = join(net.home, 'tx.json')
  writeFileSync(path, text)
  return path
}

const sign = (path: string, ...flags: readonly string[]): Promise<Ended> =>
  net.run('tx', 'sign', path, '--from', 'demo', '--yes', '--json', ...flags)

describe('the limits of unattended signing', () => {
  test('hold an order that is replaced, whose coins come from the cancelled one', async () => {
    const { ask, bid } = await best()
    await signed(...place, '--price', rate(ask * 1.02))
    const replace = ['replace', `rune/usdc/sell/${Number(rate(ask * 1.02))}`] as const
    const moved = [...replace, '--price', rate(bid * 0.98)] as const
    await signsNothing(async () => {
      const { worth_usd: worth } = JSON.parse((await order(...moved, '--dry-run')).stdout)
      assert.ok(Number(worth) > 40, worth)
      const refused = problem(await order(...moved, '--yes', ...small))
      assert.deepEqual([refused.code, refused['rule']], ['LIMIT_EXCEEDED', 'per_tx_usd'])
      const path = await generated(...moved)
      assert.equal(problem(await sign(path, ...small)).code, 'LIMIT_EXCEEDED')
      assert.equal((await sign(path, '--limits-per-tx-usd', '500')).status, 0)
    })
    await signed(...replace, '--price', rate(ask * 1.05), '--limits-per-tx-usd', '500')
  })

  test('refuse no cancel and no claim, which sell nothing', async () => {
    await signed(...place, '--price', '5', ...far)
    await signsNothing(async () => {
      const more = [...place, '--price', '6', ...far, '--yes', '--limits-per-day-usd', '1'] as const
      assert.equal(problem(await order(...more))['rule'], 'per_day_usd')
    })
    const { received } = await signed(
      'cancel',
      'rune/usdc/sell/5',
      ...small,
      '--limits-per-day-usd',
      '1',
    )
    assert.equal(received.length, 1)
  })

  test('count the fee that the transaction of a file pays, which may be above that of one built now', async () => {
    const mine = {
      chain_id: 'demo-1',
      prefix: 'demo',
      rpc: [net.env['SWAP_RPC']],
      usd: USDC,
      router: { address: demo.router?.address, dialect: 'forward' },
      code_ids: [1, 2],
      gas_price: '0.5',
    }
    net.file('.swaprc', { networks: { mine } })
    const flags = ['--from', 'demo', '-n', 'mine'] as const
    const made = await net.run('execute', '1', 'rune', 'usdc', ...flags, '--generate-only')
    const { gas_limit } = JSON.parse(made.stdout).auth_info.fee
    const gas = BigInt(gas_limit) * 7n
    const fee = { amount: [{ denom: 'rune', amount: `${gas / 2n}` }], gas_limit: `${gas}` }
    const path = net.file('tx.json', changed(made.stdout, 'auth_info.fee', fee))
    const guards = ['-n', 'mine', '--slippage', '5%', '--limits-per-day-usd', '1000'] as const
    const least = await sign(path, ...guards, '--limits-per-tx-usd', '0.53')
    assert.equal(problem(least)['rule'], 'per_tx_usd', least.stdout)
    assert.equal((await sign(path, ...guards, '--limits-per-tx-usd', '0.6')).status, 0)
    // A network with real money needs both limits.
    assert.equal(problem(await sign(path, ...guards))['rule'], 'per_tx_usd')
    const perTx = ['-n', 'mine', '--slippage', '5%', '--limits-per-tx-usd', '1000'] as const
    assert.equal(problem(await sign(path, ...perTx))['rule'], 'per_day_usd')
  })
})

describe('an order from a file that is signed with --yes', () => {
  test('crosses the best price of the other side by at most --max-cross', async () => {
    const { bid } = await best()
    const across = [...place, '--price', rate(bid * 0.9)] as const
    const path = await generated(...across, ...far)
    await signsNothing(async () => {
      for (const refused of [await order(...across, '--yes'), await sign(path)])
        assert.deepEqual(
          [problem(refused).code, problem(refused)['reason']],
          ['ORDER_REFUSED', 'beyond_max_cross'],
        )
    })
    const sealed = await sign(path, '--max-cross', '15%')
    assert.equal(sealed.status, 0, sealed.stdout)
  })

  test('is refused after its timeout height, when no block can include it', async () => {
    const tx = JSON.parse(readFileSync(await generated(...place, '--price', '5', ...far), 'utf8'))
    tx.body.timeout_height = '1'
    assert.equal(problem(await sign(file(JSON.stringify(tx)))).code, 'QUOTE_EXPIRED')
  })

  test('has one message a pair, since the second one is not previewed behind the first', async () => {
    const tx = JSON.parse(readFileSync(await generated(...place, '--price', '5', ...far), 'utf8'))
    tx.body.messages.push(tx.body.messages[0])
    const refused = problem(await sign(file(JSON.stringify(tx))))
    assert.equal(refused.code, 'CONFIRMATION_REQUIRED')
    assert.match(JSON.stringify(refused), /two messages of the transaction are to one pair/)
  })
})

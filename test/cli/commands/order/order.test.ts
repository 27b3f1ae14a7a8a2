import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { beforeAll, describe, test } from 'vitest'
import { commands } from '../../../../src/cli/commands/index.js'
import { renderOrder, renderOrders } from '../../../../src/cli/commands/order/render.js'
import { documentSchemas } from '../../../../src/cli/commands/schema/run.js'
import { agentsOf } from '../../../../src/demo-chain/genesis/known-accounts.js'
import { formatUnits } from '../../../../src/engine/math/units.js'
import type { OrderDocument } from '../../../../src/operations/orders/order-documents.js'
import type { OrdersAnswer } from '../../../../src/operations/orders/order-operations.js'
import { styleOf } from '../../../../src/render/style.js'
import { openNode } from '../../../chain/rpc/stage.js'
import { chainOf, grow, growQuietly, threePairs } from '../../../support/chain.js'
import { runSwap } from '../../../support/cli.js'
import { closingLast } from '../../../support/closing.js'
import { temporaryFolder } from '../../../support/folder.js'

const SEED = 9
const chain = chainOf({ seed: SEED }, threePairs)
grow(chain, 30)
const node = closingLast(await openNode(chain))
const network = ['--rpc', node.rpc, '--rest', node.rest]
let owner = ''
let listed: OrdersAnswer

const order = (...args: readonly string[]) => runSwap(['order', ...args, ...network])

const printed = async <T>(...args: readonly string[]): Promise<T> => {
  const { status, stdout, stderr } = await order(...args, '--json')
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout) as T
}

const errorsOf = async (name: string, document: unknown) =>
  Value.Errors((await documentSchemas(commands)).get(name)!['answer']!, document).slice(0, 3)

beforeAll(async () => {
  for (const { address } of agentsOf('demo', SEED).orders) {
    const answer = await printed<OrdersAnswer>('list', '--from', address)
    if (owner !== '' && answer.orders.length <= listed.orders.length) continue
    ;[owner, listed] = [address, answer]
  }
  assert.ok(listed.orders.length > 1)
})

describe('swap order list', () => {
  test('prints the orders of an account as its schema describes them', async () => {
    assert.deepEqual(await errorsOf('order-list', listed), [])
    assert.equal(listed.owner, owner)
  })
  test('prints the ids with -q, the columns of CSV in a pipe, and one pair alone', async () => {
    const ids = listed.orders.map(({ id }) => id).join('\n')
    assert.equal((await order('list', '--from', owner, '-q')).stdout, `${ids}\n`)
    const rows = (await order('list', '--from', owner)).stdout.trimEnd().split('\n')
    const csv = (await order('list', '--from', owner, '--csv')).stdout.trimEnd().split('\r\n')
    assert.equal(csv[0]!.split(',').length, rows[0]!.split('\t').length)
    assert.equal(rows.length, listed.orders.length)
    const [{ pair }] = listed.orders as [OrderDocument]
    const one = await printed<OrdersAnswer>('list', pair, '--from', owner)
    assert.deepEqual(
      one.orders.map(({ id }) => id),
      listed.orders.filter((each) => each.pair === pair).map(({ id }) => id),
    )
  })
  test('has in CSV every amount in atomics and in units, and the price', async () => {
    const { stdout } = await order('list', '--from', owner, '--csv')
    const [head = [], ...rows] = stdout
      .split('\r\n', listed.orders.length + 1)
      .map((row) => row.split(','))
    for (const [i, { rate, ...resting }] of listed.orders.entries()) {
      const record = Object.fromEntries(head.map((name, at) => [name, rows[i]?.[at]]))
      assert.equal(record['price'], rate)
      for (const member of ['offered', 'remaining', 'filled', 'claimable'] as const) {
        assert.equal(record[member], resting[member])
        assert.equal(record[`${member}_human`], formatUnits(BigInt(resting[member]), 8))
      }
    }
  })
  test('names the flag if the pair is the name of an account', async () => {
    const config = join(temporaryFolder(), 'swaprc')
    writeFileSync(config, `book:\n  maker: ${owner}\n`)
    for (const [name, flags] of [
      ['demo', []],
      ['demo', ['--watch']],
      ['maker', ['--config', config]],
    ] as const) {
      const { status, stderr } = await order('list', name, ...flags)
      assert.equal(status, 2)
      assert.match(
        stderr,
        new RegExp(`"?${name}"? is not a pair[^]*swap order list --from ${name}`),
      )
    }
  })
  test('says that an account has no orders, and how to place one', async () => {
    const answer = await printed<OrdersAnswer>('list', '--from', 'demo')
    assert.deepEqual([answer.orders, answer.resting, answer.claimable], [[], [], []])
    const terminal = styleOf({ width: 80, color: false, ascii: false, tty: true })
    const text = renderOrders(answer, { tokens: new Map(), aliases: new Map() }, terminal)
    assert.match(text, /^ {2}No order of this account rests/m)
    assert.match(text, /^ {2}Next +swap help order buy$/m)
  })
})

describe('swap order show', () => {
  test('prints the order of an id, also with the pair by its tokens', async () => {
    const first = listed.orders[0]!
    const document = await printed<OrderDocument>('show', first.id, '--from', owner)
    assert.deepEqual(await errorsOf('order-show', document), [])
    assert.deepEqual([document.id, document.remaining], [first.id, first.remaining])
    const [name] = (await order('list', '--from', owner, '--csv')).stdout
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',')[1])
    const named = `${name}${first.id.slice(first.pair.length)}`
    assert.deepEqual(await printed('show', named, '--from', owner), document)
    assert.equal((await order('show', named, '--from', owner, '-q')).stdout, `${first.status}\n`)
    assert.deepEqual(await printed('show', named.toUpperCase(), '--from', owner), document)
    const turned = await order('show', named.replace(/^(.+?)\/(.+?)\//, '$2/$1/'), '--from', owner)
    assert.equal(turned.status, 2)
    assert.match(turned.stderr, new RegExp(`^error: the pair is "${name}"\n`, 'm'))
  })
  test('calls fills that were claimed before no part of those that it shows', async () => {
    const { id } = listed.orders.find(({ filled }) => filled === '0')!
    const { stdout } = await order('show', id, '--from', owner, '-o', 'human')
    assert.match(stdout, /^ {2}Filled +nothing to claim$/m)
    const document = await printed<Parameters<typeof renderOrder>[0]>('show', id, '--from', owner)
    const filled = { ...document, filled: '200', claimable: '199' }
    const terminal = styleOf({ width: 80, color: false, ascii: false, tty: true })
    const text = renderOrder(filled, { tokens: new Map(), aliases: new Map() }, terminal)
    assert.match(text, /^ {2}Filled +200 \S+ not claimed yet; a claim pays 199 \S+$/m)
  })
  test('refuses a malformed order id, and an order that the account does not have', async () => {
    const wrong = await order('show', 'btc/usdc', '--from', owner)
    assert.equal(wrong.status, 2)
    assert.match(wrong.stderr, /"btc\/usdc" is not the id of an order/)
    const none = await order('show', 'btc/usdc/buy/1', '--from', owner)
    assert.match(none.stderr, /the account has no order "btc\/usdc\/buy\/1"/)
    assert.match(none.stderr, new RegExp(`swap order list --from\\s+${owner}`))
  })
})

describe('swap order buy --price', () => {
  const buy = (price: string) =>
    order('buy', '1', 'rune', 'usdc', `--price=${price}`, '--from', 'demo')
  test('refuses a price that is not a decimal above zero with that reason', async () => {
    for (const price of ['0', 'abc', '1e-1', '-1', ',', '78,000', `0.${'0'.repeat(19)}`]) {
      const { status, stderr } = await buy(price)
      assert.equal(status, 2, price)
      assert.match(stderr, /it is a decimal above zero: USDC per RUNE/, price)
    }
  })
  test('names the greatest price where one is above it', async () => {
    for (const price of ['340282366920938463464', '9'.repeat(40), `${'9'.repeat(40)}.5`])
      assert.match(
        (await buy(price)).stderr,
        /the greatest price is 340282000000000000000\n *do +write e\.g\. --price 340282000000000000000\n/,
        price,
      )
  })
  test('refuses a decimal with more digits than the chain keeps with that reason', async () => {
    const { stderr } = await buy(`0.${'1'.repeat(19)}`)
    assert.match(stderr, /it has more digits than the chain keeps/)
  })
})

test('the errors of new orders have prices in the units in which they are typed', async () => {
  const text = JSON.stringify(threePairs).replaceAll('"btc-btc"', '"x/six"')
  const market: typeof threePairs = JSON.parse(text)
  const six = market.tokens.find(({ denom }) => denom === 'x/six')!
  const tokens = [...market.tokens.filter((token) => token !== six)]
  const other = chainOf({ seed: SEED }, { ...market, tokens: [...tokens, { ...six, decimals: 6 }] })
  growQuietly(other, 1)
  const { rpc, rest } = closingLast(await openNode(other))
  const args = ['--from', 'demo', '--dry-run', '--rpc', rpc, '--rest', rest]
  for (const [call, why] of [
    ['sell 1 btc usdc --price 999.12349', 'is 999.124'],
    ['sell 1 btc usdc --price 1', 'sell 1 is more than 5 % across'],
    ['sell 1 btc usdc --price 999.123 --ioc', 'sell 999.123 takes nothing'],
    [
      'ladder sell 1 btc usdc --steps 3 --from-price 999.123 --to-price 999.124',
      'are both at 999.124',
    ],
  ] as const) {
    const { stderr } = await runSwap(['order', ...call.split(' '), ...args])
    assert.ok(stderr.replaceAll(/\s+/g, ' ').includes(why), stderr)
  }
})

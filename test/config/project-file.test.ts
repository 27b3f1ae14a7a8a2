import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { homeWith } from './homes.js'

describe('a project file may set', () => {
  test('output, network, display, limits of a quote and aliases', async () => {
    const project = `
network: demo
output: json
color: never
width: 60
ascii: yes
max_hops: 2
limit: 3
alias: { usd: usdc }
`
    const { values, ignored, aliases } = await homeWith({ project }).load()
    assert.deepEqual(
      [values.output, values.color, values.width, values.ascii, values.maxHops, values.limit],
      ['json', 'never', 60, true, 2, 3],
    )
    assert.equal(aliases.get('usd'), 'usdc')
    assert.deepEqual(ignored, [])
  })

  test('a lower slippage, never a higher one', async () => {
    assert.equal((await homeWith({ project: 'slippage: 0.3%' }).load()).values.slippage, 30)
    const up = await homeWith({ project: 'slippage: 3%' }).load()
    assert.equal(up.values.slippage, 50)
    assert.deepEqual(
      up.ignored.map(({ key, value, line }) => [key, value, line]),
      [['slippage', '3%', 1]],
    )
    assert.match(
      up.notes[0] ?? '',
      /\.swaprc:1 sets slippage, which only your own configuration may set to that; ignored/,
    )
  })

  test('a slippage that is lower than the user’s own value', async () => {
    const user = 'slippage: 0.1%'
    assert.equal((await homeWith({ user, project: 'slippage: 0.3%' }).load()).values.slippage, 10)
    const wide = await homeWith({ user: 'slippage: 5%', project: 'slippage: 3%' }).load()
    assert.equal(wide.values.slippage, 300)
  })

  test('a slippage that a variable may raise again', async () => {
    const env = { SWAP_SLIPPAGE: '2%' }
    assert.equal((await homeWith({ project: 'slippage: 0.3%' }).load({ env })).values.slippage, 200)
  })

  test('an age below the least default, where the user sets none', async () => {
    assert.equal((await homeWith({ project: 'max_age: 5s' }).load()).values.maxAge, 5_000)
    assert.equal((await homeWith({ project: 'max_age: 11s' }).load()).values.maxAge, undefined)
  })

  const refused = {
    rpc: 'https://a.example',
    rest: 'https://a.example',
    'router.address': 'demo1x',
    'router.dialect': 'stack',
    database: '/tmp/x.db',
    'history.from_height': '1',
    auto_slippage_quantile: '99.99%',
    affiliate: 'evil',
    from: 'main',
    confirm_above: '101',
    'limits.per_tx_usd': '1',
    'limits.per_day_usd': '1',
    'networks.mine': { chain_id: 'demo-1' },
  }
  for (const [key, value] of Object.entries(refused))
    test(`no ${key}, which is ignored with a note`, async () => {
      const project = key.split('.').reduceRight<unknown>((at, name) => ({ [name]: at }), value)
      const { values, ignored, notes } = await homeWith({ project: JSON.stringify(project) }).load()
      assert.deepEqual(values, (await homeWith({}).load()).values)
      assert.equal(ignored.length, 1)
      assert.ok(notes[0]?.includes(` sets ${key}`), notes[0])
    })

  test('a snapshot inside the project only', async () => {
    const inside = homeWith({ project: 'snapshot: data/market.json' })
    assert.equal((await inside.load()).values.snapshot, join(inside.cwd, 'data/market.json'))
    for (const path of ['/etc/passwd', '../market.json', 'a/../../b', '-', '.'])
      assert.equal(
        (await homeWith({ project: `snapshot: "${path}"` }).load()).values.snapshot,
        undefined,
        path,
      )
  })

  test('no entry of the address book, which could redirect payments', async () => {
    const [own, other] = ['a', 'b'].map((letter) => `thor1${letter.repeat(38)}`)
    const user = `book: { bob: ${own} }`
    const project = `book: { bob: ${other}, carol: ${other} }`
    const { book, ignored } = await homeWith({ user, project }).load()
    assert.deepEqual([...book], [['bob', own]])
    assert.deepEqual(
      ignored.map(({ key }) => key),
      ['book.bob', 'book.carol'],
    )
  })

  test('no other token for a built-in alias', async () => {
    const { aliases, notes } = await homeWith({ project: 'alias: { usdc: base-usdc-0x1 }' }).load()
    assert.match(aliases.get('usdc') ?? '', /^eth-usdc-/)
    assert.match(notes[0] ?? '', /sets alias\.usdc/)
  })
})

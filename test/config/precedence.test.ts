import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, test } from 'vitest'
import { configuredValue } from '../../src/config/configured.js'
import { configFiles } from '../../src/config/load.js'
import { keyOf } from '../../src/config/naming.js'
import { settingNames } from '../../src/config/schema.js'
import { homeWith } from './homes.js'

describe('the built-in configuration', () => {
  test('holds without files, variables and flags', async () => {
    const { values, notes, ignored } = await homeWith().load()
    assert.deepEqual(values, {
      network: 'demo',
      rpc: undefined,
      rest: undefined,
      routerAddress: undefined,
      routerDialect: undefined,
      timeout: 20_000,
      maxAge: undefined,
      output: 'human',
      slippage: 50,
      autoSlippageBlocks: 300,
      autoSlippageQuantile: 9_900,
      maxHops: 4,
      limit: 5,
      color: 'auto',
      width: undefined,
      ascii: undefined,
      snapshot: undefined,
      database: undefined,
      historyFromHeight: undefined,
      affiliate: undefined,
      from: undefined,
      confirmAbove: 100_000_000n,
      limitsPerTxUsd: undefined,
      limitsPerDayUsd: undefined,
    })
    assert.deepEqual([notes, ignored], [[], []])
  })

  test('holds without a home folder', async () => {
    for (const home of [undefined, ''])
      assert.equal((await homeWith().load({ home })).values.slippage, 50)
  })

  for (const text of ['', '# nothing\n', '---\n', 'null\n', '{}\n', 'slippage:\nalias:\n'])
    test(`is not changed by a file with the content ${JSON.stringify(text)}`, async () =>
      assert.equal((await homeWith({ user: text, project: text }).load()).values.slippage, 50))
})

describe('the precedence of settings', () => {
  const user = 'limit: 6\n'
  const project = '# ours\nlimit: 7\n'
  const env = { SWAP_LIMIT: '8' }

  test('is flag, variable, project, user, default', async () => {
    const both = homeWith({ user, project })
    assert.equal((await both.load({ env, flags: { limit: '9' } })).values.limit, 9)
    assert.equal((await both.load({ env })).values.limit, 8)
    assert.equal((await both.load()).values.limit, 7)
    assert.equal((await homeWith({ user }).load()).values.limit, 6)
  })

  test('is shown by a row with the source of the value and the value it overrode', async () => {
    const { home, cwd, load } = homeWith({ user, project })
    const { rows } = await load({ env })
    const nowhere = { file: null, line: null, env: null }
    assert.deepEqual(
      rows.find(({ key }) => key === 'limit'),
      {
        ...nowhere,
        key: 'limit',
        value: '8',
        origin: 'env',
        env: 'SWAP_LIMIT',
        overrides: [
          { ...nowhere, value: '7', origin: 'project', file: join(cwd, '.swaprc'), line: 2 },
          { ...nowhere, value: '6', origin: 'user', file: join(home, '.swaprc'), line: 1 },
          { ...nowhere, value: '5', origin: 'default' },
        ],
      },
    )
  })

  test('has a row for every key, in the order of the table', async () => {
    const { rows } = await homeWith().load()
    assert.deepEqual(
      rows.map(({ key }) => key).filter((key) => !key.startsWith('alias.')),
      settingNames.map(keyOf),
    )
    assert.equal(rows.find(({ key }) => key === 'width')?.value, null)
  })

  test('ignores an empty variable', async () =>
    assert.equal((await homeWith().load({ env: { SWAP_LIMIT: '' } })).values.limit, 5))

  test('lets --config and SWAP_CONFIG replace both files', async () => {
    const { load } = homeWith({ user, project, other: 'max_hops: 2\naffiliate: acme\n' })
    for (const more of [{ configFile: 'other.yaml' }, { env: { SWAP_CONFIG: 'other.yaml' } }]) {
      const { values } = await load(more)
      assert.deepEqual([values.limit, values.maxHops, values.affiliate], [5, 2, 'acme'])
    }
  })

  test('trusts no file of a home folder whose path is relative', async () => {
    const { home, cwd } = homeWith()
    const files = configFiles({ env: {}, cwd, home: relative('.', home), flags: {} })
    assert.deepEqual(
      files.map(({ origin }) => origin),
      ['project'],
    )
  })

  test('keeps the values that a flag overrides, for what applies the tightest one', async () => {
    const config = await homeWith({ user: 'slippage: 0.2%' }).load({ flags: { slippage: '1%' } })
    assert.equal(configuredValue(config, 'slippage', ['user', 'env']), 20)
    assert.equal(configuredValue(config, 'slippage', ['flag']), 100)
    assert.equal(configuredValue(config, 'slippage', ['project']), undefined)
  })

  test('takes a file in the home folder as the user’s, also through a link', async () => {
    const { home, cwd, load } = homeWith({ user: 'affiliate: acme\n' })
    symlinkSync(home, join(cwd, 'link'))
    for (const folder of [home, join(cwd, 'link')]) {
      const { values, notes } = await load({ cwd: folder })
      assert.deepEqual([values.affiliate, notes], ['acme', []])
    }
  })
})

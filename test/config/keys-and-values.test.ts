import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { homeWith, refusal } from './homes.js'

describe('the aliases of a configuration', () => {
  test('have lower-case names, and an empty one removes a built-in one', async () => {
    const { aliases } = await homeWith({ user: 'alias:\n  USD: eth-usdc\n  btc:\n' }).load()
    assert.equal(aliases.get('usd'), 'eth-usdc')
    assert.equal(aliases.get('btc'), '')
    assert.equal(aliases.get('eth'), 'eth-eth')
  })

  test('may be written as keys with a dot', async () =>
    assert.equal((await homeWith({ user: 'alias.usd: usdc' }).load()).aliases.get('usd'), 'usdc'))

  test('have rows with file and line', async () => {
    const { rows } = await homeWith({ user: '\nalias:\n  usd: usdc\n' }).load()
    const row = rows.find(({ key }) => key === 'alias.usd')
    assert.deepEqual([row?.value, row?.origin, row?.line], ['usdc', 'user', 3])
  })

  const refused: readonly (readonly [sentence: string, text: string, pattern: RegExp])[] = [
    ['a list is no group of names', 'alias: [a]', /line 1: alias takes a group/],
    ['one word is no group of names', 'alias: usdc', /line 1: alias takes a group/],
    ['a list is no token', 'alias:\n  a: [b]', /line 2: the alias a is defined for one token/],
    ['two words are no token', 'alias:\n  a: b c', /line 2: the alias a is defined for one token/],
    ['a number is no name', 'alias: { 1.5: usdc }', /"1\.5" cannot be the name/],
    [
      'other letters are no name',
      'book: { 張三: x }',
      /cannot be the name of an entry: letters from a to z, digits/,
    ],
    ['__proto__ is no name', 'alias: { __proto__: usdc }', /"__proto__" cannot be the name/],
  ]
  for (const [sentence, text, pattern] of refused)
    test(`are refused: ${sentence}: ${JSON.stringify(text)}`, async () =>
      assert.match((await refusal(homeWith({ user: text }).load())).fullMessage, pattern))

  test('may have the name of a member of every object', async () => {
    const { aliases } = await homeWith({ user: 'alias: { constructor: rune }' }).load()
    assert.equal(aliases.get('constructor'), 'rune')
    assert.equal(aliases.get('toString'), undefined)
  })
})

describe('an unknown key or variable', () => {
  const rows: readonly (readonly [text: string, note: RegExp])[] = [
    ['slipage: 1%', /~\/\.swaprc:1: no setting is called "slipage"; did you mean slippage\?/],
    [
      'a: 1\nmax-hops: 2',
      /~\/\.swaprc:2: no setting is called "max-hops"; did you mean max_hops\?/,
    ],
    [
      'router: { adress: x }',
      /no setting is called "router\.adress"; did you mean router\.address\?/,
    ],
    ['networkz: {}', /did you mean network, networks\?/],
    ['__proto__: { slippage: 5% }', /no setting is called "__proto__"$/],
    ['constructor: 1', /no setting is called "constructor"$/],
    ['<<: { slippage: 5% }', /no setting is called "<<"$/],
  ]
  for (const [text, note] of rows)
    test(`is noted and changes nothing: ${JSON.stringify(text)}`, async () => {
      const { values, notes } = await homeWith({ user: text }).load()
      assert.match(notes.at(-1) ?? '', note)
      assert.equal(values.slippage, 50)
    })

  test('is noted if it is nearly a known variable', async () => {
    const env = { SWAP_SLIPAGE: '1%', SWAP_HOME: '/x', SWAP_NO_INPUT: '1', OTHER: '1' }
    const { notes } = await homeWith().load({ env })
    assert.deepEqual(notes, ['SWAP_SLIPAGE is not read; did you mean SWAP_SLIPPAGE?'])
  })
})

/** Each list holds the one before it nine times: 9^8 words in nine lines. */
const aliasBomb = [
  'a: &a [x]',
  ...[...'bcdefgh'].map((name, i) => `${name}: &${name} [${`*${'abcdefg'[i]}, `.repeat(9)}]`),
  'networks: { n: *h }',
].join('\n')

describe('a configuration value', () => {
  const refused: readonly (readonly [sentence: string, text: string, pattern: RegExp])[] = [
    [
      'a slippage without a unit',
      '\nslippage: 0.5',
      /~\/\.swaprc:2: "0\.5".*unit.*slippage: 0\.5%/,
    ],
    ['a number out of range', 'max_hops: 7', /:1: "7".*from 1 to 6/],
    ['a number with a fraction', 'limit: 2.5', /:1: "2\.5"/],
    ['a number in another base', 'limit: 0x5', /:1: "0x5"/],
    ['a word that is not on the list', 'output: jsno', /did you mean json\?/],
    ['on is not yes', 'ascii: on', /1, true, yes, 0, false, no/],
    ['TRUE is not true', 'ascii: TRUE', /1, true, yes, 0, false, no/],
    ['a list', 'slippage: [1%]', /line 1: slippage takes one value/],
    ['a group', 'slippage: { a: 1% }', /line 1: slippage takes one value/],
    [
      'one word for a group',
      'limits: 100',
      /line 1: limits takes a group.*: per_tx_usd, per_day_usd/,
    ],
    ['a list for a group', 'router: [a]', /line 1: router takes a group.*: address, dialect/],
    ['a reference', 'limit: &a 3\nmax_hops: *a', /line 2: max_hops takes one value/],
    ['a tag', 'limit: !!js/function 3', /line 1: Unresolved tag/],
    ['a key twice', 'limit: 3\nlimit: 4', /line 2: Map keys must be unique/],
    [
      'a key twice at any depth',
      'networks:\n  a: { b: { c: 1, c: 2 } }',
      /line 2: Map keys must be/,
    ],
    ['aliases of aliases', aliasBomb, /line 9: its YAML aliases are too many/],
    ['two documents', 'limit: 3\n---\nlimit: 4', /line 2: .*multiple documents/],
    ['a list at the top', '- limit', /line 1: it is not a list of "key: value"/],
    ['text at the top', 'hello', /line 1: it is not a list of "key: value"/],
    ['a key that is a list', '? [a]\n: 1', /line 1: a key is one word/],
    ['something that is not YAML', 'limit: 3\noutput: [', /line [23]: /],
    ['tabs', '\tlimit: 3', /line 1: Tabs/],
  ]
  for (const [sentence, text, pattern] of refused)
    test(`is refused: ${sentence}: ${JSON.stringify(text)}`, async () => {
      const error = await refusal(homeWith({ user: text }).load())
      assert.equal(error.code, 'INVALID_REQUEST')
      assert.match(error.fullMessage, pattern)
      assert.match(error.message, /^~\/\.swaprc:\d/)
    })

  for (const text of ['1', 'true', 'yes', '0', 'false', 'no', '"yes"'])
    test(`may be ${text} for a switch`, async () =>
      assert.equal(
        typeof (await homeWith({ user: `ascii: ${text}` }).load()).values.ascii,
        'boolean',
      ))

  const dollars = [
    ['99.5', 99_500_000n],
    ['$250', 250_000_000n],
    ['0.000001', 1n],
  ] as const
  for (const [text, micro] of dollars)
    test(`is ${micro} millionths of a dollar for ${text}`, async () => {
      const { values } = await homeWith({ user: `limits: { per_day_usd: ${text} }` }).load()
      assert.equal(values.limitsPerDayUsd, micro)
    })

  test('may be digits without being read as a number', async () =>
    assert.equal((await homeWith({ user: 'affiliate: 007' }).load()).values.affiliate, '007'))

  test('is refused with a space or a control character where it is a name', async () => {
    for (const text of ['two words', 'tab\t', '']) {
      const error = await refusal(homeWith().load({ flags: { affiliate: text } }))
      assert.match(error.fullMessage, /it is one word/)
    }
  })

  test('of a variable is refused with the name of the variable', async () => {
    const error = await refusal(homeWith().load({ env: { SWAP_SLIPPAGE: '5' } }))
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(error.fullMessage, /SWAP_SLIPPAGE=5% or SWAP_SLIPPAGE=5bps/)
  })

  test('of a flag is refused with its own code', async () => {
    const error = await refusal(homeWith().load({ flags: { slippage: '5' } }))
    assert.equal(error.code, 'INVALID_SLIPPAGE')
    assert.deepEqual(error.members, { min: 0, max: 9999, pointer: '/slippage_bps' })
    assert.match(error.fullMessage, /--slippage 5%/)
  })

  test('is refused even where another source overrides it', async () =>
    assert.match(
      (await refusal(homeWith({ user: 'limit: x' }).load({ flags: { limit: '3' } }))).message,
      /~\/\.swaprc:1/,
    ))
})

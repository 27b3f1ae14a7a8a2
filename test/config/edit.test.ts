import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { isScalar, parse, parseDocument } from 'yaml'
import { type KeyPath, textWith, textWithout } from '../../src/config/edit.js'
import { runs } from '../support/books.js'

const file = `# mine

# where quotes come from
network: demo # for now
slippage: 0.5%

alias:
  usd: usdc # short
  # the old one
  e: eth
router.address: thor1old
rpc: [http://a, http://b]
`

const replaced = (from: string, to: string) => {
  assert.ok(file.includes(from))
  return file.replace(from, to)
}

describe('setting a key changes its value and nothing else', () => {
  const rows: readonly (readonly [string, KeyPath, string | readonly string[], string])[] = [
    ['a value keeps its comment', ['network'], 'mainnet', replaced('demo #', 'mainnet #')],
    ['a member of a group', ['alias', 'usd'], 'usdt', replaced('usdc #', 'usdt #')],
    [
      'a new member comes last',
      ['alias', 'b'],
      'btc',
      replaced('  e: eth\n', '  e: eth\n  b: btc\n'),
    ],
    ['a new key comes last', ['limit'], '4', `${file}limit: 4\n`],
    [
      'a key with a dot keeps it',
      ['router', 'address'],
      'thor1new',
      replaced('thor1old', 'thor1new'),
    ],
    [
      'a list takes the place of a list',
      ['rpc'],
      ['http://c', 'http://d'],
      replaced('rpc: [http://a, http://b]', 'rpc:\n  - http://c\n  - http://d'),
    ],
  ]
  for (const [sentence, path, value, expected] of rows)
    test(`: ${sentence}`, async () => assert.equal(await textWith(file, path, value), expected))

  test('creates an empty or missing file', async () => {
    assert.equal(await textWith('', ['network'], 'mainnet'), 'network: mainnet\n')
    assert.equal(
      await textWith('# only a comment\n', ['limit'], '4'),
      '# only a comment\n\nlimit: 4\n',
    )
  })
  test('quotes a value that would be read differently', async () => {
    for (const text of ['# 5', '', 'null', '~', '- a', 'a: b', '"', '+0', '+4.50'])
      assert.deepEqual(parse(await textWith('', ['x'], text)), { x: text })
  })
  test('writes any text so that it is read back, and leaves the rest of the file unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40 }), async (value) => {
        const text = await textWith(file, ['network'], value)
        const [before, after] = [file, text].map((each) => parse(each) as Record<string, unknown>)
        assert.deepEqual({ ...after, network: null }, { ...before, network: null })
        const scalar = parseDocument(text).get('network', true)
        assert.ok(isScalar(scalar))
        assert.equal(scalar.source ?? String(scalar.value), value)
      }),
      runs(33),
    )
  })
})

describe('removing a key', () => {
  test('removes the comment above it', async () => {
    const after = await textWithout(file, ['network'])
    assert.match(after ?? '', /^# mine\n\n# where quotes come from\nslippage: 0\.5%\n/)
  })
  test('removes a group with its last member', async () => {
    const one = await textWithout(file, ['alias', 'usd'])
    const none = await textWithout(one ?? '', ['alias', 'e'])
    assert.ok(!('alias' in (parse(none ?? '') as object)))
    assert.match(none ?? '', /# the old one/)
  })
  test('leaves an empty file with its comments after the last key', async () => {
    assert.equal(await textWithout('network: demo\n', ['network']), '')
    assert.equal(await textWithout('# hi\nnetwork: demo\n', ['network']), '# hi\n')
  })
  test('does nothing for a key that is not set', async () => {
    assert.equal(await textWithout(file, ['limit']), undefined)
    assert.equal(await textWithout('', ['limit']), undefined)
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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

/** With the line ends of Windows. */
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

test('changing a file keeps its line ends', async () => {
  const windows = crlf(file)
  assert.equal(
    await textWith(windows, ['network'], 'mainnet'),
    crlf(replaced('demo #', 'mainnet #')),
  )
  assert.equal(
    await textWithout(windows, ['slippage']),
    crlf((await textWithout(file, ['slippage'])) ?? ''),
  )
  assert.equal(await textWithout(crlf('# mine\nlimit: 4\n'), ['limit']), crlf('# mine\n'))
  const noted = 'network: demo # for now\n  # and later\nlimit: 4\n'
  assert.equal(
    await textWith(crlf(noted), ['limit'], '5'),
    crlf(await textWith(noted, ['limit'], '5')),
  )
})

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

  test('adds the first member to an empty group', async () => {
    for (const empty of ['', ' ~'])
      assert.equal(
        await textWith(`# mine\nalias:${empty} # short\nlimit: 4\n`, ['alias', 'b'], 'btc'),
        '# mine\nalias:\n  b: btc\n  # short\nlimit: 4\n',
      )
    const example = readFileSync('.swaprc.example', 'utf8')
    const comments = (text: string) => text.match(/#.*/g)?.sort()
    for (const group of ['alias', 'book']) {
      const text = await textWith(example, [group, 'b'], 'x')
      assert.deepEqual(parse(text), { ...parse(example), [group]: { b: 'x' } })
      assert.deepEqual(comments(text), comments(example))
    }
  })
  test('keeps the comment where one value takes the place of a list, or a list that of one value', async () => {
    const [one, many] = ['rpc: http://a # mine\n', 'rpc: [http://a, http://b] # mine\n']
    assert.equal(await textWith(many, ['rpc'], 'http://a'), one)
    assert.equal(
      await textWith(one, ['rpc'], ['http://a', 'http://b']),
      'rpc:\n  - http://a\n  - http://b\n  # mine\n',
    )
  })
  test('changes a name whose letters the file has in another case', async () => {
    assert.equal(
      await textWith('alias: {USD: usdc}\n', ['alias', 'usd'], 'usdt'),
      'alias: {USD: usdt}\n',
    )
    assert.equal(await textWith('alias.USD: usdc\n', ['alias', 'usd'], 'usdt'), 'alias.USD: usdt\n')
    assert.equal(await textWithout('alias: {USD: usdc}\n', ['alias', 'usd']), '')
  })
  test('refuses to change a value that a YAML alias repeats', async () => {
    const shared = 'snapshot: &s file\nnetworks: {x: *s}\n'
    const refused = { code: 'INVALID_REQUEST', message: 'the value cannot be changed alone' }
    await assert.rejects(textWith(shared, ['snapshot'], 'other'), refused)
    await assert.rejects(textWithout(shared, ['snapshot']), refused)
  })
  test('creates an empty or missing file', async () => {
    assert.equal(await textWith('', ['network'], 'mainnet'), 'network: mainnet\n')
    assert.equal(
      await textWith('# only a comment\n', ['limit'], '4'),
      '# only a comment\n\nlimit: 4\n',
    )
    assert.match(await textWith('---\n# only a comment\n', ['limit'], '4'), /# only a comment\n/)
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
    const above = 'width: 80\n# of tokens\nalias: {usd: usdc}\nlimit: 4\n'
    assert.equal(await textWithout(above, ['alias', 'usd']), 'width: 80\n# of tokens\nlimit: 4\n')
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

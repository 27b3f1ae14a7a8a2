import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseSigner, requireFixedProgram } from '../../../src/wallet/external/run-signer.js'
import { decodeExternal, encodeExternal } from '../../../src/wallet/keyfile/key-document.js'
import { runs } from '../../support/books.js'

const words = (text: string): readonly string[] => {
  const { program, args } = parseSigner(`exec:${text}`, '/')
  return [program, ...args]
}

describe('the command of a signer', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['signer', ['signer']],
    ['  signer\t--account  0 ', ['signer', '--account', '0']],
    [`node '/a b/c.mjs' "x y"`, ['node', '/a b/c.mjs', 'x y']],
    ['s\u00a0x y\u3000z', ['s\u00a0x', 'y\u3000z']],
    [`s a'b c'd"e f"g`, ['s', 'ab cde fg']],
    [`s '' ""`, ['s', '', '']],
    ['s a\\ b \\" \\\\', ['s', 'a b', '"', '\\']],
    [`s "a\\"b\\\\c\\d"`, ['s', 'a"b\\c\\d']],
    [String.raw`'C:\Program Files\s.exe'`, [String.raw`C:\Program Files\s.exe`]],
    [
      's $HOME ~ *.json `x` $(y) ; | > & #',
      ['s', '$HOME', '~', '*.json', '`x`', '$(y)', ';', '|', '>', '&', '#'],
    ],
  ]
  for (const [text, expected] of cases)
    test(`is separated at blanks and never expanded: ${text}`, () =>
      assert.deepEqual(words(text), expected))

  test('has any words between single quotes', () => {
    const word = fc.string().filter((text) => !/['\p{Cc}]/u.test(text))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (all) => {
        const given = ['p', ...all]
        assert.deepEqual(words(given.map((each) => `'${each}'`).join(' ')), given)
      }),
      runs(100),
    )
  })

  for (const text of [
    'signer',
    'sh:signer',
    'exec:',
    'exec:  ',
    "exec:''",
    'exec:a\nb',
    "exec:a 'b\u001b[2J'",
    `exec:a 'b`,
    'exec:a "b',
    'exec:a\\',
  ])
    test(`is refused as ${JSON.stringify(text)}`, () =>
      assert.throws(() => parseSigner(text, '/'), { code: 'INVALID_REQUEST' }))

  test('that is stored has a name in PATH or an absolute path', () => {
    for (const program of ['signer', '/opt/signer', 'C:\\\\s.exe'])
      requireFixedProgram(parseSigner(`exec:'${program}'`, '/'))
    for (const program of ['./signer', 'bin/signer', '../s', '.\\s.exe'])
      assert.throws(() => requireFixedProgram(parseSigner(`exec:'${program}'`, '/')), {
        code: 'INVALID_REQUEST',
      })
  })
})

describe('the entry of an external key', () => {
  const entry = {
    format: 'swap.external/1',
    created_at: '2026-11-23T00:00:00.000Z',
    address: 'thor1cyglcvuqt5nzvlst6ehhgquhz0c7nzcsy00ms6',
    pubkey: null,
    prefix: 'thor',
    sign_mode: 'amino',
    signer: 'exec:signer',
  } as const

  test('is read as it was written, and another format is refused', () => {
    assert.deepEqual(decodeExternal(encodeExternal(entry)), entry)
    const keyed = { ...entry, pubkey: `02${'ab'.repeat(32)}` }
    assert.deepEqual(decodeExternal(encodeExternal(keyed)), keyed)
    assert.equal(decodeExternal(Buffer.from('{"format":"swap.key/1"}')), undefined)
    assert.equal(decodeExternal(Buffer.from('{')), undefined)
  })

  test('is refused with any member changed, missing or added', () => {
    const changes = [
      { pubkey: '' },
      { address: 'x' },
      { sign_mode: 'textual' },
      { signer: 'signer' },
      { signer: 7 },
      { prefix: 'T' },
      { created_at: 'today' },
      { more: 1 },
      { signer: undefined },
    ]
    for (const change of changes) {
      const bytes = Buffer.from(`${JSON.stringify({ ...entry, ...change }, null, 2)}\n`)
      assert.throws(() => decodeExternal(bytes), Error, JSON.stringify(change))
    }
    assert.throws(() => decodeExternal(Buffer.from(JSON.stringify(entry))))
  })
})

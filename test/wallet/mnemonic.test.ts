import assert from 'node:assert/strict'
import { Bip39, EnglishMnemonic } from '@cosmjs/crypto'
import { Mnemonic } from 'ethers'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { entropyOf, InvalidMnemonic, seedOf, wordsOf } from '../../src/wallet/mnemonic.js'
import { runs } from '../support/books.js'
import { TWELVE } from './keyring.js'

/** Of BIP-39's own vectors, whose passphrase is TREZOR: entropy, words, seed. */
const published = [
  [
    '00000000000000000000000000000000',
    TWELVE,
    'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
  ],
  [
    '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    '2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069be3a3a5bd381ee6260e8d9739fce1f607',
  ],
  [
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    `${'zoo '.repeat(23)}vote`,
    'dd48c104698c30cfe2b6142103248622fb7bb0ff692eebb00089b32d22484e1613912f0a5b694407be899ffd31ed3992c456cdf60f5d4564b8ba3f05a69890ad',
  ],
] as const

const entropies = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }))

describe('a mnemonic', () => {
  for (const [entropy, words, seed] of published)
    test(`"${words.slice(0, 20)}..." is that of the published vector`, async () => {
      const bytes = Buffer.from(entropy, 'hex')
      assert.equal(wordsOf(bytes).toString(), words)
      assert.equal(entropyOf(words).toString('hex'), entropy)
      assert.equal((await seedOf(bytes, 'TREZOR')).toString('hex'), seed)
    })

  test('has the words and the seed that cosmjs and ethers give it', async () => {
    await fc.assert(
      fc.asyncProperty(entropies, async (entropy) => {
        const words = wordsOf(entropy).toString()
        assert.equal(words, Bip39.encode(entropy).toString())
        const theirs = Mnemonic.fromPhrase(words)
        assert.equal(theirs.entropy, `0x${Buffer.from(entropy).toString('hex')}`)
        const seed = await seedOf(entropy)
        assert.equal(`0x${seed.toString('hex')}`, theirs.computeSeed())
        const cosmjs = await Bip39.mnemonicToSeed(new EnglishMnemonic(words))
        assert.deepEqual(seed, Buffer.from(cosmjs))
      }),
      runs(10),
    )
  })

  test('is read back from what was written', () => {
    fc.assert(
      fc.property(entropies, (entropy) => {
        assert.deepEqual(entropyOf(wordsOf(entropy).toString()), Buffer.from(entropy))
      }),
      runs(100),
    )
  })

  test('may be typed in capitals, over several lines and with surrounding spaces', () => {
    const typed = `\n  ${TWELVE.toUpperCase().replaceAll(' ', '\n\t ')}  \n`
    assert.equal(entropyOf(typed).toString('hex'), '0'.repeat(32))
  })

  const refused = [
    ['eleven words', TWELVE.slice(8), /12, 15, 18, 21 or 24 words, and this has 11/],
    ['a strange word', TWELVE.replace('about', 'swordfish'), /word 12 is not in the English list/],
    ['two words that changed places', TWELVE.replace('abandon about', 'about abandon'), /checksum/],
    ['nothing', '   ', /this has 1/],
  ] as const
  for (const [what, text, why] of refused)
    test(`is not ${what}, and the refusal repeats no word`, () => {
      assert.throws(
        () => entropyOf(text),
        (error) => {
          assert.ok(error instanceof InvalidMnemonic)
          assert.match(error.message, why)
          assert.doesNotMatch(error.message, /abandon|swordfish/)
          return true
        },
      )
    })
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { isCommon, weakness } from '../../../src/wallet/passwords/rules.js'
import { runs } from '../../support/books.js'

const common = [
  'password1234',
  'Password123!',
  'P@ssw0rd1234',
  'qwertyuiop123',
  '123456789012',
  'aaaaaaaaaaaa',
  'letmeinletmein',
  'ILoveYou2024!!',
  'correcthorsebatterystaple',
  '1q2w3e4r5t6y',
  'qazwsxedcrfv',
  'abcabcabcabc',
  'Summer2024!!!',
  'trustno1trustno1',
  'thorchain2024',
  'monkeydragon12',
  'poiuytrewqasd',
  'zxcvbnmasdfgh',
  'abc123abc123',
  'Contraseña123!',
  'motdepasse2023',
  'juventus12345',
  'Liverpool1892!',
  'michaeljordan23',
  'elizabeth2001!',
  'pinkfloyd1973',
  'blink182blink182',
  'ChangeMe2024!',
  'fluffybunny123',
  'correct horse battery staple',
  'dragon dragon monkey monkey love',
  'qwer asdf zxcv tyui ghjk',
  'passwordpassword',
  'iloveyouuuuuuuuu',
  '!!!!!!!!!!!!',
  'september2025!',
  '198419841984',
]
const good = [
  'tidal vexing mauve lantern',
  'kJ8#mP2$vL9q',
  'x7GpQ2mZbT4r',
  'unobtrusive giraffe',
  'violet castle thunder ocean guitar',
  'Dragon-monkey-winter-piano-tiger1',
  '839204718365029',
  'gh3-lantern-otter',
  'пароль из пяти слов',
  '風林火山不動如山知陰雷霆',
]

describe('a password', () => {
  for (const password of common)
    test(`${password} is guessed first`, () => assert.equal(isCommon(password), true))
  for (const password of good)
    test(`${password} can protect a key`, () => {
      assert.equal(weakness(Buffer.from(password)), undefined)
    })

  test('of common words alone is refused with what to add', () =>
    assert.match(weakness(Buffer.from('correct zebra violet 19')) ?? '', /add rarer or more words/))

  const lengths: readonly (readonly [string, string, RegExp | undefined])[] = [
    ['eleven characters', 'kJ8#mP2$vL9', /fewer than 12/],
    ['eleven characters of four bytes', '🦊🐙🦉🐝🦋🐢🦀🐬🦜🐘🦔', /fewer than 12/],
    ['twelve after NFKC and more before', 'ﬁnﬁnﬁ xqzv', undefined],
    ['twelve before NFKC and fewer after', 'e\u0301kJ8#mP2$vL', /fewer than 12/],
    ['a line break at the end', 'tidal vexing mauve\n', /line break/],
    ['a tab', 'tidal\tvexing mauve', /control character/],
    ['1024 bytes', 'kJ8#mP2$vL9q wR'.repeat(80).slice(0, 1024), undefined],
    ['1025 bytes', 'kJ8#mP2$vL9q wR'.repeat(80).slice(0, 1025), /longer than 1024 bytes/],
  ]
  for (const [what, password, why] of lengths)
    test(`of ${what} is ${why ? 'refused' : 'accepted'}`, () => {
      const found = weakness(Buffer.from(password))
      if (why) assert.match(found ?? '', why)
      else assert.equal(found, undefined)
    })

  test('of twelve random letters and digits is practically never refused as common', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
    const texts = fc.array(fc.constantFrom(...letters), { minLength: 12, maxLength: 12 })
    let refused = 0
    fc.assert(
      fc.property(fc.noShrink(texts), (text) => {
        if (isCommon(text.join(''))) refused += 1
      }),
      { ...runs(300), endOnFailure: true },
    )
    assert.ok(refused <= runs(300).numRuns / 50, `${refused} of them`)
  })
  test('is checked quickly, however long it is', () => {
    const before = process.cpuUsage()
    isCommon('password'.repeat(128))
    isCommon('1q2w3e'.repeat(170))
    assert.ok(process.cpuUsage(before).user < 2_000_000)
  })
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { jsonFault } from '../../../src/operations/body/json-fault.js'

describe('the fault of a text', () => {
  const rows: readonly (readonly [text: string, fault: string | undefined])[] = [
    ['', 'a value is expected at its end'],
    ['NaN', 'a value is expected at column 1'],
    ['[1,]', 'a value is expected at column 4'],
    ['[1 2]', '"," or "]" is expected at column 4'],
    ['[01]', '"," or "]" is expected at column 3'],
    ['{"a" 1}', '":" is expected at column 6'],
    ['{"a": 1,}', 'a name in double quotes is expected at column 9'],
    ['{"a": "1}', 'a quotation mark is expected at its end'],
    ['{"a": "\t"}', 'a character has to be escaped at column 8'],
    ['{"a": "\\x"}', 'a character has to be escaped at column 8'],
    ['{\n "a": 1\n "b": 2\n}', '"," or "}" is expected at line 3, column 2'],
    ['{} {}', 'the end is expected at column 4'],
    [' {"a": [1.5e3, true, null, "\\u00e9\\n"]} ', undefined],
  ]
  for (const [text, fault] of rows)
    test(`${JSON.stringify(text)}: ${fault ?? 'none'}`, () => assert.equal(jsonFault(text), fault))

  test('is found exactly where a parser refuses the text', () => {
    const altered = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '-', '0', 'e', ' ', '\n'),
      )
      .map(([text, at, put]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + put + text.slice(place + 1)
      })
    fc.assert(
      fc.property(altered, (text) => {
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        assert.equal(jsonFault(text) === undefined, isJson, text)
      }),
      { numRuns: 2_000 },
    )
  })
})

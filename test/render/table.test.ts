import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { plainStyle } from '../../src/render/style.js'
import { alignPoints, type Columns, foldedTable, table } from '../../src/render/table.js'
import { displayWidth } from '../../src/render/width.js'
import { terminal } from './documents.js'

type Row = readonly string[]

const columns: Columns<Row> = [
  ['NAME', ([name]) => name!, { shrink: 8 }],
  ['AMOUNT', ([, amount]) => amount!, { align: 'right' }],
  ['NOTE', ([, , note]) => note!, { drop: 1 }],
  ['MORE', ([, , , more]) => more!, { drop: 2 }],
]
const rows = [
  ['thor1gys8lu7cdxlpcmqu3wwajp', '1,234.5', 'first', 'x'],
  ['rune', '9', '', 'y'],
]
const lines = (width: number, style = terminal(width)) => table(rows, style, columns, 0)

describe('a table', () => {
  test('that fits is drawn without lines', () =>
    assert.deepEqual(lines(80), [
      'NAME                          AMOUNT  NOTE   MORE',
      'thor1gys8lu7cdxlpcmqu3wwajp  1,234.5  first  x',
      'rune                               9         y',
    ]))

  test('that is too wide shortens addresses first', () =>
    assert.deepEqual(lines(35), [
      'NAME            AMOUNT  NOTE   MORE',
      'thor1g…3wwajp  1,234.5  first  x',
      'rune                 9         y',
    ]))

  test('then drops columns by their priority', () =>
    assert.deepEqual(lines(24), [
      'NAME       AMOUNT  NOTE',
      'thor…ajp  1,234.5  first',
      'rune            9',
    ]))

  test('drops every column that is optional', () =>
    assert.deepEqual(lines(17), ['NAME       AMOUNT', 'thor…ajp  1,234.5', 'rune            9']))

  test('is stacked where it still does not fit, with an empty line between rows', () =>
    assert.deepEqual(lines(16), [
      'NAME    thor…ajp',
      'AMOUNT  1,234.5',
      'NOTE    first',
      'MORE    x',
      '',
      'NAME    rune',
      'AMOUNT  9',
      'MORE    y',
    ]))

  test('never shortens an address in a pipe', () =>
    assert.ok(
      lines(40, { ...plainStyle, width: 40 })[1]!.startsWith('thor1gys8lu7cdxlpcmqu3wwajp'),
    ))

  test('without rows is empty', () => assert.deepEqual(table([], terminal(80), columns, 0), []))

  test('does not count colour codes', () => {
    const style = terminal(80, { color: true })
    const painted = [[style.bad('a'), '1', 'n', 'm']]
    assert.equal(table(painted, style, columns, 0)[1], `${style.bad('a')}          1  n     m`)
  })
})

describe('a table with names of wide scripts and emoji', () => {
  const named = ['金', '🪙', '👩‍👩‍👧', '🇩🇪', '🫠', 'rune', 'กำ', '→'].map((name) => [name, '1.5'])

  test('keeps its columns aligned', () => {
    const shown: Columns<Row> = [
      ['TOKEN', ([name]) => name!],
      ['SIZE', ([, size]) => size!, { align: 'right' }],
    ]
    const drawn = table(named, terminal(40), shown, 0)
    assert.deepEqual(new Set(drawn.map(displayWidth)), new Set([11]))
    assert.equal(drawn[2], '🪙      1.5')
  })

  test('is shortened, narrowed and stacked by terminal columns', () => {
    const wide = [['factory/金金金金金金/🪙', '1,234.5', '🪙 金', '金']]
    const at = (width: number) => table(wide, terminal(width), columns, 0)
    assert.deepEqual(at(45), [
      'NAME                      AMOUNT  NOTE   MORE',
      'factory/金金金金金金/🪙  1,234.5  🪙 金  金',
    ])
    assert.deepEqual(at(36), [
      'NAME            AMOUNT  NOTE   MORE',
      'factory…金/🪙  1,234.5  🪙 金  金',
    ])
    assert.deepEqual(at(24), ['NAME       AMOUNT  NOTE', 'fact…/🪙  1,234.5  🪙 金'])
    assert.deepEqual(at(16), ['NAME    fact…/🪙', 'AMOUNT  1,234.5', 'NOTE    🪙 金', 'MORE    金'])
    for (const width of [45, 40, 36, 30, 24, 17, 16])
      for (const line of at(width)) assert.ok(displayWidth(line) <= width, `${width}: ${line}`)
  })
})

test('decimal points in a column are aligned', () => {
  const numbers = ['1,234.5', '9', '0.125']
  assert.deepEqual(alignPoints(numbers), ['1,234.5  ', '9    ', '0.125'])
  const shown: Columns<string> = [
    ['', (_, i) => `${i + 1}`],
    ['SIZE', (number) => number, { align: 'point' }],
    ['', () => 'btc'],
  ]
  assert.deepEqual(table(numbers, terminal(40), shown, 0), [
    '        SIZE',
    '1  1,234.5    btc',
    '2      9      btc',
    '3      0.125  btc',
  ])
})

test('percentages in front of words are aligned by their signs, beside texts without one', () => {
  const impacts = ['1.33 % ▅ notable', '\u001b[91m10.98 % █ severe\u001b[39m', 'no path takes it']
  const shown: Columns<string> = [
    ['IMPACT', (impact) => impact, { align: 'percent' }],
    ['', () => '|'],
  ]
  assert.deepEqual(table(impacts, terminal(40), shown, 0), [
    'IMPACT',
    ' 1.33 % ▅ notable  |',
    '\u001b[91m10.98 % █ severe\u001b[39m   |',
    'no path takes it   |',
  ])
})

test('a column that is false is left out', () => {
  const shown: Columns<string> = [['A', (text) => text], false]
  assert.deepEqual(table(['x'], terminal(40), shown, 0), ['A', 'x'])
})

describe('a table of at most so many lines', () => {
  const numbers = ['1', '2', '3', '4']
  const shown: Columns<string> = [['NUMBER', (text) => text]]
  const folded = (room: number) =>
    foldedTable(numbers, terminal(40), shown, { room, noun: 'row' }).map((line) => line.trim())
  test('is whole where it fits', () => {
    assert.deepEqual(folded(5), ['NUMBER', ...numbers])
  })
  test('otherwise counts the rows that are left out, and has one row at least', () => {
    assert.deepEqual(folded(4), ['NUMBER', '1', '2', 'and 2 more rows'])
    assert.deepEqual(folded(1), ['NUMBER', '1', 'and 3 more rows'])
  })
  test('has whole rows where a row takes several lines', () => {
    const pairs: Columns<string> = [
      ['', (text) => text.repeat(20)],
      ['', (text) => text.repeat(20)],
    ]
    const firsts = (room: number) =>
      foldedTable(numbers, terminal(30), pairs, { room, noun: 'row' }).map((line) => line.trim()[0])
    assert.deepEqual(firsts(4), ['1', '1', 'a'])
    // The frame cuts what is beyond the room, and the count would be lost.
    assert.deepEqual(firsts(2), ['1', 'a'])
  })
})

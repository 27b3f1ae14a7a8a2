import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderIntent, renderJournal } from '../../../../src/cli/commands/journal/render.js'
import { styleOf } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { intent } from '../../../execution/script.js'

const explorer = 'https://scan.example/tx/'
const { hash } = intent.txs[0]!

const nothingNamed = { tokens: new Map(), aliases: new Map() }

const shown = (links: boolean, page?: string) =>
  renderIntent(
    intent,
    { ...nothingNamed, explorer: page },
    styleOf({ width: 100, color: false, ascii: false, tty: true, links }),
  )

describe('the order messages of a transaction', () => {
  test('fit the width, with the ends of their ids', () => {
    const id = `demo1${'q'.repeat(58)}/sell/0.501911`
    const entries = [{ id, target: '100', rests: '100' }]
    const orders = [{ pair: 'demo1pair', entries, funds: [], expected: [] }]
    for (const width of [40, 60, 80]) {
      const style = styleOf({ width, color: false, ascii: false, tty: true })
      const text = renderIntent({ ...intent, legs: [], orders }, nothingNamed, style)
      const lines = text.slice(text.indexOf('Order 1'), text.indexOf('Tx ')).split('\n')
      assert.match(lines[0]!, /^Order 1 +demo1q+…[q/]*sell\/0\.501911$/)
      for (const line of lines) assert.ok(displayWidth(line) <= width, line)
    }
  })
})

describe('a transaction of the journal', () => {
  test('is shown leg by leg, with how it was confirmed and until when it is valid', () => {
    const text = shown(false)
    for (const part of [intent.id, 'confirmed by a person', 'Leg 1', hash, 'valid until block'])
      assert.ok(text.includes(part), `${part}\n${text}`)
  })
  test('escapes the name of its key', () => {
    const style = styleOf({ width: 200, color: false, ascii: false, tty: true })
    const named = { ...intent, key: 'ma\u001b[31min' }
    for (const text of [
      renderIntent(named, nothingNamed, style),
      renderJournal([named], nothingNamed, style),
    ])
      assert.ok(text.includes('\\u{1b}[31m') && !text.includes('\u001b[31m'), text)
  })

  test('links its hash to the explorer where the terminal opens links', () => {
    const link = `\x1b]8;;${explorer}${hash}\x1b\\${hash}\x1b]8;;\x1b\\`
    assert.ok(shown(true, explorer).includes(link))
    for (const text of [shown(false, explorer), shown(true)])
      assert.ok(text.includes(hash) && !text.includes(explorer))
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderIntent } from '../../../../src/cli/commands/journal/render.js'
import { styleOf } from '../../../../src/render/style.js'
import { intent } from '../../../execution/script.js'

const explorer = 'https://scan.example/tx/'
const { hash } = intent.txs[0]!

const shown = (links: boolean, page?: string) =>
  renderIntent(
    intent,
    { tokens: new Map(), aliases: new Map(), explorer: page },
    styleOf({ width: 100, color: false, ascii: false, tty: true, links }),
  )

describe('a transaction of the journal', () => {
  test('is shown leg by leg, with how it was confirmed and until when it is valid', () => {
    const text = shown(false)
    for (const part of [intent.id, 'confirmed by a person', 'Leg 1', hash, 'valid until block'])
      assert.ok(text.includes(part), `${part}\n${text}`)
  })
  test('links its hash to the explorer where the terminal opens links', () => {
    const link = `\x1b]8;;${explorer}${hash}\x1b\\${hash}\x1b]8;;\x1b\\`
    assert.ok(shown(true, explorer).includes(link))
    for (const text of [shown(false, explorer), shown(true)])
      assert.ok(text.includes(hash) && !text.includes(explorer))
  })
})

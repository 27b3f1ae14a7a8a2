import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderIntent, renderJournal } from '../../../../src/cli/commands/journal/render.js'
import { hashOf, renderStatus } from '../../../../src/cli/commands/tx/show.js'
import { plainStyle, styleOf } from '../../../../src/render/style.js'
import { intent } from '../../../execution/script.js'
import { demoMarket } from '../../../service/stage.js'

const explorer = 'https://scan.example/tx/'
const { hash } = intent.txs[0]!

const nothingNamed = { tokens: new Map(), aliases: new Map() }

const shown = (links: boolean, page?: string, of = intent) =>
  renderIntent(
    of,
    { ...nothingNamed, explorer: page },
    styleOf({ width: 100, color: false, ascii: false, tty: true, links }),
  )

describe('the order messages of a transaction', () => {
  test('have whole ids on lines of their own, so that they can be pasted', () => {
    const id = `demo1${'q'.repeat(58)}/sell/0.501911`
    const entries = [{ id, target: '100', rests: '100' }]
    const orders = [{ pair: 'demo1pair', entries, funds: [], expected: [] }]
    for (const width of [40, 80]) {
      const style = styleOf({ width, color: false, ascii: false, tty: true })
      const text = renderIntent({ ...intent, legs: [], orders }, nothingNamed, style)
      assert.ok(
        text.split('\n').some((line) => line.trim() === id),
        text,
      )
    }
  })
})

describe('the journal', () => {
  const style = styleOf({ width: 60, color: false, ascii: true, tty: true })
  const titleOf = (total: number) =>
    renderJournal({ network: 'demo', total, intents: [intent] }, nothingNamed, style)
      .split('\n')
      .slice(0, 2)
  test('has a title with its network, and how many of its entries are shown', () => {
    assert.deepEqual(titleOf(1), [`1 journal entry${' '.repeat(41)}demo`, '-'.repeat(60)])
    assert.match(titleOf(45)[0]!, /^1 of 45 journal entries +demo$/)
  })
  test('has times to the second', () => {
    const shown = renderJournal(
      { network: 'demo', total: 1, intents: [intent] },
      nothingNamed,
      style,
    )
    assert.match(shown, /20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(?! UTC)/)
  })
  test('has every digit of its amounts in a pipe', () => {
    const leg = { ...intent.legs[0]!, funds: { denom: 'rune', amount: '12345678901234' } }
    const named = { ...nothingNamed, tokens: demoMarket.tokens }
    const given = { network: 'demo', total: 1, intents: [{ ...intent, legs: [leg] }] }
    assert.ok(renderJournal(given, named, plainStyle).split('\t').includes('123456.78901234 RUNE'))
    assert.match(renderJournal(given, named, style), /123,456\.79 RUNE/)
  })
})

describe('a transaction of the journal', () => {
  test('has its id and status as the title, and its time in words', () => {
    const [title, rule, made] = shown(false).split('\n')
    assert.match(title!, new RegExp(`^${intent.id} · \\w+ +${intent.network}$`))
    assert.match(rule!, /^─{100}$/)
    assert.match(made!, /^ {2}Made {8}20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC {3}/)
  })
  test('is shown leg by leg, with how it was confirmed and until when it is valid', () => {
    const text = shown(false)
    for (const part of [intent.id, 'confirmed by a person', 'Leg 1', hash, 'valid until block'])
      assert.ok(text.includes(part), `${part}\n${text}`)
  })
  test('that was signed elsewhere is by swap tx broadcast, since nothing is known of a confirmation', () => {
    const text = shown(false, undefined, { ...intent, mode: 'bytes' })
    assert.match(text, /Made .* UTC {3}by swap tx broadcast\n/)
  })
  test('escapes the name of its key', () => {
    const style = styleOf({ width: 200, color: false, ascii: false, tty: true })
    const named = { ...intent, key: 'ma\u001b[31min' }
    for (const text of [
      renderIntent(named, nothingNamed, style),
      renderJournal({ network: 'demo', total: 1, intents: [named] }, nothingNamed, style),
    ])
      assert.ok(text.includes('\\u{1b}[31m') && !text.includes('\u001b[31m'), text)
  })

  test('with legs left that have a transaction each names the command that continues', () => {
    const next = /Next +swap tx resume x_\w+$/
    assert.match(shown(false, undefined, { ...intent, mode: 'legs' }), next)
    assert.doesNotMatch(shown(false), next)
  })

  test('links its hash to the explorer where the terminal opens links', () => {
    const link = `\x1b]8;;${explorer}${hash}\x1b\\${hash}\x1b]8;;\x1b\\`
    assert.ok(shown(true, explorer).includes(link))
    for (const text of [shown(false, explorer), shown(true)])
      assert.ok(text.includes(hash) && !text.includes(explorer))
  })
})

describe('a transaction that was not signed here', () => {
  const status = {
    tx_hash: hash,
    network: 'demo',
    id: null,
    state: 'included',
    height: 1449,
    code: 5,
    codespace: 'wasm',
    log: 'out\u001b of gas',
    gas_used: '3137280',
    timeout_height: null,
    evidence: 'block',
    why: null,
  } as const
  const style = styleOf({ width: 80, color: false, ascii: true, tty: true })
  test('has its state as the title, and the words of a failure escaped', () => {
    assert.equal(
      renderStatus(status, style),
      `\
transaction - included                                                      demo
--------------------------------------------------------------------------------
  Tx          ${hash}
  Block       1,449
  Gas         3,137,280
  Failed      code 5   out\\u{1b} of gas
  Checked     proved by the block data of one node`,
    )
  })
})

test('a hash may begin with 0x', () => {
  assert.equal(hashOf(`0x${hash.toLowerCase()}`), hash)
  assert.throws(() => hashOf(hash.slice(0, 8)), { code: 'INVALID_REQUEST' })
})

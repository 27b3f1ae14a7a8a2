import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { renderRoutePlain } from '../../../../src/cli/quotes/pipe-fields.js'
import { renderRoute } from '../../../../src/cli/quotes/route/render-route.js'
import { renderImpact } from '../../../../src/render/amount.js'
import { displayWidth } from '../../../../src/render/width.js'
import {
  context,
  denoms,
  quoted,
  stored,
  terminal,
  usdc,
  verbose,
  withBest,
} from '../../../render/documents.js'
import { runs } from '../../../support/books.js'

const isAscii = (line: string) => /^[\x20-\x7e]*$/.test(line)
const colored = terminal(80, { color: true })
const answer = await quoted()

describe('the network', () => {
  const titled = (network: string) =>
    renderRoute({ ...answer, network }, context, colored).split('\n')[0]!

  test('is accented where it is the demo', () =>
    assert.ok(titled('demo').includes(colored.accent('demo'))))

  test('is plain elsewhere', () => assert.match(titled('stagenet'), / stagenet · block 120$/))
})

test('impact and losses are coloured, ids and hints are plain', () => {
  const text = renderRoute(answer, verbose, colored)
  for (const painted of [
    colored.bold('1.5 BTC ($117,909) → RUNE · best single route'),
    `impact ${renderImpact(208.78, colored)}`,
    '= \u001b',
    colored.bad('-0.41 %'),
    `${colored.muted('q_7f3a91c2')} (30 s)`,
    colored.muted('more: --explain, --json'),
  ])
    assert.ok(text.includes(painted), painted)
  assert.equal(stripVTControlCharacters(text), renderRoute(answer, verbose, terminal(80)))
})

test('no line is wider than the terminal, and colour and glyphs come only where allowed', async () => {
  const denom = fc.constantFrom(...denoms)
  const styles = fc.record({
    width: fc.integer({ min: 40, max: 150 }),
    color: fc.boolean(),
    ascii: fc.boolean(),
  })
  const amount = fc.integer({ min: 3, max: 13 }).map((zeros) => `${10 ** zeros}`)
  await fc.assert(
    fc.asyncProperty(
      denom,
      denom,
      amount,
      fc.boolean(),
      styles,
      async (from, to, atomics, isNamed, facts) => {
        const input = { denom: from, amount: atomics }
        const found = await quoted({ input, output: { denom: to } }).catch(() => undefined)
        fc.pre(found !== undefined)
        const names = isNamed ? stored : { tokens: context.tokens }
        const text = renderRoute(found, names, terminal(facts.width, facts))
        for (const line of text.split('\n')) {
          assert.ok(displayWidth(line) <= facts.width, line)
          assert.ok(facts.color || !line.includes('\u001b'), line)
          assert.ok(!facts.ascii || isAscii(stripVTControlCharacters(line)), line)
          assert.doesNotMatch(line, / $/)
        }
      },
    ),
    runs(60),
  )
})

test('a number is never cut, however narrow the terminal and long the number', () => {
  const huge = (2n ** 128n - 1n).toString()
  const text = renderRoute(withBest(answer, { expected_output: huge }), context, terminal(40))
  assert.ok(text.includes('3,402,823,669,209,384,634,633,746,074,317.68\n'), text)
})

test('a symbol cannot forge output', () => {
  const forged = { ...context.tokens.get(usdc)!, symbol: 'US\u001b[31m\nDC' }
  const names = { tokens: new Map([...context.tokens, [usdc, forged]]) }
  for (const text of [renderRoute(answer, names, terminal(80)), renderRoutePlain(answer, names)]) {
    assert.ok(!text.includes('\u001b'))
    assert.ok(text.includes('eth-usdc-0xa'))
    assert.ok(!text.includes('[31m'))
  }
})

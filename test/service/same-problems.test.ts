import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { freshHome, runIn } from '../support/cli.js'
import { body, demoDocument, post, type Staged, stage } from './stage.js'

let service: Staged
beforeAll(async () => {
  service = await stage()
})

const { home } = freshHome()
const market = join(home, 'market.json')
writeFileSync(market, JSON.stringify(demoDocument))

/** A problem without what belongs to one way of asking. */
function problemOf(text: string): object {
  const { hint: _, instance: __, ...problem } = JSON.parse(text) as Record<string, unknown>
  return problem
}

describe('a refusal on the command line', () => {
  const halted = 'demo1ar3grsxufvmr3fq8j92ssvc8vcyzdkhh9rlg5mdmuw8we552htxs5fq9ad'
  const rows: readonly (readonly [words: string, more: object, amount?: string])[] = [
    ['route 1 btc rune --max-impact 1bps', { max_impact_bps: 1 }],
    ['route 1 btc rune --min-out 1000000', { min_out: '100000000000000' }],
    ['route 1 btc rune --affiliate nope', { affiliate: 'nope' }],
    ['route 1 btc rune --max-hops 1 --via eth', { max_hops: 1, via: ['eth-eth'] }],
    [`route 1 btc rune --path ${halted}`, { path: [halted] }],
    ['route 10000000 btc rune', {}, '1000000000000000'],
    ['sroute 1 btc rune --split-step 5 --max-impact 1bps', { max_impact_bps: 1 }],
    ['sroute 10000000 btc rune --split-step 5', {}, '1000000000000000'],
  ]
  for (const [words, more, amount = '100000000'] of rows)
    test(`of swap ${words} is the document of the service`, async () => {
      const argv = words.split(' ')
      const request = body(amount)
      const [line, answer] = await Promise.all([
        runIn({ home }, [...argv, '--json', '--snapshot', market]),
        service.server.inject(post(`/swap/${argv[0]}`, { ...request, ...more })),
      ])
      assert.deepEqual(problemOf(line.stdout), problemOf(answer.payload))
      assert.equal((JSON.parse(line.stdout) as { height: number }).height, 120)
    })

  test('is indented on a terminal, as an answer is', async () => {
    const argv = ['route', '1', 'btc', 'rune', '--json', '--max-impact', '1bps']
    const [piped, shown] = await Promise.all([
      runIn({ home }, argv),
      runIn({ home, isTerminal: true }, argv),
    ])
    assert.equal(shown.stdout, `${JSON.stringify(JSON.parse(piped.stdout), null, 2)}\n`)
  })
})

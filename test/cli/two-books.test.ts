import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toBech32 } from '@cosmjs/encoding'
import { describe, test } from 'vitest'
import { document } from '../support/chain.js'
import { runSwap } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'

const isBtc = ({ base, quote }: (typeof document.pairs)[number]) =>
  base === 'btc-btc' && quote === document.usd
const first = document.pairs.find(isBtc)!
const second = { ...first, address: toBech32('demo', new Uint8Array(32).fill(7)) }
const file = join(temporaryFolder(), 'market.json')
writeFileSync(file, JSON.stringify({ ...document, pairs: [...document.pairs, second] }))

const run = (...args: readonly string[]) => runSwap([...args, '--snapshot', file])
const nameOf = ({ address }: { address: string }) => `btc/usdc#${address.slice(-4)}`

describe('two books of the same two tokens', () => {
  test('have the ends of their addresses in their names', async () => {
    const { stdout } = await run('snapshot', 'show')
    for (const pair of [first, second])
      assert.ok(stdout.includes(`${pair.address}\t${nameOf(pair)}\t`), stdout)
    assert.match(stdout, /\trune\/usdc\t/)
    const route = await run('route', '0.1', 'btc', 'usdc')
    assert.match(route.stdout, /fin btc\/usdc#\w{4}\n/)
  })

  test('are named by them in arguments, and without them refused with both names', async () => {
    for (const pair of [first, second]) {
      const { stdout } = await run('book', nameOf(pair), '--json')
      assert.equal((JSON.parse(stdout) as { pair: typeof pair }).pair.address, pair.address)
      const path = await run('route', '0.1', 'btc', 'usdc', '--path', nameOf(pair), '--json')
      const { routes } = JSON.parse(path.stdout) as { routes: { hops: { address: string }[] }[] }
      assert.equal(routes[0]!.hops[0]!.address, pair.address)
    }
    for (const args of [
      ['book', 'btc/usdc'],
      ['route', '0.1', 'btc', 'usdc', '--path', 'btc/usdc'],
    ]) {
      const { status, stderr } = await run(...args)
      assert.equal(status, 2)
      assert.ok(stderr.includes(`name one of them: ${nameOf(first)} or ${nameOf(second)}`), stderr)
    }
  })
})

describe('the name of a pair', () => {
  const calls = [['book'], ['route', '1', 'ruji', 'usdc', '--path']]
  test('may have a denom with a slash', async () => {
    for (const call of calls) assert.equal((await run(...call, 'x/ruji/usdc')).status, 0)
  })
  test('is refused with an end that no book has, and with the names that exist', async () => {
    for (const call of calls) {
      const { status, stderr } = await run(...call, 'btc/usdc#zzzz')
      assert.equal(status, 2)
      const text = stderr.replace(/\s+/g, ' ')
      assert.match(text, /book of these two has an address that ends in zzzz do name one of them:/)
      assert.ok(text.includes(`${nameOf(first)} or ${nameOf(second)}`), text)
    }
  })
})

describe('a search with one hop', () => {
  test('that finds nothing says "at most 1 hop"', async () => {
    const { status, stderr } = await run(
      ...'route 0.1 btc rune --max-hops 1 --exclude btc/rune'.split(' '),
    )
    assert.equal(status, 3)
    assert.match(stderr, /no path of at most 1 hop within/)
  })
})

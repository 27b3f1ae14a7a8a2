import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { runIn } from '../../../support/cli.js'
import { undescribed } from '../../../support/undescribed.js'
import { DEMO } from '../execute/stage.js'
import { connect, eras } from './connect.js'
import { agentsOn, allowed, call, OTHER, signingStage } from './signing-agent.js'

const stage = await signingStage()
const { net } = stage
const { executed } = net

const { agent, previewed, signsNothing } = agentsOn(stage)

const auditLines = () => {
  const file = join(net.home, 'state', 'mcp-audit.ndjson')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

describe('swap mcp --allow execute', () => {
  for (const era of eras)
    test(`signs what was previewed, and nothing else, for a client of the ${era} era`, async () => {
      const { client } = await connect(era, net, ...allowed)
      const before = executed.length
      const audit = auditLines().length
      const shown = await previewed(client)
      assert.equal(executed.length, before)
      assert.deepEqual([shown['from'], shown['chain_id']], [DEMO, 'demo-1'])
      const [first] = shown['calls'] as readonly {
        recipient: string
        min_return: { amount: string }
      }[]
      assert.equal(first?.recipient, DEMO)
      const steps: string[] = []
      const answer = await client.callTool(
        { name: 'swap_execute', arguments: { preview_id: shown.preview_id } },
        { onprogress: ({ message = '' }) => void steps.push(message) },
      )
      const report = answer.structuredContent as {
        status: string
        min_return: { amount: string }
        quote_id: string
      }
      assert.equal(report.status, 'confirmed', JSON.stringify(answer))
      assert.equal(report.min_return.amount, first?.min_return.amount)
      assert.equal(report.quote_id, shown['quote_id'])
      assert.equal(executed.length, before + 1)
      assert.ok(steps.includes('signed') && steps.includes('included'), steps.join())
      // The second call reports the first one.
      const again = await call(client, 'swap_execute', { preview_id: shown.preview_id })
      assert.deepEqual(again.document, report)
      assert.equal(executed.length, before + 1)
      const lines = auditLines()
        .slice(audit)
        .map((line) => JSON.parse(line))
      assert.deepEqual(
        lines.map(({ tool, status }) => [tool, status]),
        [
          ['swap_preview_execution', undefined],
          ['swap_execute', 'confirmed'],
          ['swap_execute', 'confirmed'],
        ],
      )
    })

  test('offers no tool that signs without the flag, and refuses other words', async () => {
    const { client } = await connect('legacy', net)
    const { tools } = await client.listTools()
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
    await client.close()
    for (const flags of [
      ['--allow', 'everything'],
      [...allowed, '--password-file', '-'],
      [...allowed, '--password-fd', '0'],
    ])
      assert.equal((await runIn(net, ['mcp', ...flags])).status, 2, flags.join(' '))
    assert.equal((await runIn(net, ['mcp', '--allow', 'execute', '--from', 'nobody'])).status, 7)
  })
})

test('the tools that sign have full schemas that describe each member, which hints name', async () => {
  const { client } = await connect('legacy', net, ...allowed, '--allow', 'orders')
  const { resources } = await client.listResources()
  const uris = resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('swap://schema/'))
  for (const name of ['preview_execution', 'preview_orders'])
    assert.ok(uris.includes(`swap://schema/${name}`), uris.join())
  for (const uri of uris) {
    const { contents } = await client.readResource({ uri })
    const { request, answer } = JSON.parse((contents[0] as { text: string }).text)
    assert.deepEqual([...undescribed(request, uri), ...undescribed(answer, uri)], [])
  }
  for (const name of ['preview_execution', 'execute', 'preview_orders', 'execute_orders']) {
    const { document } = await call(client, `swap_${name}`, { x: 1 })
    const hint = `correct the named members; swap://schema/${name} lists them`
    assert.equal(document['hint'], hint)
  }
})

describe('swap mcp --allow orders', () => {
  const ofOrders = async (...limits: readonly string[]) => {
    const flags = ['--allow', 'orders', '--from', 'demo', '--slippage', '1%', ...limits]
    return (await connect('legacy', net, ...flags)).client
  }
  const requestOf = async (price: string, target = '100000000') => {
    const { stdout } = await net.run('book', 'rune/usdc', '--json')
    const { pair } = JSON.parse(stdout) as { pair: { address: string } }
    return { pair: pair.address, entries: [{ side: 'buy', price, target }] }
  }

  test('signs the order message that was previewed, once', async () => {
    const client = await ofOrders()
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.ok(names.includes('swap_execute_orders') && !names.includes('swap_execute'))
    const before = executed.length
    const shown = await call(client, 'swap_preview_orders', await requestOf('0.1'))
    assert.equal(shown.isError, false, JSON.stringify(shown.document))
    assert.deepEqual([shown.document['owner'], executed.length], [DEMO, before])
    const id = { preview_id: shown.document['preview_id'] }
    const { document } = await call(client, 'swap_execute_orders', id)
    const report = document as unknown as { status: string; orders: { paid: unknown[] }[] }
    assert.equal(report.status, 'confirmed')
    assert.deepEqual(report.orders[0]?.paid, shown.document['paid'])
    assert.deepEqual((await call(client, 'swap_execute_orders', id)).document, document)
    assert.equal(executed.length, before + 1)
  })

  test('signs no order above the limits, whose coins come from one that it cancels', async () => {
    const client = await ofOrders('--limits-per-tx-usd', '50', '--limits-per-day-usd', '150')
    const { pair } = await requestOf('0.2')
    // 100 USDC, in 10^-8.
    const target = `${10n ** 10n}`
    await net.run(...'order buy 500 rune usdc --price 0.2 --from demo --yes'.split(' '))
    const entries = [
      { side: 'buy', price: '0.2', target: '0' },
      { side: 'buy', price: '0.25', target },
    ]
    await signsNothing(async () => {
      const { code } = await call(client, 'swap_preview_orders', { pair, entries })
      assert.equal(code, 'LIMIT_EXCEEDED')
    })
    await client.close()
    const daily = await ofOrders('--limits-per-day-usd', '50000')
    const shown = await call(daily, 'swap_preview_orders', { pair, entries })
    assert.equal(shown.isError, false, JSON.stringify(shown.document))
    assert.ok(Number(shown.document['worth_usd']) > 99, JSON.stringify(shown.document))
  })

  test('signs nothing for another account, across the book, or by the id of a swap', () =>
    signsNothing(async () => {
      const client = await ofOrders()
      const request = await requestOf('0.1')
      const foreign = await call(client, 'swap_preview_orders', { ...request, owner: OTHER })
      assert.equal(foreign.code, 'INVALID_REQUEST')
      const crossing = { ...(await requestOf('9')), max_cross_bps: 10_000 }
      const { code, document } = await call(client, 'swap_preview_orders', crossing)
      assert.equal(code, 'ORDER_REFUSED')
      assert.match(`${document['hint']}`, /max_cross_bps is at most the slippage/)
      const { pair, entries } = await requestOf('0.3')
      const immediate = { pair, entries: [...entries, { ...entries[0], target: '0' }] }
      const refused = (await call(client, 'swap_preview_orders', immediate)).document
      assert.equal(refused['reason'], 'nothing_taken')
      assert.match(`${refused['hint']}`, /let the order rest: without its entry of target 0$/)
      const swaps = await agent()
      const { preview_id } = await previewed(swaps)
      assert.equal((await call(client, 'swap_execute_orders', { preview_id })).code, 'NOT_FOUND')
    }))
})

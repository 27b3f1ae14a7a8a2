import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { type Executed, watch } from '../../../execution/stage.js'
import { runIn } from '../../../support/cli.js'
import { built } from '../../../support/program.js'
import { type Network, network } from '../execute/stage.js'
import { connect, eras } from './connect.js'

const DEMO = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'
const OTHER = 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08'
let net: Network
let executed: readonly Executed[] = []
let usdc = ''
beforeAll(async () => {
  built()
  net = await network()
  executed = watch(net.real, DEMO)
  usdc = JSON.parse((await net.run('route', '1', 'rune', 'usdc', '--json')).stdout).output.denom
})
afterAll(() => net.close())

type Agent = Awaited<ReturnType<typeof connect>>['client']
const allowed = ['--allow', 'execute', '--from', 'demo', '--slippage', '1%'] as const
const agent = async (...flags: readonly string[]) =>
  (await connect('legacy', net, ...allowed, ...flags)).client

let amount = 100_000_000
/** A quote that no other test has, so that none was executed before. */
const quoteRequest = (more: object = {}) => {
  amount += 1_000
  return { input: { denom: 'rune', amount: `${amount}` }, output: { denom: usdc }, ...more }
}
const call = async (client: Agent, name: string, request: object) => {
  const {
    isError = false,
    content,
    structuredContent,
  } = await client.callTool({
    name,
    arguments: request as Record<string, unknown>,
  })
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  const document = (structuredContent ?? JSON.parse(text)) as Record<string, never>
  return { isError, document, code: (document as { code?: string }).code }
}
const quoted = async (client: Agent, more: object = {}) =>
  (await call(client, 'swap_route', quoteRequest(more))).document['quote_id']
const previewed = async (client: Agent) => {
  const { document } = await call(client, 'swap_preview_execution', {
    quote_id: await quoted(client),
  })
  return document as unknown as {
    preview_id: string
    sign_doc_sha256: string
    [member: string]: unknown
  }
}
const auditLines = () => {
  const file = join(net.home, 'state', 'mcp-audit.ndjson')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}
/** That nothing is signed while something is done. */
async function signsNothing(work: () => Promise<void>): Promise<void> {
  const counts = () => [
    executed.length,
    journalIn(`${net.home}/state/journal`).recent(1_000).length,
  ]
  const before = counts()
  await work()
  assert.deepEqual(counts(), before)
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
      await client.close()
    })

  test('offers no tool that signs without the flag, and refuses other words', async () => {
    const { client } = await connect('legacy', net)
    const { tools } = await client.listTools()
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
    await client.close()
    for (const flags of [
      ['--allow', 'everything'],
      [...allowed, '--password-file', '-'],
    ])
      assert.equal((await runIn(net, ['mcp', ...flags])).status, 2, flags.join(' '))
    assert.equal((await runIn(net, ['mcp', '--allow', 'execute', '--from', 'nobody'])).status, 7)
  })
})

describe('swap mcp --allow orders', () => {
  const ofOrders = async () => {
    const flags = ['--allow', 'orders', '--from', 'demo', '--slippage', '1%']
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
    await client.close()
  })

  test('signs nothing for another account, across the book, or by the id of a swap', () =>
    signsNothing(async () => {
      const client = await ofOrders()
      const request = await requestOf('0.1')
      const foreign = await call(client, 'swap_preview_orders', { ...request, owner: OTHER })
      assert.equal(foreign.code, 'INVALID_REQUEST')
      const crossing = { ...(await requestOf('9')), max_cross_bps: 10_000 }
      assert.equal((await call(client, 'swap_preview_orders', crossing)).code, 'ORDER_REFUSED')
      const swaps = await agent()
      const { preview_id } = await previewed(swaps)
      assert.equal((await call(client, 'swap_execute_orders', { preview_id })).code, 'NOT_FOUND')
      await client.close()
      await swaps.close()
    }))
})

describe('a hostile agent', () => {
  test('gets nothing signed with amounts, texts or recipients of its own', async () => {
    const client = await agent()
    const id = await quoted(client)
    await signsNothing(async () => {
      for (const request of [
        { quote_id: id, amount: '999999999999' },
        { quote_id: `${id} but sell 5000 rune` },
        { quote_id: id, recipient: OTHER },
        { quote_id: id, password: 'hunter2' },
        { quote_id: '../../keys/main' },
        { amount: 'all of my rune, I confirm' },
        {},
      ]) {
        const answer = await call(client, 'swap_preview_execution', request)
        assert.equal(answer.code, 'INVALID_REQUEST', JSON.stringify(request))
      }
      for (const request of [
        { preview_id: id },
        { preview_id: 'yes, execute it' },
        { quote_id: id },
        { preview_id: `p_${'0'.repeat(32)}`, amount: '1' },
      ]) {
        const answer = await call(client, 'swap_execute', request)
        assert.equal(answer.code, 'INVALID_REQUEST', JSON.stringify(request))
      }
      const unknown = await call(client, 'swap_execute', { preview_id: `p_${'0'.repeat(32)}` })
      assert.equal(unknown.code, 'NOT_FOUND')
      const paid = await quoted(client, { recipient: OTHER })
      const preview = await call(client, 'swap_preview_execution', { quote_id: paid })
      assert.equal(preview.code, 'QUOTE_MISMATCH')
    })
    await client.close()
  })

  test('reads a preview without a symbol, a name or a text of the chain', async () => {
    const client = await agent()
    const { calls, ...shown } = await previewed(client)
    const words = Object.values(shown).filter((value) => typeof value === 'string')
    for (const word of words) assert.match(word, /^[\w.-]*$/)
    assert.doesNotMatch(JSON.stringify([calls, shown]), /symbol|description|"name"/)
    await client.close()
  })

  test('gets nothing signed with the preview of another session', async () => {
    const [one, other] = [await agent(), await agent()]
    const { preview_id } = await previewed(one)
    await signsNothing(async () => {
      assert.equal((await call(other, 'swap_execute', { preview_id })).code, 'NOT_FOUND')
    })
    await Promise.all([one.close(), other.close()])
  })

  test('gets nothing signed with a preview whose sequence was used since', async () => {
    const client = await agent()
    const [first, second] = [await previewed(client), await previewed(client)]
    const done = await call(client, 'swap_execute', { preview_id: first.preview_id })
    assert.equal(done.isError, false)
    await signsNothing(async () => {
      const late = await call(client, 'swap_execute', { preview_id: second.preview_id })
      assert.equal(late.code, 'QUOTE_EXPIRED')
    })
    await client.close()
  })

  /** Executes a preview, and leaves with the first request that it makes. */
  const leaving = async (leave: (stop: AbortController, end: () => void) => void) => {
    const { client, running } = await connect('legacy', net, ...allowed)
    const { preview_id } = await previewed(client)
    const request = { name: 'swap_execute', arguments: { preview_id } }
    const stop = new AbortController()
    let ended: Promise<number> | undefined
    net.hook = (_request, next) => {
      leave(stop, () => {
        ended ??= running.end()
      })
      return next()
    }
    const answer = await client.callTool(request, { signal: stop.signal }).catch(() => undefined)
    net.hook = (_request, next) => next()
    // The second call waits for the first one.
    const last = ended === undefined ? await client.callTool(request) : answer
    assert.equal(await (ended ?? running.end()), 0)
    return last?.isError
  }
  test('gets nothing signed when it cancels its call before the signature', () =>
    signsNothing(async () => assert.equal(await leaving((stop) => stop.abort()), true)))
  test('gets nothing signed when it ends its input before the signature', () =>
    signsNothing(async () => assert.equal(await leaving((_, end) => end()), true)))

  test('gets one swap signed with a hundred calls at once', async () => {
    const client = await agent()
    const { preview_id } = await previewed(client)
    const before = executed.length
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call(client, 'swap_execute', { preview_id })),
    )
    for (const { document } of answers) assert.deepEqual(document, answers[0]?.document)
    assert.equal(executed.length, before + 1)
    await client.close()
  })

  test('gets nothing signed above the limits of the configuration', async () => {
    const path = join(net.home, 'limited-mcp')
    writeFileSync(path, 'limits: { per_tx_usd: 0.01, per_day_usd: 500 }\n')
    const client = await agent('--config', path)
    await signsNothing(async () => {
      const answer = await call(client, 'swap_preview_execution', {
        quote_id: await quoted(client),
      })
      assert.equal(answer.code, 'LIMIT_EXCEEDED')
    })
    await client.close()
    rmSync(path)
  })

  test('gets nothing signed without a price guard on the command line', async () => {
    const { client } = await connect('legacy', net, '--allow', 'execute', '--from', 'demo')
    await signsNothing(async () => {
      const answer = await call(client, 'swap_preview_execution', {
        quote_id: await quoted(client),
      })
      assert.equal(answer.code, 'INVALID_REQUEST')
    })
    await client.close()
  })
})

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { connect } from './connect.js'
import { agentsOn, allowed, call, OTHER, signingStage } from './signing-agent.js'

const stage = await signingStage()
const { net } = stage
const { executed } = net

const { agent, quoted, previewed, signsNothing } = agentsOn(stage)

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
      // No call can change the flags that the command line's hint names.
      assert.equal(preview.document['hint'], 'quote again without recipient: swap_route')
      const lost = await call(client, 'swap_preview_execution', { quote_id: 'q_00000000' })
      assert.equal(lost.document['hint'], 'quote again: swap_route')
    })
  })

  test('reads a preview without a symbol, a name or a text of the chain', async () => {
    const client = await agent()
    const { calls, ...shown } = await previewed(client)
    const words = Object.values(shown).filter((value) => typeof value === 'string')
    for (const word of words) assert.match(word, /^[\w.-]*$/)
    assert.doesNotMatch(JSON.stringify([calls, shown]), /symbol|description|"name"/)
  })

  test('gets nothing signed with the preview of another session', async () => {
    const [one, other] = [await agent(), await agent()]
    const { preview_id } = await previewed(one)
    await signsNothing(async () => {
      assert.equal((await call(other, 'swap_execute', { preview_id })).code, 'NOT_FOUND')
    })
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
  })

  /** Executes a preview, and leaves with the first request that it makes. @returns the code of the answer */
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
    assert.ok(!running.notes.join('').includes('a bug'), running.notes.join(''))
    const [text] = last?.content ?? []
    return text?.type === 'text' ? JSON.parse(text.text).code : undefined
  }
  test('gets nothing signed when it cancels its call before the signature', () =>
    signsNothing(async () => assert.equal(await leaving((stop) => stop.abort()), 'DECLINED')))
  test('gets nothing signed when it ends its input before the signature', () =>
    signsNothing(async () => assert.equal(await leaving((_, end) => end()), 'DECLINED')))

  test('gets one swap signed with a hundred calls at once', async () => {
    const client = await agent()
    const { preview_id } = await previewed(client)
    const before = executed.length
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call(client, 'swap_execute', { preview_id })),
    )
    for (const { document } of answers) assert.deepEqual(document, answers[0]?.document)
    assert.equal(executed.length, before + 1)
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
      // The command line of the server has no --yes.
      assert.doesNotMatch(JSON.stringify(answer), /--yes|--min-out/)
    })
  })
})

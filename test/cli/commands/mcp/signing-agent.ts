import assert from 'node:assert/strict'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { type Network, network } from '../execute/stage.js'
import { connect } from './connect.js'

export const OTHER = 'demo1656yc8r4q9wrt8sk5kp3mtypu753amk3vyg9pr'
export const allowed = ['--allow', 'execute', '--from', 'demo', '--slippage', '1%'] as const

export type Agent = Awaited<ReturnType<typeof connect>>['client']

/** A network, and the token that agents buy there. */
export type SigningStage = { readonly net: Network; readonly usdc: string }

export async function signingStage(): Promise<SigningStage> {
  const net = await network()
  const { stdout } = await net.run('route', '1', 'rune', 'usdc', '--json')
  return { net, usdc: JSON.parse(stdout).output.denom }
}

export const call = async (client: Agent, name: string, request: object) => {
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

/** Agents of a stage, and their quotes and previews. */
export function agentsOn(stage: SigningStage) {
  let amount = 100_000_000
  /** A quote that no other test has, so that none was executed before. */
  const quoteRequest = (more: object = {}) => {
    amount += 1_000
    return {
      input: { denom: 'rune', amount: `${amount}` },
      output: { denom: stage.usdc },
      ...more,
    }
  }
  const quoted = async (client: Agent, more: object = {}) =>
    (await call(client, 'swap_route', quoteRequest(more))).document['quote_id']
  return {
    quoted,
    agent: async (...flags: readonly string[]) =>
      (await connect('legacy', stage.net, ...allowed, ...flags)).client,
    previewed: async (client: Agent) => {
      const { document } = await call(client, 'swap_preview_execution', {
        quote_id: await quoted(client),
      })
      return document as unknown as {
        preview_id: string
        sign_doc_sha256: string
        [member: string]: unknown
      }
    },
    /** That nothing is signed while something is done. */
    async signsNothing(work: () => Promise<void>): Promise<void> {
      const { net } = stage
      const counts = () => [
        net.executed.length,
        journalIn(`${net.home}/state/journal`).recent(1_000).intents.length,
      ]
      const before = counts()
      await work()
      assert.deepEqual(counts(), before)
    },
  }
}

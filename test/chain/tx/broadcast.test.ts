import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'vitest'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { broadcast } from '../../../src/chain/tx/broadcast.js'
import { txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, noPauses, requestsOf, send, sendCorrect, stub } from '../rpc/stage.js'

/** Longer than a test may take. */
const PATIENCE_MS = 3_600_000

const bytes = Uint8Array.of(1, 2, 3)
const hash = txHashOf(bytes)

/** The answers of a node to a transaction: a result, an error, or none, after which it closes the connection. */
const ANSWERS = {
  takes: { result: { code: 0, codespace: '', log: '', hash } },
  knows: { error: { code: -32603, message: 'Internal error', data: 'tx already exists in cache' } },
  'knows by code': { result: { code: 19, codespace: 'sdk', log: 'known', hash } },
  refuses: { result: { code: 5, codespace: 'sdk', log: 'insufficient funds', hash } },
  'is full': { error: { code: -32603, message: 'Internal error', data: 'mempool is full' } },
  fails: { error: { code: -32603, message: 'Internal error', data: 'a defect' } },
  'answers for another': { result: { code: 0, codespace: '', log: '', hash: 'AB'.repeat(32) } },
  'has a code that is no number': { result: { code: '5', codespace: 'sdk', log: '', hash } },
  'has a code that is no integer': { result: { code: 1.5, codespace: 'sdk', log: '', hash } },
  'has a negative code': { result: { code: -1, codespace: 'sdk', log: '', hash } },
  'has a codespace that is no text': { result: { code: 5, codespace: 7, log: '', hash } },
  'has a result that is no object': { result: hash },
  'breaks off': undefined,
}
type Answer =
  | keyof typeof ANSWERS
  | 'is not there'
  | 'is gone after its status'
  | 'never answers'
  | 'is of another chain'

async function urlOf(answer: Answer): Promise<string> {
  if (answer === 'is not there') return 'http://127.0.0.1:1'
  const reply = (body: string, response: ServerResponse) => {
    const [request] = requestsOf(body)
    const isOther = answer === 'is of another chain'
    const isGone = answer === 'is gone after its status'
    if (isGone) response.setHeader('connection', 'close').on('finish', () => void node.close())
    if (request?.method !== 'broadcast_tx_sync')
      return sendCorrect(response, body, 7, isOther ? 'other-1' : CHAIN_ID)
    assert.ok(!isOther && !isGone)
    assert.deepEqual(request.params, { tx: 'AQID' })
    if (answer === 'never answers') return
    const said = ANSWERS[answer]
    if (said === undefined) return void response.destroy()
    send(response, { jsonrpc: '2.0', id: request.id, ...said })
  }
  const node = closing(await stub((body, _request, response) => void reply(body, response)))
  return node.url
}

describe('a transaction that is sent to nodes of which', () => {
  const rows: readonly (readonly [readonly Answer[], string])[] = [
    [['takes'], 'accepted'],
    [['knows'], 'accepted'],
    [['knows by code'], 'accepted'],
    [['is of another chain'], 'unsent'],
    [['is of another chain', 'takes'], 'accepted'],
    [['refuses'], 'refused'],
    [['is full'], 'refused'],
    [['fails'], 'unknown'],
    [['answers for another'], 'unknown'],
    [['has a code that is no number'], 'unknown'],
    [['has a code that is no integer'], 'unknown'],
    [['has a negative code'], 'unknown'],
    [['has a codespace that is no text'], 'unknown'],
    [['has a result that is no object'], 'unknown'],
    [['breaks off'], 'unknown'],
    [['is not there'], 'unsent'],
    [['is gone after its status'], 'unsent'],
    [[], 'unsent'],
    [['refuses', 'takes'], 'accepted'],
    [['takes', 'refuses'], 'accepted'],
    [['takes', 'breaks off'], 'accepted'],
    [['never answers', 'takes'], 'accepted'],
    [['is not there', 'breaks off', 'takes'], 'accepted'],
    [['refuses', 'breaks off'], 'unknown'],
    [['breaks off', 'refuses'], 'unknown'],
    [['is not there', 'refuses'], 'refused'],
  ]
  const sentTo = async (answers: readonly Answer[]) => {
    const rpc = await Promise.all(answers.map(urlOf))
    const nodes = closing(
      openNodes({ chainId: CHAIN_ID, rpc, deadlineMs: 5_000, limits: noPauses }),
    )
    return { rpc, result: await broadcast(nodes.rpc, bytes, PATIENCE_MS) }
  }
  for (const [answers, kind] of rows)
    test(`${answers.map((each) => `one ${each}`).join(', ') || 'there is none'}: ${kind}`, async () => {
      assert.equal((await sentTo(answers)).result.kind, kind)
    })

  const refused = { kind: 'refused', codespace: 'sdk' } as const
  const words = [
    ['takes', { kind: 'accepted' }],
    ['knows', { kind: 'accepted' }],
    ['knows by code', { kind: 'accepted' }],
    ['refuses', { ...refused, reason: 'funds', code: 5, log: 'insufficient funds' }],
    ['is full', { ...refused, reason: 'busy', code: 20, log: 'Internal error: mempool is full' }],
  ] as const
  for (const [answer, said] of words)
    test(`one ${answer} is named, with its words`, async () => {
      const { rpc, result } = await sentTo([answer])
      assert.deepEqual(result, { ...said, by: rpc[0] })
    })
})

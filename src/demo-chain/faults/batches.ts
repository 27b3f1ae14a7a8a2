import { attempt } from '../../platform/attempt.js'
import type { Random } from '../market/random.js'
import { jsonReply, type NodeHandler, type Reply } from '../node/reply.js'
import { type Answer, type Call, type Fault, type FaultKind, faultsOf } from './fault.js'

type RpcAnswer = { readonly id?: unknown; readonly [member: string]: unknown }

const isRpc = ({ requests }: Call): boolean => requests.length > 0
const isBatch = (call: Call): boolean => call.batch && call.requests.length > 1

/** Changes the list of a batch's answers; the answer to a single request is a list of one. */
const answers = (change: (answers: readonly RpcAnswer[], random: Random) => unknown) => {
  const answer: Answer = async (call, next, _fault, random) => {
    const reply = await next()
    const honest: unknown = attempt(() => JSON.parse(reply.body.toString()))
    if (honest === undefined) return reply
    const changed = change(Array.isArray(honest) ? honest : [honest as RpcAnswer], random)
    const body = call.batch || !Array.isArray(changed) ? changed : changed[0]
    return jsonReply(reply.status, JSON.stringify(body))
  }
  return { at: 'answer', answer, fits: isBatch } as const
}

const strange = (id: unknown): unknown => (typeof id === 'number' ? id + 1_000_003 : 'stranger')

const shuffled = (list: readonly RpcAnswer[], random: Random): readonly RpcAnswer[] => {
  const mixed = [...list]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random() % (at + 1)
    ;[mixed[at], mixed[other]] = [mixed[other] as RpcAnswer, mixed[at] as RpcAnswer]
  }
  return mixed
}

const dropped = (list: readonly RpcAnswer[], random: Random): readonly RpcAnswer[] => {
  const lost = random() % list.length
  return list.filter((_, at) => at !== lost)
}

const malformed = (list: readonly RpcAnswer[], random: Random): readonly unknown[] => {
  const place = random() % list.length
  const forms = [null, 'nothing', { jsonrpc: '2.0' }, { jsonrpc: '2.0', id: {}, result: 0 }, []]
  return list.map((each, at) => (at === place ? forms[random() % forms.length] : each))
}

/** A node's answer to a batch that is too long: one object without an id, status 200. */
const tooLong = (most: number): object => ({
  jsonrpc: '2.0',
  error: {
    code: -32600,
    message: 'Invalid Request',
    data: `batch request exceeds maximum (${most}) allowed number of requests`,
  },
})

const capped = async (call: Call, next: NodeHandler, { n }: Fault): Promise<Reply> =>
  call.requests.length > n ? jsonReply(200, JSON.stringify(tooLong(n))) : next()

const ofBatch = faultsOf('batch')

/** Faults of JSON-RPC ids and of several requests in one body. */
export const batchFaults: readonly FaultKind[] = [
  ofBatch(
    'wrong-id',
    'answers carry the id of no request',
    'every request settles once, as an error',
    {
      ...answers((list) => list.map((each) => ({ ...each, id: strange(each.id) }))),
      fits: isRpc,
    },
  ),
  ofBatch('missing-id', 'answers carry no id', 'every request settles once, as an error', {
    ...answers((list) => list.map(({ id: _id, ...rest }) => rest)),
    fits: isRpc,
  }),
  ofBatch(
    'partial-batch',
    'one answer of a batch is missing',
    'the batch is refused as a whole',
    answers(dropped),
  ),
  ofBatch(
    'shuffled-batch',
    'the answers of a batch come in another order',
    'answers are found by id',
    answers(shuffled),
  ),
  ofBatch(
    'duplicate-ids',
    'an answer of a batch comes twice, the second time with another content',
    'the batch is refused as a whole',
    answers(([first, ...rest]) => [first, { ...first, result: {} }, ...rest]),
  ),
  ofBatch(
    'foreign-ids',
    'a batch has an answer to no request',
    'the batch is refused as a whole',
    answers((list) => [...list, { jsonrpc: '2.0', id: strange(0), result: {} }]),
  ),
  ofBatch(
    'one-object',
    'a batch is answered by one object',
    'every request settles once, as an error',
    answers((list) => list[0]),
  ),
  ofBatch(
    'malformed-element',
    'one answer of a batch is not an answer',
    'every request settles, no crash',
    answers(malformed),
  ),
  ofBatch(
    'batch-cap',
    'a batch of more requests is refused as a whole',
    'smaller batches, down to single requests',
    { at: 'answer', answer: capped, fits: isBatch },
    { meaning: 'requests', fallback: 1, least: 0, most: 10_000 },
  ),
]

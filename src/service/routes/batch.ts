import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { SwapError } from '../../engine/errors.js'
import { readMany } from '../../operations/body/read-json.js'
import { stringify } from '../../operations/json.js'
import { problemOf } from '../../operations/problem.js'
import { validate } from '../../operations/validate.js'
import type { Desk } from '../answers/ask.js'
import { sendText } from '../answers/reply.js'
import type { Endpoint, Operation } from '../endpoint.js'
import type { Served } from '../feed/market-feed.js'
import type { Admission } from '../guards/admission.js'
import { overloaded } from '../workers/pool.js'
import { operations } from './index.js'

/** Requests of a batch at most. */
const MOST = 100
/** Milliseconds that one batch may take. */
const DEADLINE_MS = 10_000
/** Milliseconds after which a batch lets other requests go first. */
const TURN_MS = 2

const kinds = operations.filter(({ inBatch }) => inBatch)

/** Each element names its operation; the request itself is read, and refused, on its own. */
const BatchRequest = Type.Object(
  {
    requests: Type.Array(
      Type.Union(
        kinds.map(({ name }) =>
          Type.Object({ [name]: Type.Unknown() }, { additionalProperties: false }),
        ),
      ),
      { minItems: 1, maxItems: MOST },
    ),
  },
  { additionalProperties: false },
)

export const batchEndpoint: Endpoint = {
  name: 'batch',
  method: 'POST',
  path: '/swap/batch',
  tag: 'swap',
  summary: 'Many requests at once, all answered from one height',
  description: `At most ${MOST}. Each result is the body that the request alone would be answered with, or a problem, in order.`,
  request: Type.Object(
    {
      requests: Type.Array(
        Type.Union(
          kinds.map(({ name, request }) =>
            Type.Object({ [name]: request }, { additionalProperties: false }),
          ),
        ),
        { minItems: 1, maxItems: MOST },
      ),
    },
    { additionalProperties: false },
  ),
  example: {
    requests: [
      { route: { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } } },
      { route: { input: { denom: 'rune', amount: '5000000000' }, output: { denom: 'nothing' } } },
    ],
  },
  response: Type.Object(
    { height: Type.Integer(), results: Type.Array(Type.Unknown()) },
    { additionalProperties: false },
  ),
  codes: [],
}

/** Handles batches: the elements are answered one after the other and let others in between. */
export const batchHandler =
  (desk: Desk, admission: Admission) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const served = desk.answerer.market()
    request.servedHeight = served.height
    const { value, faults } = readMany(typeof request.body === 'string' ? request.body : '')
    const { requests } = validate(BatchRequest, value)
    const elements = requests.map((element, i): Element => {
      const [name, inner] = Object.entries(element)[0]!
      return { operation: kinds.find((each) => each.name === name)!, inner, fault: faults.get(i) }
    })
    const heavy = elements.filter(({ operation }) => operation.weight === 'heavy').length
    admission.weigh(request, heavy)
    admission.charge(request, 'light', elements.length - heavy - 1)
    const run = { desk, request, served }
    const last = performance.now() + DEADLINE_MS
    let turn = performance.now() + TURN_MS
    const results: string[] = []
    for (const element of elements) {
      if (reply.raw.destroyed) return reply
      results.push(await resultOf(element, { ...run, last }))
      if (performance.now() < turn) continue
      await new Promise((resolve) => setImmediate(resolve))
      turn = performance.now() + TURN_MS
    }
    return sendText(reply, `{"height":${served.height},"results":[${results.join(',')}]}`)
  }

/** One request of a batch. A fault is in how it is written. */
type Element = {
  readonly operation: Operation
  readonly inner: unknown
  readonly fault: SwapError | undefined
}

type Run = {
  readonly desk: Desk
  readonly request: FastifyRequest
  readonly served: Served
  readonly last: number
}

async function resultOf(
  { operation, inner, fault }: Element,
  { desk, request, served, last }: Run,
): Promise<string> {
  try {
    if (fault !== undefined) throw fault
    if (performance.now() > last) throw overloaded('there was no time left for this request')
    // The spelling inside the batch is gone; written anew it is one that repeats.
    const spelling = JSON.stringify(inner)
    // A heavy one is paid for already.
    const weigh = () => (operation.weight === 'heavy' ? undefined : desk.weigh(request))
    const asked = { operation, spelling, read: () => inner, weigh }
    const { answerer } = desk
    return (answerer.known(served, asked) ?? (await answerer.answer(served, asked))).text
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    return stringify(problemOf(error, served.height))
  }
}

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as Type from 'typebox'
import { SwapError } from '../../engine/errors.js'
import { readBatchJson } from '../../operations/body/read-json.js'
import * as Doc from '../../operations/document-schema.js'
import {
  type Endpoint,
  type Operation,
  type PreparedRequest,
  WEIGHTS,
} from '../../operations/operation.js'
import { quoteOperations } from '../../operations/operations.js'
import { httpProblemOf } from '../../operations/problem.js'
import { validate } from '../../operations/validate.js'
import { bodyOf, type RequestContext } from '../answers/handler.js'
import { ageOf, JSON_HEADERS, sendText } from '../answers/reply.js'
import type { ServedMarket } from '../feed/market-feed.js'
import type { Admission } from '../guards/admission.js'
import { BATCH_WEIGHT } from '../guards/limits.js'
import { timeSlices } from '../guards/pressure.js'
import { overloaded } from '../workers/worker-pool.js'

/** Maximum number of requests in a batch. */
const MOST = 100
/** Milliseconds after which no further request of a batch is started. */
const DEADLINE_MS = 10_000
/** Milliseconds after which a batch that is not read to its end is cut off: it keeps its market in memory. */
const READING_MS = 30_000
/** Bytes sent at once: a small batch is sent whole, with its length. */
const PART_BYTES = 64 * 1024

/** The batch schema: each request is an object with one member, whose name is the operation's. */
const batchOf = (schemaOf: (operation: Operation) => Type.TSchema) =>
  Doc.closedObject({
    requests: Type.Array(
      Type.Object(
        Doc.optionals(
          Object.fromEntries(quoteOperations.map((each) => [each.name, schemaOf(each)])),
        ),
        {
          additionalProperties: false,
          minProperties: 1,
          maxProperties: 1,
        },
      ),
      { minItems: 1, maxItems: MOST, description: 'Each has one member, named as its operation.' },
    ),
  })

/** Each request is validated separately. */
const BatchRequest = batchOf(() => Type.Unknown())

export const batchEndpoint: Endpoint = {
  name: 'batch',
  method: 'POST',
  path: '/swap/batch',
  tag: 'swap',
  summary: 'Many requests at once, all answered from one height',
  description: `At most ${MOST}, which may weigh ${BATCH_WEIGHT} together: a route ${WEIGHTS.light}; a split, an exact-out route or one of more than four hops ${WEIGHTS.heavy}; one with \`explain\`, or a split with \`frontier\`, ${WEIGHTS.explained}. More is refused with 413 before any is answered. Each result is the body that the request alone would be answered with, or a problem, in order.`,
  request: batchOf(({ request }) => request),
  example: {
    requests: [
      { route: { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } } },
      { route: { input: { denom: 'rune', amount: '5000000000' }, output: { denom: 'nothing' } } },
    ],
  },
  response: Doc.closedObject({
    height: Doc.BlockHeight,
    results: Doc.listOf(
      'In the order of the requests: the answer of POST /swap/route or /swap/sroute, or a problem.',
      Type.Unknown(),
    ),
  }),
  codes: ['PAYLOAD_TOO_LARGE'],
}

/** Handles batches: answers are computed in order and streamed. */
export function batchHandler(context: RequestContext, admission: Admission) {
  const turn = timeSlices()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await turn()
    const served = context.quotes.market()
    request.servedHeight = served.height
    const elements = elementsOf(bodyOf(request))
    const weight = elements.reduce((sum, each) => sum + each.weight, 0)
    if (weight > BATCH_WEIGHT) throw tooHeavy(weight)
    const heavy = elements.filter((each) => each.weight >= WEIGHTS.heavy).length
    admission.chargeHeavy(request, heavy)
    admission.chargeMore(request, 'light', elements.length - heavy - 1)
    const last = performance.now() + DEADLINE_MS
    // Nothing is sent while the first part is computed, which may take longer than a socket may be idle.
    reply.raw.on('timeout', keepOpen)
    const parts = partsOf(elements, { context, request, reply, served, last, turn })
    const first = await parts.next()
    reply.raw.off('timeout', keepOpen)
    reply.header('age', ageOf(context.feed, served))
    if (first.done || first.value.isLast) return sendText(reply, first.value?.text ?? '')
    const cutOff = setTimeout(() => reply.raw.destroy(), READING_MS)
    reply.raw.once('close', () => clearTimeout(cutOff))
    return reply.headers(JSON_HEADERS).send(
      Readable.from(followedBy(first.value.text, parts), {
        objectMode: false,
        highWaterMark: PART_BYTES,
      }),
    )
  }
}

/** Node closes an idle connection unless its response has a listener. */
const keepOpen = (): void => {}

/** One request of a batch, or the error in its JSON or its members. */
type Element =
  | { readonly weight: number; readonly operation: Operation; readonly prepared: PreparedRequest }
  | { readonly weight: number; readonly error: unknown }

function elementsOf(body: string): readonly Element[] {
  const { value, faults } = readBatchJson(body)
  const { requests } = validate(BatchRequest, value, { http: 'POST /swap/batch' })
  return requests.map((element, i): Element => {
    const [name, inner] = Object.entries(element)[0]!
    const operation = quoteOperations.find((each) => each.name === name)!
    try {
      const fault = faults.get(i)
      if (fault !== undefined) throw fault
      const prepared = operation.prepare(inner)
      return { weight: prepared.weight, operation, prepared }
    } catch (error) {
      return { weight: WEIGHTS.light, error }
    }
  })
}

const tooHeavy = (weight: number): SwapError =>
  new SwapError('PAYLOAD_TOO_LARGE', 'the requests of this batch cost too much together', {
    why: `they weigh ${weight}, and a batch may weigh ${BATCH_WEIGHT}: a route ${WEIGHTS.light}, a split ${WEIGHTS.heavy}, an explanation ${WEIGHTS.explained}`,
    hint: 'divide them over several batches',
    members: { weight, max_weight: BATCH_WEIGHT },
  })

type Run = {
  readonly context: RequestContext
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly served: ServedMarket
  readonly last: number
  /** Awaited before each piece of work; all batches share it. */
  readonly turn: () => Promise<void>
}

/** The response in parts; each is computed after the previous one was consumed. */
async function* partsOf(elements: readonly Element[], run: Run) {
  let text = `{"height":${run.served.height},"results":[`
  for (const [i, element] of elements.entries()) {
    await run.turn()
    // Its client has left.
    if (run.reply.raw.destroyed) return
    text += `${i === 0 ? '' : ','}${await resultOf(element, run)}`
    if (text.length >= PART_BYTES) {
      yield { text, isLast: false }
      text = ''
    }
  }
  yield { text: `${text}]}`, isLast: true }
}

async function* followedBy(first: string, parts: AsyncIterable<{ readonly text: string }>) {
  yield first
  for await (const { text } of parts) yield text
}

async function resultOf(
  element: Element,
  { context, request, served, last }: Run,
): Promise<string> {
  try {
    if ('error' in element) throw element.error
    const { operation, prepared } = element
    if (performance.now() > last) throw overloaded('there was no time left for this request')
    // A heavy one has already been charged.
    const chargeHeavy = () =>
      prepared.weight >= WEIGHTS.heavy ? undefined : context.chargeHeavy(request)
    return await context.quotes.textOf(served, { operation, prepared }, chargeHeavy)
  } catch (error) {
    // The response may have begun, so a bug becomes the problem of its own request.
    if (!(error instanceof SwapError)) context.bug(error, request.id)
    return JSON.stringify(httpProblemOf(error, served.height))
  }
}

import type { Answer, FaultKind } from './fault.js'

type Json = { readonly [member: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** CometBFT 0.37 wrote keys and values of attributes in base64. */
function oldAttribute(value: Json): Json {
  const { key, value: text } = value
  if (typeof key !== 'string' || typeof text !== 'string') return value
  return { ...value, key: base64(key), value: base64(text) }
}

const modeOf = (event: unknown): unknown =>
  isObject(event) && Array.isArray(event['attributes'])
    ? event['attributes'].find((each) => isObject(each) && each['key'] === 'mode')?.value
    : undefined

/** A document of 0.38 as 0.37 wrote it: events in base64, two lists of block events. */
function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (name === 'attributes' && Array.isArray(each))
      return [[name, each.map((one) => (isObject(one) ? oldAttribute(one) : one))]]
    if (name === 'finalize_block_events') {
      const events = Array.isArray(each) ? each : []
      const ending = events.filter((event) => modeOf(event) === 'EndBlock')
      const beginning = events.filter((event) => modeOf(event) !== 'EndBlock')
      return [
        ['begin_block_events', older(beginning)],
        ['end_block_events', older(ending)],
      ]
    }
    if (name === 'node_info' && isObject(each))
      return [[name, { ...(older(each) as Json), version: '0.37.4' }]]
    return [[name, older(each)]]
  })
  return Object.fromEntries(entries)
}

const answerOlder: Answer = async (_call, next) => {
  const reply = await next()
  try {
    return { ...reply, body: Buffer.from(JSON.stringify(older(JSON.parse(reply.body.toString())))) }
  } catch {
    return reply
  }
}

/** Faults of the node's version. */
export const encodingFaults: readonly FaultKind[] = [
  {
    kind: 'old-encoding',
    group: 'chain',
    does: 'the node is a CometBFT 0.37: events in base64, begin and end of block apart',
    sees: 'the same data as before',
    effect: {
      at: 'answer',
      answer: answerOlder,
      fits: ({ exchange }) => exchange.endpoint !== 'rest',
    },
  },
]

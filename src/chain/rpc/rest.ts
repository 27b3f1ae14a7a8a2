import { parsedJson, restPath } from './check.js'
import type { Endpoint } from './endpoint.js'
import { NodeFault, NodeRefusal } from './faults.js'
import { exchange, type HttpReply } from './http/http.js'
import { isObject } from './http/json-rpc.js'
import { judgeRest } from './http/judge.js'
import { nodeText } from './http/mask.js'

const HEIGHT = 'x-cosmos-block-height'

/**
 * Asks one REST endpoint, as of a height if one is given.
 *
 * @throws NodeFault, also for an answer as of another height; NodeRefusal for what the gateway refuses
 */
export async function askRest(
  endpoint: Endpoint,
  path: string,
  height: number | undefined,
  until: number,
): Promise<unknown> {
  const reply = await exchange(
    endpoint,
    {
      method: 'GET',
      path: restPath(endpoint, path),
      connection: 'kept',
      judge: judgeRest,
      ...(height !== undefined && { headers: { [HEIGHT]: String(height) } }),
    },
    until,
  )
  const value = parsedJson(endpoint, reply.text)
  if (reply.status !== 200) throw refusalOf(endpoint, reply, value)
  if (height !== undefined && heightOf(reply) !== String(height))
    throw new NodeFault(
      'wrong_height',
      endpoint.shown,
      `answered as of another block than ${height}, which it was asked for`,
    )
  return value
}

/** The gateway repeats the header of the service behind it under a name of its own. */
const heightOf = ({ headers }: HttpReply): unknown =>
  headers[HEIGHT] ?? headers[`grpc-metadata-${HEIGHT}`]

/** What the gateway says of heights, by the SDK's numbers in its text: the status is 500 for all. */
const ABOUT_HEIGHT = /codespace sdk code (26|38):/

function refusalOf({ shown, secrets }: Endpoint, { status }: HttpReply, value: unknown): Error {
  const { code, message } = isObject(value) ? value : {}
  if (typeof code !== 'number' || typeof message !== 'string')
    return new NodeFault('http_status', shown, `answered with HTTP status ${status}`)
  const about = ABOUT_HEIGHT.exec(message)
  if (about !== null)
    return new NodeFault('height_unavailable', shown, 'cannot answer as of that block', {
      ...(about[1] === '38' && { isLasting: true as const }),
    })
  return new NodeRefusal(shown, code, nodeText(message, secrets))
}

import { stringify } from '../app/json.js'
import { problemOf } from '../app/problem.js'
import { readRouteRequest } from '../app/request.js'
import { route } from '../app/route.js'
import { SwapError } from '../errors.js'
import { refuseMore } from './arguments.js'
import type { Context } from './command.js'
import { exitOfError } from './exit.js'
import { type Line, linesOf } from './lines.js'

/** A request body is a few hundred bytes; nothing near this long is one. */
const LONGEST = 1 << 20

/**
 * Answers one request body a line with one document a line, in order, all from one market: an answer
 * or a problem. The exit status is the largest of any line.
 */
export async function routeLines(
  { app, out, surroundings }: Context,
  args: readonly string[],
): Promise<void> {
  refuseMore('route --stdin', args)
  await app.venue()
  let worst = 0
  for await (const line of linesOf(surroundings.stdin, LONGEST)) {
    if (out.closed.aborted) return
    let document: object
    try {
      document = await route(app, readRouteRequest(parse(line)))
    } catch (error) {
      const { market } = await app.venue()
      document = problemOf(error, market.height)
      worst = Math.max(worst, exitOfError(error))
    }
    await out.result(stringify(document))
  }
  out.exit(worst)
}

function parse(line: Line): unknown {
  if ('tooLong' in line) throw notJson(`the line is longer than ${LONGEST} bytes`)
  try {
    return JSON.parse(line.text)
  } catch (error) {
    throw notJson(line.text.trim() === '' ? 'the line is empty' : messageOf(error))
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown')

const notJson = (why: string): SwapError =>
  new SwapError('INVALID_REQUEST', 'a line is not a request body', {
    why,
    hint: 'write one JSON object a line, as POST /swap/route takes it',
    members: { errors: [{ pointer: '', detail: why }] },
  })

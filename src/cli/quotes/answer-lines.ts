import { invalidRequest, SwapError } from '../../engine/errors.js'
import { readJson } from '../../operations/body/read-json.js'
import type { OperationContext } from '../../operations/context.js'
import { problemOf } from '../../operations/problem.js'
import { route } from '../../operations/route/route.js'
import { readRouteRequest } from '../../operations/route/route-request.js'
import { sroute } from '../../operations/split/split.js'
import { readSplitRequest } from '../../operations/split/split-documents.js'
import type { Context, FlagValues } from '../command.js'
import { formFlag } from '../common-flags.js'
import { exitOfError } from '../exit.js'
import { longName } from '../flags/checked-flag.js'
import { memberFlags } from '../flags/request-flags.js'
import { clashing, refuseMore } from '../invalid-request.js'

/** Request bodies are a few hundred bytes; longer lines are rejected. */
const LONGEST = 1 << 20

/** A line of input, or a marker for one that is too long. */
type Line = { readonly text: string } | { readonly tooLong: true }

/**
 * Splits a stream of bytes into lines without ever holding more than one, and none longer than
 * `LONGEST` bytes. A carriage return before the line feed and a byte order mark at the start of the
 * stream are dropped; a last line needs no line feed.
 */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let length = 0
  let edges = /^\ufeff|\r$/g
  const take = (): Line => {
    const text = Buffer.concat(parts).toString('utf8')
    const line = length > LONGEST ? { tooLong: true as const } : { text: text.replace(edges, '') }
    edges = /\r$/g
    parts = []
    length = 0
    return line
  }
  for await (const chunk of source)
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(10, from)
      const part = chunk.subarray(from, end < 0 ? undefined : end)
      length += part.length
      if (length <= LONGEST) parts.push(part)
      if (end >= 0) yield take()
      from += part.length + 1
    }
  if (length > 0) yield take()
}

/** The answers to one request body. */
const answers = {
  route: (app: OperationContext, body: unknown) => route(app, readRouteRequest(body)),
  sroute: (app: OperationContext, body: unknown) => sroute(app, readSplitRequest(body)),
} as const

/** Refuses flags that are members of a request, which each line has itself. */
function refuseMembers(flags: FlagValues, command: keyof typeof answers): void {
  const members = memberFlags(command)
  const given = Object.keys(flags).find(
    (name) => flags[name] !== undefined && members.has(name) && name !== 'grid',
  )
  // `--no-grid`, of earlier releases, gives `grid` the default true.
  if (given === undefined && flags['grid'] !== false) return
  const { flags: spelled, pointer = '' } = members.get(given ?? 'grid')!
  const flag = given === undefined ? '--no-grid' : `--${longName(spelled)}`
  throw invalidRequest(`${flag} does not go with --stdin`, pointer, {
    why: 'every line is a request of its own, with all of its members',
    hint: `write it into the lines, as POST /swap/${command} takes it`,
  })
}

/** Refuses flags for the form of a single answer: each line is answered with its document. */
function refuseForms({ form }: Context, flags: FlagValues): void {
  const [written, output = 'json'] = formFlag(flags) ?? []
  const [clash] = [
    ...(form.quiet > 0 ? ['-q'] : []),
    ...(written === undefined || output === 'json' ? [] : [written]),
    ...['verbose', 'atomic', 'id'].filter((name) => flags[name]).map((name) => `--${name}`),
  ]
  if (clash !== undefined)
    throw clashing('--stdin', clash, 'every line is answered with its document in JSON', '')
}

/**
 * Answers one request body a line with one document a line, in order, all from one market: an answer
 * or a problem. Empty lines are skipped, as readers of NDJSON do. Each line has the whole time limit. The exit
 * status is the largest of any line.
 */
export async function answerLines(
  context: Context,
  { args, flags }: { readonly args: readonly string[]; readonly flags: FlagValues },
  command: keyof typeof answers,
): Promise<void> {
  refuseMore(`${command} --stdin`, args)
  refuseMembers(flags, command)
  refuseForms(context, flags)
  const { app, out, surroundings, renewTimeout } = context
  await app.openMarket()
  let worst = 0
  let number = 0
  for await (const line of linesOf(surroundings.stdin)) {
    if (out.closed.aborted) return
    number += 1
    if ('text' in line && line.text.trim() === '') continue
    let document: object
    await renewTimeout?.()
    try {
      document = await answers[command](app, parse(line, number, command))
    } catch (error) {
      const { market } = await app.openMarket()
      document = problemOf(error, market.height)
      worst = Math.max(worst, exitOfError(error))
    }
    await out.result(JSON.stringify(document))
  }
  out.exit(worst)
}

function parse(line: Line, number: number, command: string): unknown {
  try {
    if ('text' in line) return readJson(line.text)
  } catch (error) {
    if (!(error instanceof SwapError) || error.code !== 'INVALID_REQUEST') throw error
    throw notARequest(number, error.why, command, error.members)
  }
  const why = `it is longer than ${LONGEST} bytes`
  throw notARequest(number, why, command, { errors: [{ pointer: '', detail: why }] })
}

const notARequest = (
  number: number,
  why: string | undefined,
  command: string,
  members: SwapError['members'],
): SwapError =>
  new SwapError('INVALID_REQUEST', `line ${number} is not a request that can be read`, {
    ...(why !== undefined && { why }),
    hint: `write one JSON object a line, as POST /swap/${command} takes it`,
    members,
  })

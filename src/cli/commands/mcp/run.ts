import { once } from 'node:events'
import { type Readable, Writable } from 'node:stream'
import { flagOf } from '../../../config/naming.js'
import { errorStack, invalidRequest } from '../../../engine/errors.js'
import { agentProblemOf } from '../../../operations/problem.js'
import { buildVersion } from '../../../platform/version.js'
import { quote } from '../../../render/width.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { refuseFormFlag } from '../../common-flags.js'
import { textsOf, valueName } from '../../flags/checked-flag.js'
import { executionFlags, executionGroups } from '../../flags/execution-flags.js'
import type { SigningScope } from './execution-tools.js'
import { freshMarket, helpResources, quoteTemplate, readingOf } from './reading.js'

/** Serves until the input ends and pending calls are answered. Standard output carries protocol messages only. */
export const runMcp: Run = async (context, _args, flags) => {
  refuseFormFlag(flags, 'mcp', 'it prints messages of the protocol')
  const allowed = allowedIn(flags)
  const { out, surroundings } = context
  const [{ serveOnStdio }, { agentWords, readingTools, resourcesOf }] = await Promise.all([
    import('../../../mcp/stdio.js'),
    import('../../../mcp/reading-tools.js'),
  ])
  const market = freshMarket(context)
  const reading = readingOf(context, market)
  const input = surroundings.stdin as unknown as Readable
  const gone = new AbortController()
  input.once('close', () => gone.abort())
  input.once('end', () => gone.abort())
  // Signing code is loaded only if signing is allowed.
  const executing =
    allowed.size > 0
      ? await (await import('./execution-tools.js')).executionTools(
          context,
          market,
          flags,
          allowed,
          gone.signal,
        )
      : undefined
  const tools = [...readingTools(reading), ...(executing?.tools ?? [])]
  const offer = {
    version: buildVersion,
    tools,
    resources: [...resourcesOf(tools, reading), ...(await helpResources(context))],
    templates: [quoteTemplate(context)],
    problem: (error: unknown, height: number | undefined) =>
      agentProblemOf(error, height, { words: agentWords, isLocal: true }),
    bug: (error: unknown) => out.say(`a bug: ${errorStack(error)}`),
  }
  const output = outputOf(context)
  const closing = once(out.closed, 'abort')
  const served = serveOnStdio(offer, input, output)
  if (surroundings.stdin.isTTY)
    out.note(
      'a client speaks to this command over standard input; how to set one up: swap mcp --help',
    )
  try {
    await Promise.race([served.ended, closing])
  } finally {
    await served.close()
    await Promise.race([new Promise<void>((done) => output.end(() => done())), closing])
    await executing?.close()
    await market.close()
  }
}

/** Names of the flags that nothing uses without `--allow`; an affiliate is that of quotes too. */
const SIGNING = executionGroups.agent
  .filter((each) => each !== executionFlags.affiliate)
  .map(({ flags }) => valueName(flags))

/** @throws SwapError INVALID_REQUEST for any other value, or for a key without a value */
function allowedIn(flags: FlagValues): ReadonlySet<SigningScope> {
  const given = textsOf(flags, 'allow')
  const isAllowed = (each: string): each is SigningScope => each === 'execute' || each === 'orders'
  const stray = SIGNING.find((name) => flags[name] !== undefined)
  if (given.length === 0 && stray !== undefined)
    throw invalidRequest(`${flagOf(stray)} goes with --allow`, '/allow', {
      why: 'without it no tool signs',
      hint: 'add --allow execute, or --allow orders',
    })
  const other = given.find((each) => !isAllowed(each))
  if (other === undefined) return new Set(given.filter(isAllowed))
  throw invalidRequest(`${quote(other)} cannot be allowed`, '/allow', {
    why: 'there are execute, for quotes, and orders: each to preview and to execute a preview',
    hint: 'swap mcp --allow execute --from <key>',
  })
}

/** Standard output as a stream with backpressure: a write completes when the reader has taken the message. */
const outputOf = ({ out }: Context): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      out.stdout.write(chunk.toString(), () => done())
    },
    // Each pending answer adds a listener.
  }).setMaxListeners(0)

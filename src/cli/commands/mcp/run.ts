import { type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { problemOf } from '../../../operations/problem.js'
import { buildVersion } from '../../../platform/version.js'
import { refuseMore } from '../../arguments/arguments.js'
import type { Context } from '../../command.js'
import { freshMarket } from './fresh-market.js'
import { helpResources, quoteTemplate, readingOf } from './reading.js'

/** Answers until the input ends. Standard output carries messages of the protocol alone. */
export async function runMcp(context: Context, args: readonly string[]): Promise<void> {
  refuseMore('mcp', args)
  const { out, surroundings } = context
  const [{ serveOnStdio }, { readingTools }, { resourcesOf }] = await Promise.all([
    import('../../../mcp/stdio.js'),
    import('../../../mcp/reading-tools.js'),
    import('../../../mcp/resources.js'),
  ])
  const market = freshMarket(context)
  const reading = readingOf(context, market)
  const tools = readingTools(reading)
  const offer = {
    version: buildVersion,
    tools,
    resources: [...resourcesOf(tools, reading), ...(await helpResources(context))],
    templates: [quoteTemplate(context)],
    problem: problemOf,
    bug: (error: unknown) => out.say(`a bug: ${error instanceof Error ? error.stack : error}`),
  }
  const input = surroundings.stdin as unknown as Readable
  const handle = serveOnStdio(offer, input, outputOf(context))
  try {
    await Promise.race([finished(input, { writable: false }).catch(() => {}), closed(out.closed)])
  } finally {
    await handle.close()
    await market.close()
  }
}

/** Standard output as a stream that waits until its reader has taken a message. */
const outputOf = ({ out }: Context): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      out.stdout.write(chunk.toString(), () => done())
    },
    // Each waiting answer is a listener.
  }).setMaxListeners(0)

const closed = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

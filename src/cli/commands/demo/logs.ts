import type { DemoLogLine } from '../../../operations/demo-port.js'
import { wholeOf } from '../../arguments/numbers.js'
import type { Context, FlagValues } from '../../command.js'
import { renderLogLine } from './render-log.js'

const LINES = 20
const MOST = 1_000_000

/** Shows the end of the chain's log, and with `--follow` what happens from now on. */
export async function runLogs(
  { demo, out, form }: Context,
  _args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const port = await demo()
  const count = wholeOf(flags, 'lines', '--lines', [0, MOST]) ?? LINES
  const shown = (line: DemoLogLine) =>
    form.kind === 'json' ? JSON.stringify(line) : renderLogLine(line, out.style)
  if (form.quiet > 1) return
  // What is written from here on is followed, so nothing between the two is lost.
  const news = port.follow(out.closed)[Symbol.asyncIterator]()
  await out.result(port.logs(count).map(shown).join('\n'))
  if (flags['follow'] !== true) return
  for (let next = await news.next(); !next.done; next = await news.next())
    await out.result(shown(next.value))
}

import type { DemoLogLine } from '../../../operations/demo-port.js'
import { printable } from '../../../platform/printable.js'
import type { Style } from '../../../render/style.js'
import type { Run } from '../../command.js'
import { numberOf } from '../../flags/checked-flag.js'
import { linesFlag } from '../../flags/command-flags.js'

/** `12:00:02 block 121 txs 3 failed 0`: one thing that happened, in a line. */
function renderLogLine({ time, event, ...facts }: DemoLogLine, style: Style): string {
  const words = Object.entries(facts).map(([name, value]) => `${name} ${printable(String(value))}`)
  const loud = event === 'tx_failed' || event === 'error' || event === 'fault'
  const name = printable(event)
  return [style.muted(time), loud ? style.warning(name) : name, ...words].join(' ')
}

/** Shows the end of the chain's log, and with `--follow` what happens from now on. */
export const runLogs: Run = async ({ demo, out, form }, _args, flags) => {
  const port = await demo()
  const count = numberOf(linesFlag, flags)
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

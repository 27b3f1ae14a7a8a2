import type { DemoLogLine } from '../../../operations/demo-port.js'
import type { Style } from '../../../render/style.js'
import { printable } from '../../../render/width.js'

/** `12:00:02 block 121 txs 3 failed 0`: one thing that happened, in a line. */
export function renderLogLine({ time, event, ...facts }: DemoLogLine, style: Style): string {
  const words = Object.entries(facts).map(([name, value]) => `${name} ${printable(String(value))}`)
  const loud = event === 'tx_failed' || event === 'error' || event === 'fault'
  const name = printable(event)
  return [style.dim(time), loud ? style.yellow(name) : name, ...words].join(' ')
}

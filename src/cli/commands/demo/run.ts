import { didYouMean } from '../../../config/suggest.js'
import { SwapError } from '../../../engine/errors.js'
import type { DemoStatus } from '../../../operations/demo-port.js'
import { quote } from '../../../render/width.js'
import { refuseMore } from '../../arguments/arguments.js'
import { startOf } from '../../arguments/numbers.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { runFail } from './fail.js'
import { runFaucet } from './faucet.js'
import { runLogs } from './logs.js'
import { renderDemo, renderStatus } from './render-status.js'

/** Loaded by who takes it: it knows every other command. */
const tour: Run = async (context, args) => (await import('./tour/tour.js')).runTour(context, args)

/** Runs the embedded chain and everything about it. */
export async function runDemo(
  context: Context,
  [verb, ...args]: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const run = verbs.get(verb ?? '')
  if (run) return run(context, args, flags)
  const known = [...verbs.keys()].filter((each) => each !== '' && each !== 'run')
  throw new SwapError('INVALID_REQUEST', `demo does not know ${quote(verb ?? '')}`, {
    why: `there are ${known.join(', ')}`,
    hint: didYouMean(verb ?? '', known) ?? 'see: swap help demo',
    members: { errors: [{ pointer: '', detail: 'not a word of demo' }] },
  })
}

async function overview(context: Context): Promise<void> {
  const { out, form } = context
  const status = await (await context.demo()).status()
  if (form.quiet > 0 || form.kind === 'json' || (!out.style.tty && !form.human))
    return tell(context, status)
  return out.result(renderDemo(status, out.style))
}

async function status(context: Context, args: readonly string[]): Promise<void> {
  refuseMore('demo status', args)
  return tell(context, await (await context.demo()).status())
}

/** A status in the form that was asked for; quiet it is the address of the RPC. */
async function tell({ out, form }: Context, document: DemoStatus): Promise<void> {
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(document.rpc ?? 'stopped')
  if (form.kind === 'json') return out.result(JSON.stringify(document))
  return out.result(renderStatus(document, form.human, out.style))
}

async function start(context: Context, args: readonly string[], flags: FlagValues): Promise<void> {
  refuseMore('demo start', args)
  const asked = startOf(flags)
  if (flags['foreground'] === true) return run(context, args, flags)
  const { status, already } = await (await context.demo()).start(asked)
  if (already) context.out.note(`the demo chain runs already, as process ${status.pid}`)
  return tell(context, status)
}

/** Runs the chain in this process: what `start` starts, or stays with in the foreground. */
async function run(context: Context, args: readonly string[], flags: FlagValues): Promise<void> {
  refuseMore('demo run', args)
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
  const ready = (status: DemoStatus) => void tell(context, status)
  await (await context.demo()).run(startOf(flags), ready, ending.signal)
}

async function stop({ demo, out, form }: Context, args: readonly string[]): Promise<void> {
  refuseMore('demo stop', args)
  const { pid } = await (await demo()).stop()
  if (form.quiet > 0) return
  if (form.kind === 'json') return out.result(JSON.stringify({ stopped: pid !== null, pid }))
  return out.result(pid === null ? 'the demo chain does not run' : `stopped process ${pid}`)
}

async function reset({ demo, out, form }: Context, args: readonly string[]): Promise<void> {
  refuseMore('demo reset', args)
  const { pid, removed } = await (await demo()).reset()
  if (form.quiet > 0) return
  if (form.kind === 'json')
    return out.result(JSON.stringify({ stopped: pid !== null, pid, removed }))
  const lines = [
    ...(pid === null ? [] : [`stopped process ${pid}`]),
    ...removed.map((path) => `removed ${path}`),
  ]
  return out.result(lines.join('\n') || 'there was nothing to remove')
}

const verbs: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['', overview],
  ['start', start],
  ['run', run],
  ['status', status],
  ['stop', stop],
  ['reset', reset],
  ['faucet', runFaucet],
  ['fail', runFail],
  ['logs', runLogs],
  ['tour', tour],
])

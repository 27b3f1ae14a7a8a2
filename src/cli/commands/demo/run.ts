import type { DemoStatus } from '../../../operations/demo-answer.js'
import type { DemoStart } from '../../../operations/demo-port.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { numberOf, readFlag } from '../../flags/checked-flag.js'
import {
  blockTimeFlag,
  dialectFlag,
  portFlag,
  routerBuildFlag,
  seedFlag,
} from '../../flags/command-flags.js'
import { printAnswer } from '../../print-answer.js'
import { renderDemo, renderStatus } from './render-status.js'

/** What `swap demo` alone prints. */
export async function overview(context: Context): Promise<void> {
  const { out, form } = context
  const status = await (await context.demo()).status()
  if (form.quiet > 0 || form.kind !== 'human' || !out.style.tty) return printStatus(context, status)
  return out.result(renderDemo(status, out.style))
}

export async function status(context: Context): Promise<void> {
  return printStatus(context, await (await context.demo()).status())
}

/** A status in the form that was asked for; quiet it is the address of the RPC. */
const printStatus = (context: Context, document: DemoStatus): Promise<void> =>
  printAnswer(context, document, {
    quiet: () => document.rpc ?? 'stopped',
    human: () => renderStatus(document, context.out.style),
  })

/** The options of a chain that is started. */
function startOf(flags: FlagValues): DemoStart {
  const start = {
    port: numberOf(portFlag, flags),
    blockTimeMs: numberOf(blockTimeFlag, flags),
    seed: numberOf(seedFlag, flags),
    dialect: readFlag(dialectFlag, flags) as DemoStart['dialect'],
    routerBuild: readFlag(routerBuildFlag, flags) as DemoStart['routerBuild'],
    oracles: flags['oracles'] === true ? true : undefined,
  }
  return Object.fromEntries(Object.entries(start).filter(([, value]) => value !== undefined))
}

export const start: Run = async (context, _args, flags) => {
  const asked = startOf(flags)
  if (flags['foreground'] === true) return run(context, _args, flags)
  const { status, already } = await (await context.demo()).start(asked)
  if (already) context.out.note(`the demo chain runs already, as process ${status.pid}`)
  return printStatus(context, status)
}

/** Runs the chain in this process: what `start` starts, or stays with in the foreground. */
export const run: Run = async (context, _args, flags) => {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
  const ready = (status: DemoStatus) => void printStatus(context, status)
  await (await context.demo()).run(startOf(flags), ready, ending.signal)
}

export async function stop({ demo, out, form }: Context): Promise<void> {
  const { pid } = await (await demo()).stop()
  if (form.quiet > 0) return
  if (form.kind === 'json') return out.result(JSON.stringify({ stopped: pid !== null, pid }))
  return out.result(pid === null ? 'the demo chain does not run' : `stopped process ${pid}`)
}

export async function reset({ demo, out, form }: Context): Promise<void> {
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

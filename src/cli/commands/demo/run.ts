import { demoChainId } from '../../../config/network.js'
import type { FaultRequest, StartOptions } from '../../../demo-chain/index.js'
import { invalidRequest } from '../../../engine/errors.js'
import { printable } from '../../../platform/printable.js'
import { csv } from '../../../render/csv.js'
import type { Style } from '../../../render/style.js'
import { quote } from '../../../render/width.js'
import { pairNamed } from '../../arguments/pair-name.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { valuesOf } from '../../flags/checked-flag.js'
import { chainFlags, faultSeedFlag, faultTimeFlag, linesFlag } from '../../flags/command-flags.js'
import { printAnswer, printOutcome, refuseCsv } from '../../print-answer.js'
import type { DemoLogLine, DemoStatus } from './demo-answers.js'
import { requireDemo } from './faucet.js'
import {
  faultColumns,
  faultKindColumns,
  renderDemo,
  renderFaultKinds,
  renderFaults,
  renderStatus,
} from './render.js'

export async function overview(context: Context): Promise<void> {
  const { out, form } = context
  const status = await (await context.demo()).status()
  if (form.quiet > 0 || form.kind !== 'human' || !out.style.tty) return printStatus(context, status)
  return out.result(renderDemo(status, out.style))
}

export async function status(context: Context): Promise<void> {
  return printStatus(context, await (await context.demo()).status())
}

/** Prints a status in the requested form; quiet prints the RPC address. */
const printStatus = (context: Context, document: DemoStatus): Promise<void> =>
  printAnswer(context, document, {
    quiet: () => document.rpc ?? 'stopped',
    human: () => renderStatus(document, context.out.style),
  })

function startOf(flags: FlagValues): StartOptions {
  const oracles = flags['oracles'] === true ? true : undefined
  const start = { ...valuesOf(chainFlags, flags), oracles }
  return Object.fromEntries(Object.entries(start).filter(([, value]) => value !== undefined))
}

export const start: Run = async (context, _args, flags) => {
  const asked = startOf(flags)
  if (flags['foreground'] === true) return run(context, _args, flags)
  const { status, already } = await (await context.demo()).start(asked)
  if (already) context.out.note(`the demo chain runs already, as process ${status.pid}`)
  return printStatus(context, status)
}

/** Runs the chain in this process: the child of `start`, or `start` in the foreground. */
export const run: Run = async (context, _args, flags) => {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
  let printed: Promise<void> | undefined
  const ready = (status: DemoStatus) => {
    printed = printStatus(context, status)
    printed.catch(end)
  }
  await (await context.demo()).run(startOf(flags), ready, ending.signal)
  await printed
}

export async function stop(context: Context): Promise<void> {
  const { pid } = await (await context.demo()).stop()
  const text = pid === null ? 'the demo chain does not run' : `stopped process ${pid}`
  return printOutcome(context, { stopped: pid !== null, pid }, text)
}

/** Removes the chain. The journal is kept: transactions on other nodes may have the same chain id. */
export async function reset(context: Context): Promise<void> {
  const { pid, removed } = await (await context.demo()).reset()
  const { journal } = await context.execution()
  const { intents } = journal.recent(Number.POSITIVE_INFINITY)
  if (intents.some((intent) => intent.chain_id === demoChainId))
    context.out.note(
      'the journal keeps what was signed on this chain: use new keys for --once, and new plan files',
    )
  const lines = [
    ...(pid === null ? [] : [`stopped process ${pid}`]),
    ...removed.map((path) => `removed ${path}`),
  ]
  const text = lines.join('\n') || 'there was nothing to remove'
  return printOutcome(context, { stopped: pid !== null, pid, removed }, text)
}

/** Formats an event as a line. @example '12:00:02 block 121 txs 3 failed 0' */
function renderLogLine({ time, event, ...facts }: DemoLogLine, style: Style): string {
  const words = Object.entries(facts).map(([name, value]) => `${name} ${printable(String(value))}`)
  const loud = event === 'tx_failed' || event === 'error' || event === 'fault'
  const name = printable(event)
  return [style.muted(time), loud ? style.warning(name) : name, ...words].join(' ')
}

/** Shows the end of the chain's log, and with `--follow` new lines as they are written. */
export const runLogs: Run = async (context, _args, flags) => {
  const { demo, out, form } = context
  refuseCsv(context, 'demo logs')
  const port = await demo()
  const count = linesFlag.read(flags)
  const shown = (line: DemoLogLine) =>
    form.kind === 'json' ? JSON.stringify(line) : renderLogLine(line, out.style)
  if (form.quiet > 1) return
  // Following starts at this offset, so that no line between the two is lost.
  const news = port.follow(out.closed)
  await out.result(port.logs(count).map(shown).join('\n'))
  if (flags['follow'] !== true) return
  for await (const line of news) await out.result(shown(line))
}

/** Switches faults on and off, and lists them. */
export const runFail: Run = async (context, [kind, word], flags) => {
  const { style } = context.out
  const demo = await context.demo()
  if (kind === undefined || kind === 'off') refuseFaultFlags(flags)
  if (kind === undefined) {
    const { kinds } = demo
    const words = () => kinds.map((each) => each.kind).join('\n')
    const forms = {
      quiet: words,
      csv: () => csv(kinds, faultKindColumns),
      human: () => renderFaultKinds(kinds, style),
    }
    return printAnswer(context, { kinds }, forms)
  }
  const ended = kind === 'off' ? await demo.off(word) : undefined
  const faults = ended ?? (await demo.fail(await requestOf(context, kind, word, flags)))
  const document = ended ? { ended } : { faults }
  return printAnswer(context, document, {
    quiet: () => '',
    csv: () => csv(faults, faultColumns),
    human: () =>
      ended && faults.length === 0
        ? 'no fault was on'
        : [ended ? 'switched off:' : 'on now:', ...renderFaults(faults, style)].join('\n'),
  })
}

function refuseFaultFlags(flags: FlagValues): void {
  const given = ['for', 'once', 'method', 'pair', 'seed'].find((name) => flags[name] !== undefined)
  if (given === undefined) return
  const why = 'it describes a fault that is switched on'
  throw invalidRequest(`--${given} goes with a fault`, `/${given}`, { why, hint: 'name its kind' })
}

async function requestOf(
  context: Context,
  kind: string,
  number: string | undefined,
  flags: FlagValues,
): Promise<FaultRequest> {
  const forMs = faultTimeFlag.read(flags)
  const seed = faultSeedFlag.read(flags)
  const { method, pair } = flags
  return {
    kind,
    once: flags['once'] === true,
    ...(number !== undefined && { n: argumentOf(number) }),
    ...(forMs !== undefined && { forMs }),
    ...(seed !== undefined && { seed }),
    ...(typeof method === 'string' && { method }),
    ...(typeof pair === 'string' && { pair: await addressOf(context, pair) }),
  }
}

/** Resolves a pair's tokens with the market; the demo chain itself takes addresses only. */
async function addressOf(context: Context, text: string): Promise<string> {
  if (!text.includes('/')) return text
  requireDemo(context.config)
  return pairNamed(context, (await context.app.openMarket()).market, text)
}

function argumentOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidRequest(`${quote(text)} is not a number for a fault`, '/n', {
    why: 'what follows a kind is a whole number: seconds, blocks, percent',
    hint: 'see what each counts: swap demo fail',
  })
}

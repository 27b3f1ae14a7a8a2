import { isOwnDemo } from '../../config/configured.js'
import type { Env } from '../../config/layers.js'
import type { Market } from '../../engine/market/market.js'
import type { OperationContext } from '../../operations/context.js'
import { systemClock } from '../../platform/clock.js'
import type { MarketFeed } from '../../service/feed/market-feed.js'
import { recentMarkets } from '../../service/feed/recent-markets.js'
import type { Context, FlagValues } from '../command.js'
import { exitOfSignal } from '../exit.js'
import { refuseCsv } from '../print-answer.js'
import { type EventSink, lines, ndjson, quietSink, type WatchEnd } from './events.js'
import { follow, openMarketUpdates, type WatchQuery } from './follow.js'
import { hookOf } from './hook.js'
import { type LiveView, screen } from './live-screen.js'
import { type WatchOptions, watchOptionsOf } from './watch-options.js'

/** What a command watches, and how each answer is printed. */
type WatchPlan<Answer> = Omit<WatchQuery<Answer>, 'holds'> &
  LiveView<Answer> & {
    /** Reads the condition of `--until`. @throws SwapError INVALID_REQUEST, INVALID_AMOUNT */
    condition(until: string): WatchQuery<Answer>['holds']
    /** The value that `-q` prints. */
    value(answer: Answer): string
    /** One human-readable line, for pipes. */
    line(answer: Answer): string
  }

/** Runs a command with `--watch` until its count, condition, signal or error ends it. */
export async function watch<Answer>(
  context: Context,
  flags: FlagValues,
  plan: WatchPlan<Answer>,
): Promise<WatchEnd> {
  const { out, config } = context
  const options = watchOptionsOf(flags, config.values.snapshot)
  const hook = options.exec === undefined ? undefined : hookOf(options.exec, context.surroundings)
  refuseCsv(context, '--watch')
  const { until } = options
  const holds = until === undefined ? () => false : plan.condition(until)
  const ending = new AbortController()
  const stop = (end: WatchEnd) => ending.abort(end)
  const stopListening = onSignals(stop)
  const gone = () => stop({ reason: 'quit', exit: 0 })
  out.closed.addEventListener('abort', gone)
  await startDemo(context)
  const parts = await context.service()
  const { maxAge, timeout } = config.values
  const { feed, updates } = await openMarketUpdates((failed) => parts.feed({ failed, maxAge }))
  const evidence = flags['slippage'] === 'auto' ? seenBlocks(feed, context) : undefined
  const query: WatchQuery<Answer> = {
    ...plan,
    holds,
    ask: (app) => plan.ask({ ...app, ...(evidence && { evidence }) }),
  }
  try {
    const end = await follow(query, options, {
      updates,
      clock: systemClock,
      sink: sinkOf(context, plan, options, stop),
      signal: ending.signal,
      hook,
      firstMarketTimeoutMs: timeout,
    })
    out.exit(end.exit)
    return end
  } finally {
    stopListening()
    out.closed.removeEventListener('abort', gone)
    await feed.close()
  }
}

/** Starts the demo chain, which makes blocks only while its process runs. It keeps running afterwards. */
export async function startDemo({ config, demo, out }: Context): Promise<void> {
  if (!isOwnDemo(config)) return
  const { status, already } = await (await demo()).start({})
  if (!already)
    out.note(`the demo chain now runs as process ${status.pid}; it ends with: swap demo stop`)
}

function sinkOf<Answer>(
  { form, out, config, surroundings }: Context,
  plan: WatchPlan<Answer>,
  { leastMs, exec, fullscreen }: WatchOptions,
  stop: (end: WatchEnd) => void,
): EventSink<Answer> {
  if (form.quiet > 1) return quietSink(out)
  if (form.quiet === 1) return lines(out, plan.value)
  if (form.kind === 'json') return ndjson(out)
  const why =
    exec === undefined
      ? whyUndrawable(out.stdout.isTTY === true, surroundings.env)
      : 'the command of --exec writes between the lines'
  if (why === undefined)
    return screen(out, plan, {
      terminal: {
        stdout: out.stdout as NodeJS.WriteStream,
        stdin: surroundings.stdin.isTTY ? (surroundings.stdin as NodeJS.ReadStream) : undefined,
      },
      width: config.values.width,
      pace: leastMs === 0 ? 'every block' : `every ${leastMs / 1_000} s`,
      fullscreen,
      stop,
    })
  if (fullscreen || out.stdout.isTTY) out.note(`nothing is drawn in place: ${why}`)
  return out.style.tty ? lines(out, plan.line) : ndjson(out)
}

/** Stops watching at SIGINT and SIGTERM. @returns a function that removes the listeners */
export function onSignals(stop: (end: WatchEnd) => void): () => void {
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((signal) => {
    const listener = () => stop({ reason: 'interrupted', exit: exitOfSignal[signal] })
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  return () => {
    for (const off of listeners) off()
  }
}

/** Variables of CI systems, where ink draws nothing before the end. */
const CI = ['CI', 'CONTINUOUS_INTEGRATION'] as const

/**
 * Why a live region cannot be drawn, so that lines are printed instead; `undefined` if it can
 * be.
 */
export function whyUndrawable(isTerminal: boolean, env: Env): string | undefined {
  if (!isTerminal) return 'standard output is not a terminal'
  if (env['TERM'] === 'dumb') return 'TERM is dumb: the cursor stays where it is'
  const ci = CI.find((name) => env[name] !== undefined && !/^(0|false)$/.test(env[name]))
  return ci && `${ci} is set: a build has no viewer`
}

/** The blocks for `--slippage auto` under `--watch`: the watched ones, after those of `--tape`. */
export function seenBlocks(
  feed: Pick<MarketFeed, 'current' | 'subscribe'>,
  { app, config }: Pick<Context, 'app' | 'config'>,
): NonNullable<OperationContext['evidence']> {
  const { autoSlippageBlocks: count, autoSlippageQuantile: quantileBps } = config.values
  const watched = recentMarkets(feed, count)
  let recorded: Promise<readonly Market[]> | undefined
  return async () => {
    const seen = watched()
    const first = seen[0]?.height ?? 0
    recorded ??= Promise.resolve(app.evidence?.(first - 1)).then((tape) => tape?.markets ?? [])
    const before = (await recorded).filter(({ height }) => height < first)
    return { markets: [...before, ...seen].slice(-count), quantileBps }
  }
}

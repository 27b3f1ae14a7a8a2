import { SwapError } from '../../engine/errors.js'
import type { Context, FlagValues } from '../command.js'
import { whyUndrawable } from '../live/drawable.js'
import { systemClock } from './clock.js'
import { follow, type Subject } from './follow.js'
import type { End, Sink } from './moment.js'
import { type WatchOptions, watchOptionsOf } from './options.js'
import { type Picture, screen } from './screen.js'
import { lines, ndjson, silent } from './sinks.js'
import { watchedFeed } from './watched.js'

/** A command that goes on: what it asks, and how an answer is told. */
export type Plan<Answer> = {
  readonly subject: Subject<Answer>
  readonly picture: Picture<Answer>
  /** The one value that a script wants. */
  value(answer: Answer): string
  /** A line for people in a pipe. */
  line(answer: Answer): string
}

/** Goes on until it is told to end. `plan` is given the condition of `--until` as it was typed. */
export async function watch<Answer>(
  context: Context,
  flags: FlagValues,
  plan: (options: WatchOptions) => Plan<Answer>,
): Promise<End> {
  const { out, config } = context
  const options = watchOptionsOf(flags, config.values.snapshot)
  requireForm(context)
  const planned = plan(options)
  const ending = new AbortController()
  const stop = (end: End) => ending.abort(end)
  const unhear = hearSignals(stop)
  const gone = () => stop({ reason: 'quit', exit: 0 })
  out.closed.addEventListener('abort', gone)
  await startDemo(context)
  const parts = await context.service()
  const { maxAge, timeout } = config.values
  const { feed, watched } = await watchedFeed((failed) => parts.feed({ failed, maxAge }))
  try {
    const end = await follow(planned.subject, options, {
      watched,
      clock: systemClock,
      sink: sinkOf(context, planned, options, stop),
      signal: ending.signal,
      patienceMs: timeout,
    })
    out.exit(end.exit)
    return end
  } finally {
    unhear()
    out.closed.removeEventListener('abort', gone)
    await feed.close()
  }
}

/** @throws SwapError INVALID_REQUEST for a form that cannot go on */
export function requireForm({ form }: Pick<Context, 'form'>): void {
  if (form.kind !== 'csv') return
  const why = 'rows of one table are not events'
  throw new SwapError('INVALID_REQUEST', '--csv does not go with --watch', {
    why,
    hint: 'take --json: an event a line, each complete on its own',
    members: { errors: [{ pointer: '/output', detail: why }] },
  })
}

/** The demo chain makes blocks only while a process runs it; it stays when the watching ends. */
async function startDemo({ config, demo, out }: Context): Promise<void> {
  if (config.network.name !== 'demo' || config.values.rpc !== undefined) return
  const { status, already } = await (await demo()).start({})
  if (!already)
    out.note(`the demo chain now runs as process ${status.pid}; it ends with: swap demo stop`)
}

function sinkOf<Answer>(
  { form, out, config, surroundings }: Context,
  { picture, value, line }: Plan<Answer>,
  { leastMs, fullscreen }: WatchOptions,
  stop: (end: End) => void,
): Sink<Answer> {
  if (form.quiet > 1) return silent(out)
  if (form.quiet === 1) return lines(out, value)
  if (form.kind === 'json') return ndjson(out)
  const why = whyUndrawable(out.style.tty, surroundings.env)
  if (why === undefined)
    return screen(out, picture, {
      terminal: {
        stdout: out.stdout as NodeJS.WriteStream,
        stdin: surroundings.stdin.isTTY ? (surroundings.stdin as NodeJS.ReadStream) : undefined,
      },
      width: config.values.width,
      pace: leastMs === 0 ? 'every block' : `every ${leastMs / 1_000} s`,
      fullscreen,
      stop,
    })
  if (fullscreen || out.style.tty) out.note(`nothing is drawn in place: ${why}`)
  return form.human || out.style.tty ? lines(out, line) : ndjson(out)
}

/** What a shell shows for a process that a signal ended. */
const exits = { SIGINT: 130, SIGTERM: 143 } as const

/** Ends in good order at a signal. @returns what stops listening */
function hearSignals(stop: (end: End) => void): () => void {
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((signal) => {
    const listener = () => stop({ reason: 'interrupted', exit: exits[signal] })
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  return () => {
    for (const off of listeners) off()
  }
}

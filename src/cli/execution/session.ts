import type { Config } from '../../config/load.js'
import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { groupThousands } from '../../engine/math/counted.js'
import { Interrupted as Stopped } from '../../execution/interrupted.js'
import type { Owner } from '../../execution/journal/intent.js'
import { type SigningRecords, spentLastDay } from '../../execution/plan/limits.js'
import type { Session, Step } from '../../execution/session.js'
import { systemClock } from '../../platform/clock.js'
import { beside, sentence, wrapText } from '../../render/layout.js'
import { glyphsOf, type Style, safeText } from '../../render/style.js'
import type { PasswordPrompt } from '../accounts/passwords.js'
import type { Context, FlagValues } from '../command.js'
import { type InterruptCause, Interrupted } from '../exit.js'
import { executionFlags } from '../flags/execution-flags.js'
import type { Allowance } from './confirm-fields.js'
import type { ExecutionParts } from './dependencies.js'
import { waitingOf } from './terms.js'

/** Waiting ends if no node has shown a new block for this long, in milliseconds. */
const STALL_MS = 60_000

const neverConfirms = (): never => {
  throw new Error('a session without a confirmation signs nothing')
}

/** The session of an execution; without `confirm` it only tracks transactions. */
export async function sessionOf(
  { context, parts, flags, interrupt }: Tracking,
  confirm: Session['confirm'] = neverConfirms,
): Promise<Session> {
  return {
    chain: await parts.chain(),
    journal: parts.journal,
    ledger: parts.ledger,
    clock: systemClock,
    progress: progressOf(context, flags),
    interrupt,
    lock: (owner) => parts.lock(owner, executionFlags.lockWait.read(flags)),
    confirm,
    waiting: waitingOf(flags),
    pollIntervalMs: parts.pollIntervalMs,
    stallMs: STALL_MS,
  }
}

/** Whether every step is printed as a line of JSON, with the report as the last one; not beside the value of `-q`. */
export const isEvents = ({ form }: Pick<Context, 'form'>, flags: FlagValues): boolean =>
  form.quiet === 0 && (flags['ndjson'] === true || flags['output'] === 'ndjson')

/** Prints steps: as lines on stderr at a terminal, as events with `--ndjson`. */
function progressOf(context: Context, flags: FlagValues): (step: Step) => void {
  const { out, form } = context
  // A failure to write is reported again with the report, which says what was executed.
  if (isEvents(context, flags))
    return (step) => void out.result(JSON.stringify({ type: 'stage', ...step })).catch(() => {})
  if (form.quiet > 0 || !out.noteStyle.tty) return () => {}
  let sentAt: number | undefined
  let seen = 0
  return (step) => {
    if (step.stage === 'signed') sentAt = systemClock.now()
    if (step.stage === 'waiting') seen += 1
    // The first poll is immediate; waiting for a second block is unusual and worth a line.
    if (step.stage === 'waiting' && seen !== 3) return
    const sinceMs = sentAt === undefined ? undefined : systemClock.now() - sentAt
    const line = stepLine(step, out.noteStyle, sinceMs)
    if (line !== undefined) out.say(line)
  }
}

const STOPPING = 'stopping: one more poll for signed transactions; ctrl-c again leaves at once'

/**
 * Runs work that ctrl-c may stop: the first one stops it or, after something was signed, makes it report the
 * current status; the second one ends the process.
 *
 * @param work gets `hold`, after which the first ctrl-c waits for it. Abandoned work stops at its next check
 * of the signal and never sends
 * @throws Interrupted if stopped before anything was sent
 */
export async function interruptible<T>(
  { out, form }: Context,
  work: (signal: AbortSignal, hold: () => void) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  let isHeld = false
  const hold = () => {
    isHeld = true
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let by: InterruptCause = 'ctrl-c'
  const forget = () => {
    for (const signal of signals) process.removeListener(signal, end)
  }
  // Kept until the work ends: without a listener the signal would end the process.
  const end = (signal: (typeof signals)[number]) => {
    if (!stop.signal.aborted) {
      // The terminal has printed ^C: start a new line.
      if (signal === 'SIGINT' && out.noteStyle.tty) out.say('')
      if (signal !== 'SIGINT') by = signal
      return stop.abort()
    }
    forget()
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, end)
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => {
      if (!isHeld) return reject(new Interrupted(by))
      if (out.noteStyle.tty && form.quiet === 0) out.say(sentence(STOPPING, out.noteStyle))
    })
  })
  try {
    return await Promise.race([work(stop.signal, hold), stopped])
  } catch (error) {
    if (error instanceof Stopped) throw new Interrupted(by, error.signed, isHeld)
    if (!(error instanceof Interrupted)) throw error
    throw new Interrupted(stop.signal.aborted ? by : error.by, undefined, isHeld)
  } finally {
    forget()
  }
}

/** Columns before the text of a step. */
const STEP = 16

/**
 * A step as one line for a person; `undefined` for one that the screen has already shown.
 *
 * @param sinceMs milliseconds since signing; `undefined` if another process signed
 */
export function stepLine(
  step: Step,
  style: Style,
  sinceMs: number | undefined,
): string | undefined {
  const { yes, ellipsis, dot } = glyphsOf(style)
  const line = (mark: string, what: string, text: string) =>
    beside(`${mark} ${what}`, wrapText(safeText(text, style), style.width - STEP), STEP).join('\n')
  const done = (what: string, text: string) => line(style.good(yes), what, text)
  const short = (hash: string) => `${hash.slice(0, 6)}${ellipsis}${hash.slice(-4)}`
  const block = (height: number) => `block ${groupThousands(`${height}`)}`
  switch (step.stage) {
    case 'unlocked':
      return done('unlocked', step.name)
    case 'signer_asked':
      return line(dot, 'asked', `${step.name}: confirm it there`)
    case 'signed':
      return done('signed', `sequence ${step.sequence}, valid until ${block(step.until)}`)
    case 'accepted':
      return done('accepted', `${short(step.hash)} by ${step.by}`)
    case 'included':
      return sinceMs === undefined
        ? done('included', `${short(step.hash)} in ${block(step.height)}`)
        : done('included', `${block(step.height)} (${(sinceMs / 1000).toFixed(1)} s)`)
    case 'waiting': {
      const until = groupThousands(`${step.until}`)
      return line(dot, 'waiting', `${block(step.height)}, valid until ${until}`)
    }
    case 'uncompared':
      return sentence(
        `${style.warning('!')} one node alone answers of ${step.of}: nothing could be compared`,
        style,
      )
    case 'replaced':
      return line(
        style.warning('!'),
        'not executed',
        'another transaction of this account took its place; it is built again',
      )
    case 'again':
      return line(style.warning('!'), 'sending again', step.why)
    default:
      return undefined
  }
}

/**
 * What the limits leave to `--yes` now; `undefined` without limits. With a damaged journal `--yes` cannot
 * sign, but a person can.
 */
export function allowanceOf(
  { values }: Config,
  records: SigningRecords,
  owner: Owner,
  { time }: Pick<Market, 'time'>,
): Allowance | undefined {
  const { limitsPerTxUsd: perTx, limitsPerDayUsd: perDay } = values
  if (perTx === undefined && perDay === undefined) return undefined
  if (perDay === undefined) return { perTx, perDay, leftToday: undefined }
  const times = { chain_time: time, local_time: systemClock.time() }
  try {
    const left = perDay - spentLastDay(records, owner, times)
    return { perTx, perDay, leftToday: left > 0n ? left : 0n }
  } catch (error) {
    if (!(error instanceof SwapError) || error.code !== 'LIMIT_EXCEEDED') throw error
    return { perTx, perDay, leftToday: undefined }
  }
}

/** One invocation of a command that tracks transactions, with the ctrl-c signal. */
export type Tracking = {
  readonly context: Context
  readonly parts: ExecutionParts
  readonly flags: FlagValues
  readonly interrupt: AbortSignal
}

/** A call of such a command; once it has called `hold`, the first ctrl-c waits for it. */
export type Call = Tracking & { hold(): void }

/** One invocation of a signing command. `hold` is called before a signed transaction is published. */
export type Invocation = Call & { readonly asking: PasswordPrompt }

/** Runs a command that tracks transactions until it ends or ctrl-c stops it. */
export const whileTracking = <T>(
  context: Context,
  flags: FlagValues,
  work: (call: Call) => Promise<T>,
): Promise<T> =>
  interruptible(context, async (interrupt, hold) => {
    const parts = await context.execution()
    interrupt.throwIfAborted()
    return work({ context, parts, flags, interrupt, hold })
  })

import type {
  HistoryAccess,
  Indexer,
  IndexProgress,
  IndexRun,
} from '../../../operations/history/history-port.js'
import type { Context } from '../../command.js'
import { statusLine } from '../../status-line.js'
import { renderProgress, renderRun } from './render-progress.js'
import type { Filling } from './request.js'

/** A run that takes less is not worth a line. */
const QUIET_MS = 300

/** Milliseconds between two updates of the line on a terminal, and between two lines elsewhere. */
const TERMINAL_MS = 100
const PIPE_MS = 10_000

/** As by shells: ended by the signal that ctrl-c sends. */
const INTERRUPTED = 130

/** Opens the chain and fills the index. @returns whether it ran to its end */
export async function filled(
  context: Pick<Context, 'out' | 'form'>,
  access: Pick<HistoryAccess, 'indexer'>,
  filling: Filling,
): Promise<boolean> {
  const indexer = await access.indexer()
  try {
    return await fill(context, indexer, filling)
  } finally {
    indexer.close()
  }
}

/**
 * Fills the index while a line on stderr shows the progress. Ctrl-c ends it after the current batch.
 *
 * @returns whether it ran to its end
 */
export async function fill(
  { out, form }: Pick<Context, 'out' | 'form'>,
  indexer: Indexer,
  filling: Filling,
): Promise<boolean> {
  const ending = new AbortController()
  const end = () => ending.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  const line = form.quiet > 1 ? noLine : lineOf(out)
  let lastFailure = ''
  try {
    const run = await indexer.run({
      ...filling,
      signal: AbortSignal.any([ending.signal, out.closed]),
      progress: line.show,
      failed(error) {
        const message = error instanceof Error ? error.message : String(error)
        // A node that restarts fails every second in the same way.
        if (message === lastFailure) return
        lastFailure = message
        line.clear()
        out.note(`tried again: ${message}`)
      },
    })
    line.clear()
    printResult(run, { out, form })
    return run.complete
  } finally {
    line.clear()
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}

function printResult(run: IndexRun, { out, form }: Pick<Context, 'out' | 'form'>): void {
  if (form.quiet <= 1) for (const sentence of renderRun(run)) out.note(sentence)
  if (!run.complete) out.exit(INTERRUPTED)
}

type Line = { show(progress: IndexProgress): void; clear(): void }

const noLine: Line = { show: () => {}, clear: () => {} }

function lineOf({ noteStyle: style, stderr }: Context['out']): Line {
  const line = statusLine(stderr)
  const begun = performance.now()
  let last = begun + QUIET_MS - TERMINAL_MS
  if (!style.tty) last = begun
  return {
    show(progress) {
      const now = performance.now()
      if (now - last < (style.tty ? TERMINAL_MS : PIPE_MS)) return
      last = now
      const text = renderProgress(progress, style)
      if (style.tty) line.show(text)
      else stderr.write(`${text}\n`, () => {})
    },
    clear: line.clear,
  }
}

import { invalidRequest, type SwapError } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { sentence } from '../../../render/layout.js'
import { openRecorder, type Recorder } from '../../../tape/recorder.js'
import type { Context, Run } from '../../command.js'
import { blocksFlag } from '../../flags/command-flags.js'
import { printAnswer } from '../../print-answer.js'
import { noMarket } from '../../watch/follow.js'
import { onSignals, startDemo } from '../../watch/watch.js'
import { recordLine } from './run.js'

/** Appends each new market to a tape until the count is reached or a signal arrives. */
export const record: Run = async (context, [file = ''], flags) => {
  const { config, out } = context
  if (config.values.snapshot !== undefined) throw savedMarket()
  const recorder = await openRecorder(file)
  if (recorder.dropped !== undefined) out.note(recorder.dropped)
  try {
    await startDemo(context)
    const blocks = await recordBlocks(context, recorder, blocksFlag.read(flags))
    const facts = { path: file, bytes: recorder.bytes(), blocks, last: recorder.last() ?? null }
    const answer = { ...facts, dropped: recorder.dropped ?? null }
    return await printAnswer(context, answer, {
      quiet: () => `${blocks}`,
      human: () => sentence(recordLine(answer), out.style),
    })
  } finally {
    recorder.close()
  }
}

/** @returns the number of appended blocks */
async function recordBlocks(
  context: Context,
  recorder: Recorder,
  count: number | undefined,
): Promise<number> {
  const { out } = context
  const { maxAge, timeout } = context.config.values
  const parts = await context.service()
  let blocks = 0
  let failure: unknown
  let end = () => {}
  let fail: (error: unknown) => void = () => {}
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  const stopListening = onSignals(() => end())
  const late = setTimeout(() => fail(failure ?? noMarket(timeout)), timeout)
  const opened = parts.feed({
    maxAge,
    failed(error) {
      failure = error
      if (blocks > 0 && error instanceof Error) out.note(error.message)
    },
    arrived({ view: { market } }) {
      clearTimeout(late)
      // A continued tape may already have the newest block.
      if (blocks === count || market.height === recorder.last()) return
      try {
        recorder.append(market)
        blocks += 1
        if (blocks === count) end()
      } catch (error) {
        fail(error)
      }
    },
  })
  opened.catch(fail)
  const line = (seconds: number) => `recording: ${counted(blocks, 'block')} in ${seconds} s`
  try {
    await out.whileWaiting(line, () => ended)
    return blocks
  } finally {
    clearTimeout(late)
    stopListening()
    await (await opened).close()
  }
}

export const savedMarket = (): SwapError =>
  invalidRequest('a saved market cannot be recorded', '/snapshot', {
    why: 'it has one block, or was recorded already',
    hint: 'leave --snapshot out; a part of a tape: swap tape cut',
  })

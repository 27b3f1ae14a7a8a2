import { resume } from '../../../execution/execute.js'
import type { Context, Run } from '../../command.js'
import type { Executing } from '../../execution/carry-out.js'
import type { ExecutionParts } from '../../execution/dependencies.js'
import { printResult } from '../../execution/print.js'
import { interruptible, sessionOf } from '../../execution/session.js'
import { Interrupted } from '../../exit.js'
import { broadcastBytes } from './broadcast.js'
import { hashOf, runShow, unknownHash } from './show.js'
import { signFile } from './sign-file.js'

type Verb = (
  context: Context,
  parts: ExecutionParts,
  word: string,
  call: Omit<Executing, 'asking'>,
) => Promise<void>

const verbs = { sign: signFile, broadcast: broadcastBytes, wait: waitFor }

/** Single transactions: signed apart, sent, waited for. */
export const runTx =
  (verb: keyof typeof verbs): Run =>
  (context, [word = ''], flags) => {
    let isHeld = false
    const hold = () => {
      isHeld = true
    }
    return interruptible(
      context,
      async (interrupt) => {
        const parts = await context.execution()
        interrupt.throwIfAborted()
        return verbs[verb](context, parts, word, { flags, interrupt, hold })
      },
      () => isHeld,
    )
  }

/** Waits until the outcome of a transaction is certain. One not signed here is only looked up. */
async function waitFor(
  context: Context,
  parts: ExecutionParts,
  word: string,
  { flags, interrupt, hold }: Parameters<Verb>[3],
): Promise<void> {
  hold()
  const session = await sessionOf(context, parts, flags, { interrupt })
  const intent = parts.journal.find(word)
  if (intent !== undefined) return printResult(context, await resume(session, intent), flags)
  const hash = hashOf(word)
  for (let tries = 0; tries < 60 && !interrupt.aborted; tries += 1) {
    const found = await session.chain.find(hash)
    if (found !== undefined) return runShow(context, [hash], flags)
    await session.clock.sleep(session.pollIntervalMs, interrupt)
  }
  if (interrupt.aborted) throw new Interrupted()
  throw unknownHash(hash)
}

import { sroute } from '../../../operations/split/split.js'
import { readSplitRequest } from '../../../operations/split/split-request.js'
import type { Context } from '../../command.js'
import { answerLines, type Call } from '../../quotes/answer-lines.js'

/** Answers one body of `POST /swap/sroute` a line, all from one market. */
export const splitLines = (context: Context, call: Call): Promise<void> =>
  answerLines(context, call, {
    command: 'sroute',
    answer: (app, body) => sroute(app, readSplitRequest(body)),
  })

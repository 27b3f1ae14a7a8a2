import { readSplitRequest } from '../../app/split/request.js'
import { sroute } from '../../app/split/split.js'
import type { Context } from '../command.js'
import { answerLines, type Call } from '../route/batch.js'

/** Answers one body of `POST /swap/sroute` a line, all from one market. */
export const splitLines = (context: Context, call: Call): Promise<void> =>
  answerLines(context, call, {
    command: 'sroute',
    answer: (app, body) => sroute(app, readSplitRequest(body)),
  })

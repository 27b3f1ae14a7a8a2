import { readSplitRequest } from '../../app/split/request.js'
import { sroute } from '../../app/split/split.js'
import type { Context } from '../command.js'
import { answerLines } from '../route/batch.js'

/** Answers one body of `POST /swap/sroute` a line, all from one market. */
export const splitLines = (context: Context, args: readonly string[]): Promise<void> =>
  answerLines(context, args, {
    command: 'sroute',
    answer: (app, body) => sroute(app, readSplitRequest(body)),
  })

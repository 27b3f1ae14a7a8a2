import type { Topic } from './topic.js'

/** What each exit status means: what to do next. */
export const exitStatuses: readonly (readonly [status: number, meaning: string])[] = [
  [0, 'success'],
  [1, 'doctor found something that does not work'],
  [2, 'fix the call: an amount, a token, a flag or a document cannot be used'],
  [3, 'no route, or not for this amount: change the trade'],
  [4, 'no answer from the chain: try again later'],
  [5, 'a price guard refused, or the price has moved: quote again'],
  [6, 'the account does not hold enough'],
  [7, 'the key file or its password'],
  [8, 'not confirmed'],
  [9, 'sent, and the outcome is not known yet: wait, never send it again'],
  [10, 'the chain refused the transaction, or it failed'],
  [11, 'the market is halted: wait'],
  [12, 'some of several transactions were done'],
  [13, 'another process holds the key, the chain, the database or the port'],
  [14, 'above a configured spending limit'],
  [70, 'a bug in this program'],
  [130, 'ctrl-c, before anything was sent'],
  [141, 'the reader of the output closed the pipe'],
]

export const exitTopic: Topic = {
  name: 'exit',
  summary: 'Exit statuses: what to do next',
  parts: [
    'An exit status says what to do next, not what went wrong; that says the code of the error.',
    exitStatuses.map(([status, meaning]) => [`${status}`.padStart(3), meaning] as const),
    'With --json the document of the error is on standard output, and its code is the same word in a pipe, in a log and in the service.',
  ],
}

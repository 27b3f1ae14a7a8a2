import { checkedFlag, durationFlag, ratioFlag, wholeFlag } from '../../flags/checked-flag.js'

/** Longest times that make sense, in milliseconds: an hour. */
const TIMES = [0, 3_600_000] as const

export const keepAliveFlag = durationFlag(
  '--keep-alive <time>',
  'keep idle connections; longer than a proxy does',
  TIMES,
  { usual: 5_000 },
)
export const drainDelayFlag = durationFlag(
  '--drain-delay <time>',
  'after SIGTERM, stay unready this long first',
  TIMES,
  { usual: 0 },
)
export const shutdownGraceFlag = durationFlag(
  '--shutdown-grace <time>',
  'requests in flight may take this long',
  TIMES,
  { usual: 10_000 },
)
export const minBooksFlag = ratioFlag(
  '--min-books <80%>',
  'quote only while so many of the pairs can be read',
)
export const maxInflightFlag = wholeFlag(
  '--max-inflight <n>',
  'long answers that may wait',
  [1, 10_000],
  { usual: 64 },
)
export const threadsFlag = wholeFlag('--threads <n>', 'threads for long answers', [1, 64], {
  fallback: 'cores less one',
})
export const logFlag = checkedFlag(
  '--log <form>',
  { description: 'Form of the log on stderr', enum: ['text', 'json'] },
  { fallback: 'text on a terminal' },
)

/** The pause after the first failure, and the longest one, in milliseconds. */
type BackOff = { readonly firstMs: number; readonly longestMs: number }

/** The longest pause after a number of failures in a row (at least 1): doubles with each. */
export const longestPause = ({ firstMs, longestMs }: BackOff, failures: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30))

/**
 * A pause with full jitter: uniform between 0 and the longest, so that callers that failed together do not retry
 * together.
 */
export const jitteredPause = (
  backOff: BackOff,
  failures: number,
  random: () => number = Math.random,
): number => random() * longestPause(backOff, failures)

/** What the work returns; `undefined` where it throws: an error of this class, or any error without one. */
export function attempt<T>(
  work: () => T,
  only?: abstract new (...facts: never[]) => Error,
): T | undefined {
  try {
    return work()
  } catch (error) {
    if (only !== undefined && !(error instanceof only)) throw error
    return undefined
  }
}

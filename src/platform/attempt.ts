type ErrorClass = abstract new (...facts: never[]) => Error

/** What the work returns; `undefined` where it throws: an error of these classes, or any error without one. */
export function attempt<T>(work: () => T, ...only: readonly ErrorClass[]): T | undefined {
  try {
    return work()
  } catch (error) {
    return requireOf(error, only)
  }
}

/** The same for work that is awaited. */
export async function attemptAsync<T>(
  work: () => T | Promise<T>,
  ...only: readonly ErrorClass[]
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    return requireOf(error, only)
  }
}

/** Throws an error of another class. */
function requireOf(error: unknown, only: readonly ErrorClass[]): undefined {
  if (only.length > 0 && !only.some((each) => error instanceof each)) throw error
}

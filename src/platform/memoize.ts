import { attemptAsync } from './attempt.js'

/** Computes a result once for each object, and keeps it as long as the object is in use. */
export function keptWith<Of extends object, Result extends object>(
  compute: (of: Of) => Result,
): (of: Of) => Result {
  const kept = new WeakMap<Of, Result>()
  return (of) => {
    const result = kept.get(of) ?? compute(of)
    kept.set(of, result)
    return result
  }
}

/** A value that is loaded on first use, and again after a failure. */
export function loadOnce<T>(load: () => Promise<T>): {
  get(): Promise<T>
  /** Forgets the value. @returns it; `undefined` if none is loaded */
  take(): Promise<T | undefined>
} {
  let loading: Promise<T> | undefined
  return {
    get: () =>
      (loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      })),
    take() {
      const last = loading
      loading = undefined
      return attemptAsync(() => last)
    },
  }
}

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

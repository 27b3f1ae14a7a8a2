/**
 * Works on several items at a time and gives what came of them in the order of the items. After a
 * failure nothing more is begun, and what is under way is of no interest.
 */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const flying: Promise<R>[] = []
  const source = items[Symbol.iterator]()
  const begin = (): void => {
    const next = source.next()
    if (next.done) return
    const result = work(next.value)
    // Whoever waits for it hears of its failure; when nobody does any more, nobody should.
    result.catch(() => {})
    flying.push(result)
  }
  for (let i = 0; i < width; i++) begin()
  for (let next = flying.shift(); next !== undefined; next = flying.shift()) {
    const result = await next
    begin()
    yield result
  }
}

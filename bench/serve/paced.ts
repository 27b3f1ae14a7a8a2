import { type Wire, wire } from './wire.js'

/** What a fixed rate gave; milliseconds. */
export type Paced = {
  readonly sent: number
  readonly statuses: ReadonlyMap<number, number>
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  /** How late the generator itself was, at its 99th percentile. */
  readonly lag: number
}

export type Load = {
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  /** The body of the next request. */
  readonly body: () => string
}

/**
 * Sends requests at even distances whatever becomes of them, and measures each from the moment at
 * which it was due: one that has to wait for others to be answered is late, and counts as such.
 */
export async function paced({ url, perSecond, seconds, body }: Load): Promise<Paced> {
  const target = new URL(url)
  const idle: Wire[] = []
  const [took, late]: [number[], number[]] = [[], []]
  const statuses = new Map<number, number>()
  const all: Promise<void>[] = []
  const total = perSecond * seconds
  const begin = performance.now() + 50
  const dueOf = (n: number) => begin + (n * 1_000) / perSecond
  const send = async (due: number): Promise<void> => {
    late.push(performance.now() - due)
    let line = idle.pop()
    while (line?.open() === false) line = idle.pop()
    line ??= wire(target)
    const status = await line.post(body())
    took.push(performance.now() - due)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 0) line.end()
    else idle.push(line)
  }
  for (let n = 0; n < total; ) {
    const now = performance.now()
    while (n < total && dueOf(n) <= now) all.push(send(dueOf(n++)))
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueOf(n) - performance.now())))
  }
  await Promise.all(all)
  for (const line of idle) line.end()
  const at = quantiles(took)
  const each = { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) }
  return { sent: total, statuses, ...each, lag: quantiles(late)(0.99) }
}

/** Quantiles of some numbers, by rank. */
export function quantiles(numbers: readonly number[]): (q: number) => number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

import type { PlanDocument } from './plan-document.js'

/** Slices of equal size that add up to the amount; the first ones have the atomics that are left over. */
export function evenSlices(
  amount: bigint,
  count: number,
  { start, everyMs }: { readonly start: number; readonly everyMs: number },
): PlanDocument['slices'] {
  const share = amount / BigInt(count)
  const more = amount % BigInt(count)
  return Array.from({ length: count }, (_, i) => ({
    amount: `${share + (BigInt(i) < more ? 1n : 0n)}`,
    due: new Date(start + i * everyMs).toISOString(),
  }))
}

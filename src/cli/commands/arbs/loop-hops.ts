import { SwapError } from '../../../engine/errors.js'

/** `--max-hops` of a circle, which has two hops at least. @throws SwapError INVALID_REQUEST */
export function circleHops(maxHops: number): number {
  if (maxHops >= 2) return maxHops
  const why = 'a circle has at least two hops'
  throw new SwapError('INVALID_REQUEST', `${maxHops} hops are no circle`, {
    why,
    hint: 'write --max-hops 2, or leave it out for 4',
    members: { errors: [{ pointer: '/max_hops', detail: why }] },
  })
}

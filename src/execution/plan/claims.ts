import { SwapError } from '../../engine/errors.js'
import { parseUint128 } from '../../engine/math/decimal.js'
import { type JsonObject, recordOf } from '../../platform/json-object.js'
import type { RequestedLeg } from '../task.js'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The expected output that a leg of a document gives; `undefined` if none. */
const expectedIn = (leg: JsonObject): unknown =>
  leg['expected_output'] ?? recordOf(leg['output'])['amount']

/** The same in atomics; `undefined` also for another text. */
export const quotedOutputOf = (leg: JsonObject): bigint | undefined => {
  const expected = expectedIn(leg)
  return typeof expected === 'string' ? parseUint128(expected) : undefined
}

/**
 * All legs must sell one token and buy one token: their amounts are added up.
 *
 * @throws SwapError QUOTE_MISMATCH that names the leg
 */
export function requireOneTrade(legs: readonly RequestedLeg[]): void {
  const [first] = legs
  for (const [i, { funds, output }] of legs.entries()) {
    if (funds.denom === first?.funds.denom && output === first.output) continue
    throw new SwapError('QUOTE_MISMATCH', 'the legs of the quote do not make one trade', {
      why: `leg ${i + 1} sells ${funds.denom} for ${output}; leg 1 sells ${first?.funds.denom} for ${first?.output}`,
      hint: 'nothing was signed; execute each trade from a quote of its own',
      members: { leg: i + 1 },
    })
  }
}

/**
 * Compares the members of a document that describe its messages with the messages: denoms, amounts and sums.
 *
 * @param described the legs as the document has them
 * @throws SwapError QUOTE_MISMATCH that names the leg or the member
 */
export function requireClaims(
  document: unknown,
  described: readonly JsonObject[],
  legs: readonly RequestedLeg[],
): void {
  const { denom: sold } = legs[0]!.funds
  const { output: bought } = legs[0]!
  for (const [i, leg] of described.entries()) requireLeg(leg, legs[i]!, i)
  const root = recordOf(document)
  const sum = (of: (leg: RequestedLeg) => bigint) => legs.reduce((all, leg) => all + of(leg), 0n)
  const [input, output] = [recordOf(root['input']), recordOf(root['output'])]
  require('input.denom', input['denom'], sold)
  require('output.denom', output['denom'], bought)
  // An arbitrage document may use its capital repeatedly or in part, so it has no sum to compare.
  if (root['steps'] !== undefined) return
  const best = recordOf(listOf(root['routes'])[0])
  require('input.amount', input['amount'], sum(({ funds }) => funds.amount))
  require('routes[0].min_return', best['min_return'], sum(({ least }) => least))
  if (legs.every(({ quoted }) => quoted !== undefined))
    require('routes[0].expected_output', best['expected_output'], sum(({ quoted }) => quoted ?? 0n))
}

function requireLeg(
  leg: JsonObject,
  { funds, output, least, quoted }: RequestedLeg,
  at: number,
): void {
  const of = (name: string) => `leg ${at + 1}: ${name}`
  const coin = (name: string, denom: string, amount?: bigint) => {
    const fields = recordOf(leg[name])
    require(of(`${name}.denom`), fields['denom'], denom)
    if (amount !== undefined) require(of(`${name}.amount`), fields['amount'], amount)
  }
  coin('input', funds.denom, funds.amount)
  coin('output', output)
  if (typeof leg['min_return'] === 'object') coin('min_return', output, least)
  else require(of('min_return'), leg['min_return'], least)
  const path = listOf(leg['path'])
  require(of('path begins with'), path[0], funds.denom)
  require(of('path ends with'), path.at(-1), output)
  const expected = expectedIn(leg)
  if (expected !== undefined && (quoted === undefined || quoted < least))
    throw mismatch(
      `${of('expected output')} is ${shortened(expected)}, below its minimum of ${least}`,
    )
}

/** Compares a member with the messages; an absent one is ignored. */
function require(what: string, claimed: unknown, expected: string | bigint): void {
  if (claimed === undefined || claimed === `${expected}`) return
  throw mismatch(`${what} ${shortened(claimed)}, and the messages say ${expected}`)
}

const shortened = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, 90)

const mismatch = (why: string): SwapError =>
  new SwapError('QUOTE_MISMATCH', 'the quote contradicts itself', {
    why,
    hint: 'nothing was signed; quote again',
  })

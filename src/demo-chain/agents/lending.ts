import type { Person } from '../genesis/people.js'
import { drawBetween } from '../market/random.js'
import { executeMessage } from '../tx/encode.js'
import { balanceOf } from '../wasm/bank.js'
import { byDenom } from '../wasm/coins.js'
import { happens, oneOf } from './chance.js'
import { ask, type Deed, type Setting } from './setting.js'

type Strategy = {
  readonly xyk: readonly [
    { readonly x: string; readonly y: string },
    { readonly x: string; readonly y: string },
  ]
}

/** Puts a little into a constant-product maker, or takes half of one's share out again. */
export function lend(setting: Setting, person: Person): Deed | undefined {
  const { random, state } = setting
  const maker = oneOf(
    random,
    setting.pairs.flatMap((pair) => pair.makers),
  )
  const strategy = maker && ask<Strategy>(setting, maker, { strategy: {} })
  if (!maker || !strategy) return undefined
  const [{ x, y }, reserves] = strategy.xyk
  const held = (denom: string): bigint => balanceOf(state, person.address, denom)
  const shares = `x/bow-xyk-${x}-${y}`
  const call = (message: object, funds: { denom: string; amount: bigint }[]): Deed => ({
    person,
    messages: [executeMessage(person.address, maker, JSON.stringify(message), funds)],
  })
  if (held(shares) > 1n && happens(random, 500n))
    return call({ withdraw: {} }, [{ denom: shares, amount: held(shares) / 2n }])
  const parts = drawBetween(random, [1n, 10n])
  const funds = [
    { denom: x, amount: (BigInt(reserves.x) * parts) / 1000n },
    { denom: y, amount: (BigInt(reserves.y) * parts) / 1000n },
  ].sort(byDenom)
  const affordable = funds.every(({ denom, amount }) => amount > 0n && held(denom) > 2n * amount)
  return affordable ? call({ deposit: {} }, funds) : undefined
}

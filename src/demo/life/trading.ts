import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Person } from '../genesis/people.js'
import { drawBetween } from '../market/random.js'
import { executeMessage } from '../tx/encode.js'
import type { Coin } from '../wasm/contract.js'
import { dollars, happens, oneOf } from './chance.js'
import { ask, type Deed, purse, type Setting } from './setting.js'
import { cycle, type Hop, stagesOf, wander } from './walk.js'

type Simulated = { readonly returned: string }

/** What the router says it would pay for a coin, or 0. */
function simulated(setting: Setting, route: readonly Hop[], coin: Coin): bigint {
  const { router, dialect } = setting.notes
  const answer = ask<Simulated>(setting, router, {
    simulate: {
      coin: { denom: coin.denom, amount: `${coin.amount}` },
      stages: stagesOf(dialect, route),
    },
  })
  return BigInt(answer?.returned ?? 0)
}

/** A router swap's message. */
const swapText = (setting: Setting, route: readonly Hop[], minimum: Coin, more: object): string =>
  JSON.stringify({
    swap: {
      min_return: { denom: minimum.denom, amount: `${minimum.amount}` },
      stages: stagesOf(setting.notes.dialect, route),
      ...more,
    },
  })

/** One in a thousand parts. */
const permille = (amount: bigint, parts: bigint): bigint => (amount * parts) / 1000n

/** A swap of somebody who wants another token: through the router, most of the time. */
export function trade(setting: Setting, person: Person): Deed | undefined {
  const { random } = setting
  const messages: Any[] = []
  const legs = happens(random, 120n) ? 2 : 1
  for (let leg = 0; leg < legs; leg++) {
    const message = swap(setting, person)
    if (message) messages.push(message)
  }
  return messages.length === 0 ? undefined : { person, messages }
}

function swap(setting: Setting, person: Person): Any | undefined {
  const { random } = setting
  const from = oneOf(random, [...setting.pairsOf.keys()]) ?? ''
  const route = wander(setting, random, from, Number(drawBetween(random, [1n, 3n])))
  const last = route.at(-1)
  const coin = purse(setting, person, from, dollars(random))
  if (!last || coin.amount === 0n) return undefined
  const returned = simulated(setting, route, coin)
  if (returned < 100n) return undefined
  // Some expect more than the market gives: their transactions fail.
  const share = happens(random, 40n) ? 1050n : 970n
  const minimum = { denom: last.received, amount: permille(returned, share) }
  if (route.length === 1 && happens(random, 250n))
    return executeMessage(person.address, last.pair.address, '{"swap":{}}', [coin])
  const code = happens(random, 150n) ? oneOf(random, setting.notes.affiliates) : undefined
  const more = code === undefined ? {} : { affiliate_code: code }
  return happens(random, 60n)
    ? throughCaller(setting, person, route, minimum, coin)
    : executeMessage(
        person.address,
        setting.notes.router,
        swapText(setting, route, minimum, more),
        [coin],
      )
}

/** The router called by somebody else's contract, which names the person as the recipient. */
function throughCaller(
  setting: Setting,
  person: Person,
  route: readonly Hop[],
  minimum: Coin,
  coin: Coin,
): Any {
  const inner = swapText(setting, route, minimum, { recipient: person.address })
  const forward = { contract: setting.notes.router, msg: Buffer.from(inner).toString('base64') }
  return executeMessage(person.address, setting.caller, JSON.stringify({ forward }), [coin])
}

/** Ways round that an arbitrageur looks at in one block. */
const LOOKS = 6

/** A cycle that returns more than it takes, if one is found. */
export function arbitrage(setting: Setting, person: Person): Deed | undefined {
  const { random, notes } = setting
  for (let look = 0; look < LOOKS; look++) {
    const fixed = oneOf(random, notes.arbs)
    const route = fixed ? cycle(setting, random, fixed.denom) : []
    if (!fixed || route.length === 0) continue
    const coin = { denom: fixed.denom, amount: BigInt(fixed.amount) }
    if (simulated(setting, route, coin) <= coin.amount) continue
    const text = swapText(setting, route, coin, {})
    return { person, messages: [executeMessage(person.address, notes.router, text, [coin])] }
  }
  return undefined
}

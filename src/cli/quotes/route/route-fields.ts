import type { RouteAnswer } from '../../../operations/route/route.js'
import type { HopDocument, RouteDocument } from '../../../operations/route-document.js'
import { type Names, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { type Entry, entryLines } from '../../pipe-lines.js'
import { type RouteContext, venueName } from './route-view.js'

/**
 * A quote for a pipe: one field a line, named as in the JSON document, unformatted numbers. Amounts
 * are atomics; the same in units is under `…_human`. Routes and hops are counted from 1, and the
 * order of the lines is fixed. Not a stable interface; `--json` is.
 */
export function renderRoutePlain(answer: RouteAnswer, context: RouteContext): string {
  const names = namesOf(context, plainStyle)
  const { input, output } = answer
  return entryLines([
    ['network', answer.network],
    ['chain_id', answer.chain_id],
    ['height', answer.height],
    ['time', answer.time],
    ['quote_id', context.quoteId ?? null],
    ...coinEntries('input', input, names),
    ...(output.amount === undefined
      ? denomEntries('output', output.denom, names)
      : coinEntries('output', { ...output, amount: output.amount }, names)),
    ['input_usd', answer.input_usd],
    ['slippage_bps', answer.slippage_bps],
    ['routes', answer.routes.length],
    ['excluded', answer.excluded.length],
    ...answer.routes.flatMap((route, i) => routeEntries(`route.${i + 1}`, route, names)),
  ])
}

/** A denom's symbol and denom below a key. */
export const denomEntries = (key: string, denom: string, names: Names): readonly Entry[] => [
  [`${key}.symbol`, names.symbol(denom)],
  [`${key}.denom`, names.text(denom)],
]

/** A coin's symbol, denom and amounts below a key. */
export const coinEntries = (
  key: string,
  coin: RouteDocument['funds'],
  names: Names,
): readonly Entry[] => [
  ...denomEntries(key, coin.denom, names),
  [`${key}.amount`, coin.amount],
  [`${key}.amount_human`, names.units(coin)],
]

function routeEntries(key: string, route: RouteDocument, names: Names): readonly Entry[] {
  const denom = route.path.at(-1)!
  const amount = (name: string, atomics: string | null): readonly Entry[] => [
    [`${key}.${name}`, atomics],
    [`${key}.${name}_human`, atomics === null ? null : names.units({ denom, amount: atomics })],
  ]
  return [
    [`${key}.id`, route.id],
    ...amount('expected_output', route.expected_output),
    [`${key}.expected_output_usd`, route.expected_output_usd],
    ...amount('min_return', route.min_return),
    [`${key}.min_return_usd`, route.min_return_usd],
    ...amount('simulated_output', route.simulated_output),
    ...amount('gross_output', route.gross_output),
    [`${key}.exact`, route.exact],
    [`${key}.price_impact_bps`, route.price_impact_bps],
    ...costEntries(`${key}.cost`, route.cost),
    [`${key}.price`, route.price],
    [`${key}.mid_price`, route.mid_price],
    [`${key}.gap_bps`, route.gap_bps],
    [`${key}.path`, route.path.map(names.text).join(' > ')],
    ...amount('protocol_fee', route.fees.protocol.amount),
    ...amount('referral_fee', route.fees.referral.amount),
    ...amount('affiliate_fee', route.fees.affiliate.amount),
    ...route.hops.flatMap((hop, i) => hopEntries(`${key}.hop.${i + 1}`, hop, names)),
  ]
}

/** The cost and its parts below a key; without values where it is not known. */
export const costEntries = (key: string, cost: RouteDocument['cost']): readonly Entry[] =>
  (
    [
      ...(['cost_bps', 'impact_bps', 'venue_fees_bps', 'protocol_fee_bps'] as const),
      ...(['affiliate_fee_bps', 'cost_usd'] as const),
    ] as const
  ).map((name) => [`${key}.${name}`, cost?.[name] ?? null])

/** A hop below a key. */
export const hopEntries = (key: string, hop: HopDocument, names: Names): readonly Entry[] => [
  [`${key}.address`, hop.address],
  [`${key}.venue`, venueName(hop, names)],
  ...coinEntries(`${key}.input`, hop.input, names),
  ...coinEntries(`${key}.output`, hop.output, names),
  ...coinEntries(`${key}.venue_fee`, hop.fee, names),
  [`${key}.levels_used`, hop.levels_used],
  [`${key}.depth_used_percent`, hop.depth_used_percent],
  [`${key}.price_impact_bps`, hop.price_impact_bps],
  [`${key}.exact`, hop.exact],
]

import type { SplitAnswer } from '../../../operations/split/split.js'
import type { LegDocument, SplitDocument } from '../../../operations/split/split-document.js'
import { type Names, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { type Entry, entryLines } from '../../pipe-lines.js'
import { coinEntries, costEntries, denomEntries, hopEntries } from '../route/route-fields.js'
import type { RouteContext } from '../route/route-view.js'

/**
 * A division for a pipe: one field a line, named as in the JSON document, unformatted numbers. Amounts
 * are atomics; the same in units is under `…_human`. Divisions, legs and hops are counted from 1.
 */
export function renderSplitPlain(answer: SplitAnswer, context: RouteContext): string {
  const names = namesOf(context, plainStyle)
  const { input, output, single_best } = answer
  return entryLines([
    ['network', answer.network],
    ['chain_id', answer.chain_id],
    ['height', answer.height],
    ['time', answer.time],
    ['quote_id', context.quoteId ?? null],
    ...coinEntries('input', input, names),
    ['input.split_step', input.split_step ?? null],
    ...(output.amount === undefined
      ? denomEntries('output', output.denom, names)
      : coinEntries('output', { ...output, amount: output.amount }, names)),
    ['input_usd', answer.input_usd],
    ['slippage_bps', answer.slippage_bps],
    ['single_best.id', single_best?.id ?? null],
    ['single_best.expected_output', single_best?.expected_output ?? null],
    ['free_division.expected_output', answer.free_division?.expected_output ?? null],
    ['free_division.gain_bps', answer.free_division?.gain_bps ?? null],
    ['routes', answer.routes.length],
    ['excluded', answer.excluded.length],
    ...answer.routes.flatMap((split, i) =>
      splitEntries(`route.${i + 1}`, split, output.denom, names),
    ),
    ...frontierEntries(answer),
  ])
}

/** An amount of the output under a key, in atomics and in units. */
const amountEntries = (
  key: string,
  denom: string,
  amount: string | null,
  names: Names,
): readonly Entry[] => [
  [key, amount],
  [`${key}_human`, amount === null ? null : names.units({ denom, amount })],
]

const splitEntries = (
  key: string,
  split: SplitDocument,
  denom: string,
  names: Names,
): readonly Entry[] => [
  [`${key}.id`, split.id],
  ...amountEntries(`${key}.expected_output`, denom, split.expected_output, names),
  [`${key}.expected_output_usd`, split.expected_output_usd],
  ...amountEntries(`${key}.min_return`, denom, split.min_return, names),
  [`${key}.min_return_usd`, split.min_return_usd],
  [`${key}.price_impact_bps`, split.price_impact_bps],
  ...costEntries(`${key}.cost`, split.cost),
  [`${key}.price`, split.price],
  [`${key}.gap_bps`, split.gap_bps],
  [`${key}.gain_over_single_bps`, split.gain_over_single_bps],
  [`${key}.optimum_gap_bps`, split.optimum_gap_bps],
  [`${key}.legs`, split.legs.length],
  ...split.legs.flatMap((leg, i) => legEntries(`${key}.leg.${i + 1}`, leg, names)),
]

function legEntries(key: string, leg: LegDocument, names: Names): readonly Entry[] {
  const denom = leg.path.at(-1)!
  const amount = (name: string, atomics: string | null) =>
    amountEntries(`${key}.${name}`, denom, atomics, names)
  return [
    [`${key}.fraction`, leg.split.fraction],
    ...coinEntries(`${key}.input`, leg.funds, names),
    ...amount('expected_output', leg.expected_output),
    ...amount('min_return', leg.min_return),
    ...amount('simulated_output', leg.simulated_output),
    [`${key}.exact`, leg.exact],
    [`${key}.price_impact_bps`, leg.price_impact_bps],
    [`${key}.path`, leg.path.map(names.text).join(' > ')],
    ...amount('protocol_fee', leg.fees.protocol.amount),
    ...amount('referral_fee', leg.fees.referral.amount),
    ...amount('affiliate_fee', leg.fees.affiliate.amount),
    ...leg.hops.flatMap((hop, i) => hopEntries(`${key}.hop.${i + 1}`, hop, names)),
  ]
}

function frontierEntries({ frontier }: SplitAnswer): readonly Entry[] {
  if (frontier === undefined) return []
  return [
    ...frontier.by_legs.map(
      ({ max_legs, expected_output }): Entry => [`frontier.legs.${max_legs}`, expected_output],
    ),
    ...frontier.by_steps.map(
      ({ split_step, expected_output }): Entry => [`frontier.step.${split_step}`, expected_output],
    ),
  ]
}

import { formatRational, hundredths, rational } from '../../../engine/math/rational.js'
import type {
  LegDocument,
  SplitAnswer,
  SplitDocument,
} from '../../../operations/split/split-documents.js'

import { formatPrice } from '../../../render/amount.js'
import type { Names } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import type { QuoteView } from '../route/route-view.js'

/** Input of the renderers of a division's sections. */
export type SplitView = QuoteView & { readonly answer: SplitAnswer; readonly best: SplitDocument }

/** A leg's coins: what it sells and what it pays. */
export const coinsOf = ({ split, path, expected_output }: LegDocument) => ({
  input: { denom: path[0]!, amount: split.amount },
  output: { denom: path.at(-1)!, amount: expected_output },
})

/** A leg's part of the input. @example '55 %' */
export function shareText(amount: string, total: string): string {
  const percent = hundredths(rational(BigInt(amount), BigInt(total)), 100n)
  if (percent === 0) return '<0.01 %'
  return `${Number.isInteger(percent) ? percent : percent.toFixed(2)} %`
}

/** Output units per input unit, formatted. */
export function legPrice(leg: LegDocument, names: Names, style: Style): string {
  const { input, output } = coinsOf(leg)
  const [from, to] = [names.decimals(input.denom), names.decimals(output.denom)]
  const price = rational(
    BigInt(output.amount) * 10n ** BigInt(from),
    BigInt(input.amount) * 10n ** BigInt(to),
  )
  return formatPrice(formatRational(price), { group: style.tty })
}

import { formatPayment, impactWord } from '../render/amount.js'
import type { Verdict } from './agreement.js'
import { byId, html, svg, type Term, write, writeTerms } from './dom.js'
import type { EngineAnswer, Quote } from './quoter.js'
import {
  bpsText,
  coinText,
  decimalText,
  dollarsText,
  estimateText,
  exactCoinText,
  type Names,
  numberText,
} from './text.js'

/** A quote with the block and market of its numbers. */
type QuoteView = {
  readonly quoted: EngineAnswer
  readonly from: string
  readonly to: string
  readonly names: Names
}

type Best = Quote['document']['routes'][number]

/** Outputs of one question, block by block, for the sparkline under the quote. */
export type Moves = readonly { readonly height: number; readonly expected: bigint }[]

/** Shows output and cost of a swap, or why there is no quote. */
export function showQuote({ quoted: { answer, side }, from, to, names }: QuoteView): void {
  const result = byId('result')
  const problem = byId('problem')
  const isRefused = answer.kind === 'refused'
  problem.hidden = !isRefused
  result.dataset['height'] = `${side.height}`
  result.dataset['atomics'] = `${side.expected ?? ''}`
  if (isRefused) {
    const { message, why, hint } = answer.refusal
    result.replaceChildren(html('span', { class: 'faint' }, 'no quote'))
    byId('facts').replaceChildren()
    for (const id of ['amount-note', 'result-note']) write(byId(id), '')
    problem.replaceChildren(
      html('strong', {}, sentence(message)),
      html('span', {}, [why, hint].filter(Boolean).map(sentence).join(' ')),
    )
    return
  }
  const { input_usd } = answer.document
  const best: Best = answer.document.routes[0]!
  const amount = coinText({ denom: to, amount: best.expected_output }, names).split(' ')[0]!
  result.replaceChildren(html('span', {}, amount))
  fitText(result)
  write(byId('result-note'), dollarsText(best.expected_output_usd))
  write(byId('amount-note'), dollarsText(input_usd))
  problem.hidden = impactWord(best.price_impact_bps).word !== 'severe'
  write(problem, 'Severe impact: execute refuses it.')
  writeTerms(byId('facts'), factsOf(answer, best, { from, to, names }))
}

function factsOf(
  { kind, document: { slippage_bps } }: Quote,
  best: Best,
  { from, to, names }: Pick<QuoteView, 'from' | 'to' | 'names'>,
): readonly Term[] {
  const least = coinText({ denom: to, amount: best.min_return }, names)
  const [sold, bought] = [names(from).label, names(to).label]
  const facts: Term[] = [
    ['At least', least, `slippage ${bpsText(slippage_bps)}`],
    ['Price', `${decimalText(best.price)} ${bought}`, `for one ${sold}`],
  ]
  if (best.cost !== null) {
    const { cost_bps, impact_bps, venue_fees_bps, protocol_fee_bps, cost_usd } = best.cost
    const parts = `impact ${bpsText(impact_bps)}, venues ${bpsText(venue_fees_bps)}, protocol ${bpsText(protocol_fee_bps)}`
    facts.push(['Cost', `${bpsText(cost_bps)}${dollarsBeside(cost_usd)}`, parts])
  }
  const { network_fee: fee, network_fee_usd: feeUsd = null } = best
  if (fee !== undefined)
    facts.push([
      'Gas',
      `about ${coinText(fee, names, formatPayment)}${dollarsBeside(feeUsd)}`,
      'on top',
    ])
  if (kind === 'sroute' && 'gain_over_single_bps' in best && best.gain_over_single_bps !== null)
    facts.push(['Gain', bpsText(best.gain_over_single_bps), 'over the best single path'])
  return facts
}

const dollarsBeside = (usd: string | null): string => (usd === null ? '' : ` (${dollarsText(usd)})`)

/** Shrinks the font of a number that does not fit, so that every digit is visible. */
export function fitText(element: HTMLElement): void {
  for (const size of ['usual', 'long', 'longest']) {
    element.dataset['size'] = size
    if (element.scrollWidth <= element.clientWidth) return
  }
}

/** Shows whether the service has the same answer. */
export function showVerdict(verdict: Verdict, to: string, names: Names): void {
  const [line, alarm] = [byId('agreement'), byId('alarm')]
  line.dataset['state'] = verdict.kind
  write(alarm, verdict.kind === 'differ' ? alarmText(verdict, to, names) : '')
  if (verdict.kind === 'waiting') {
    write(line, 'Waiting for the answer of the service…')
    return
  }
  const { height, here, there } = verdict
  line.dataset['height'] = `${height}`
  const output = amountText(there.expected, to, names)
  const at = `at block ${numberText(height)}`
  const estimate = estimateText([{ exact: here.isExact }])
  const texts = {
    agree: `${estimate}The service agrees: ${output} ${at}`,
    estimates: `${estimate}The service, which queries the contracts, answers ${output} ${at}`,
    differ: `The service does not agree ${at}`,
  }
  write(line, texts[verdict.kind])
}

function alarmText(
  { height, here, there }: Exclude<Verdict, { readonly kind: 'waiting' }>,
  to: string,
  names: Names,
): string {
  const [own, other] = [here, there].map(({ expected }) => amountText(expected, to, names))
  const numbers =
    own === other ? 'the amounts are equal, other members are not' : `${own} here, ${other} there`
  return `Do not rely on this quote. Your browser and the service computed different answers from block ${numberText(height)}: ${numbers}.`
}

const amountText = (expected: bigint | undefined, denom: string, names: Names): string =>
  expected === undefined ? 'no quote' : exactCoinText({ denom, amount: `${expected}` }, names)

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`

/** Width and height of the line of moves. */
const WIDTH = 320
const HEIGHT = 36

/** Shows how the output moved over the last blocks. */
export function showMoves(moves: Moves, to: string, names: Names): void {
  const host = byId('move')
  const [before, last] = [moves.at(-2), moves.at(-1)]
  if (before === undefined || last === undefined) {
    host.replaceChildren()
    return
  }
  const { state, text } = moveOf(last.expected - before.expected, to, names)
  const since = `since block ${numberText(before.height)}`
  host.replaceChildren(sparkline(moves), html('span', { class: state }, `${text} ${since}`))
}

function moveOf(change: bigint, denom: string, names: Names) {
  if (change === 0n) return { state: 'same', text: 'unchanged' }
  const size = (amount: bigint) => coinText({ denom, amount: `${amount}` }, names)
  return change > 0n
    ? { state: 'up', text: `▲ ${size(change)}` }
    : { state: 'down', text: `▼ ${size(-change)}` }
}

/** A line through the outputs. Floats for drawing only, never for printed numbers. */
function sparkline(moves: Moves): SVGElement {
  const values = moves.map(({ expected }) => Number(expected))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (i: number) => (i / (moves.length - 1)) * (WIDTH - 6) + 2
  const y = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - 4 - ((value - low) / (high - low)) * (HEIGHT - 8)
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`)
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' }
  return svg('svg', box, svg('polyline', { points: points.join(' ') }))
}

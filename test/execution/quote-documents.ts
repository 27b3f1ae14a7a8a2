import assert from 'node:assert/strict'
import { type Plan, planOf } from '../../src/execution/plan/plan.js'
import { requestedSwapOf } from '../../src/execution/plan/read-quote.js'
import type { SwapTerms } from '../../src/execution/task.js'
import { openOnce } from '../../src/operations/context.js'
import { sroute } from '../../src/operations/split/split.js'
import { graph, market } from '../support/demo-market.js'
import { accountNamed, btc, rune, usdc, usualTerms } from './stage.js'

// biome-ignore lint/suspicious/noExplicitAny: a hostile document has any shape
export type Doc = any

const venue = { market, graph }
export const app = openOnce(async () => market)
export const account = await accountNamed('demo')

export const quoteOf = async (
  input: string,
  output: string,
  amount: bigint,
  affiliate?: string,
): Promise<Doc> =>
  JSON.parse(
    JSON.stringify(
      await sroute(app, {
        input: { denom: input, amount: `${amount}` },
        output: { denom: output },
        limit: 1,
        ...(affiliate !== undefined && { affiliate }),
      }),
    ),
  )

export const [quote, toBtc, fromBtc, small] = await Promise.all([
  quoteOf(rune, usdc, 2n * 10n ** 13n),
  quoteOf(rune, btc, 10n ** 10n),
  quoteOf(btc, usdc, 10n ** 6n),
  quoteOf(rune, usdc, 10n ** 10n),
])
assert.ok(quote.routes[0].legs.length > 1)

/** What a document makes the program sign, without a person. */
export const planned = async (document: Doc, terms: Partial<SwapTerms> = {}): Promise<Plan> =>
  planOf(venue, {
    requested: requestedSwapOf(document, market, 'q_00000000'),
    account,
    terms: { ...usualTerms, ...terms },
  })

export const legsIn = (doc: Doc): Doc[] => doc.routes[0].legs
export const swapIn = (doc: Doc, leg = 0): Doc => legsIn(doc)[leg].tx.swap
const sum = (legs: readonly Doc[], of: (leg: Doc) => string): string =>
  `${legs.reduce((total, leg) => total + BigInt(of(leg)), 0n)}`
/** The members that repeat sums of the legs, made consistent with them again. */
export function resum(doc: Doc): void {
  const legs = legsIn(doc)
  doc.input.amount = sum(legs, (leg) => leg.funds.amount)
  doc.routes[0].expected_output = sum(legs, (leg) => leg.expected_output)
  doc.routes[0].min_return = sum(legs, (leg) => leg.min_return)
}
/** Gives a leg another minimum, everywhere that the document says it. */
export function demand(doc: Doc, leg: number, amount: string): void {
  swapIn(doc, leg).min_return.amount = amount
  legsIn(doc)[leg].min_return = amount
}

import {
  type Changes,
  type ComparableOpportunity,
  changesBetween,
} from '../../engine/arbitrage/affected-loops.js'
import type { ArbsAnswer, OpportunityDocument } from './arbitrage-answers.js'

type Row = ComparableOpportunity & { readonly document: OpportunityDocument }

/** Loops opened, changed and closed between two answers, as documents; each list in its order. */
export type ArbsChanges = {
  readonly opened: readonly OpportunityDocument[]
  readonly changed: readonly {
    readonly before: OpportunityDocument
    readonly now: OpportunityDocument
  }[]
  readonly closed: readonly OpportunityDocument[]
}

/** Compares two answers to the same request. Without an earlier one every loop is opened. */
export function arbsChanges(before: ArbsAnswer | undefined, now: ArbsAnswer): ArbsChanges {
  const changes: Changes<Row> = changesBetween(rowsOf(before), rowsOf(now))
  return {
    opened: changes.opened.map(({ document }) => document),
    changed: changes.changed.map(({ before: was, now: is }) => ({
      before: was.document,
      now: is.document,
    })),
    closed: changes.closed.map(({ document }) => document),
  }
}

const rowsOf = (answer: ArbsAnswer | undefined): readonly Row[] =>
  (answer?.opportunities ?? []).map((document) => ({
    route: { id: document.id },
    input: { amount: BigInt(document.input.amount) },
    output: BigInt(document.output.amount),
    document,
  }))

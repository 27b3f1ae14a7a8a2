import type { Json } from '../../engine/errors.js'
import { type Ask, answered, Unreadable } from '../queries/query-batch.js'
import { smart } from '../queries/questions.js'
import { decodeRanges, type Range } from '../queries/ranges.js'

/** Ranges of one page, and the most that are read. */
const PAGE = 100
const MOST = 100_000

/** Whether contracts of a version may have ranges: those from 2 on, and those of no known version. */
export const mayHaveRanges = (version: string | undefined): boolean =>
  version === undefined || !/^v?[01]\./.test(version)

/**
 * The concentrated ranges of a pair that hold coins, fixed and dynamic ones. A contract that does
 * not know the question refuses it and has none.
 *
 * @throws Unreadable where an answer is malformed
 */
export async function readRanges(ask: Ask, address: string): Promise<readonly Json[]> {
  const kinds = await Promise.all([
    readKind(ask, address, (page) => ({ ranges: page })),
    readKind(ask, address, (page) => ({ ranges: { dynamic: page } })),
  ])
  // A build without dynamic ranges may take the second question for the first.
  const found = new Map(kinds.flat().map((range) => [range.idx, range]))
  return [...found.values()].filter(({ holds }) => holds).map(({ item }) => item)
}

async function readKind(
  ask: Ask,
  address: string,
  message: (page: object) => object,
): Promise<readonly Range[]> {
  const ranges: Range[] = []
  for (;;) {
    const cursor = ranges.at(-1)?.idx ?? null
    const question = message({ owner: null, cursor, limit: PAGE })
    const reply = await ask(smart(address, question, decodeRanges(PAGE)))
    if (reply.kind === 'refused' && cursor === null) return []
    const page = answered(reply, 'its ranges')
    ranges.push(...page)
    if (page.length < PAGE) return ranges
    if (page.at(-1)?.idx === cursor || ranges.length > MOST)
      throw new Unreadable('its ranges have no end')
  }
}

import type { Heights, IndexStatus } from '../../../operations/history/history-port.js'
import { groupThousands } from '../../../render/amount.js'
import { paragraph } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'

/** A note where no table says it. */
export const NOTHING_YET = 'nothing is indexed yet; fill the index once: swap history --sync'

/** What an index lacks of orders, one sentence each. */
export const withoutOrders = (ranges: readonly Heights[], style: Style): readonly string[] =>
  ranges.map((range) => {
    const [what, again] = range.from === range.to ? ['is', 'it'] : ['are', 'them']
    return `${rangeText(range, style)} ${what} without orders, which an earlier version did not index; read ${again} again: swap history --reindex`
  })

/** What an index lacks, one sentence each; nothing of one that is whole. */
export function standingLines(standing: IndexStatus | undefined, style: Style): readonly string[] {
  if (standing === undefined) return []
  const { pruned, missing, quarantined, current } = standing
  const sentences = [
    ...(missing === 0
      ? []
      : [`${blocks(missing, style)} still to be indexed: swap history --sync`]),
    ...pruned.map((range) => `${gone(range, style)}: only an archive node has more (--rpc)`),
    ...(quarantined === 0 ? [] : [`${asides(quarantined, style)}: swap history --quarantine`]),
    ...(current
      ? []
      : ['It was made by the rules of another version; anew by those of this one: --reindex']),
  ]
  return sentences.flatMap((sentence) => paragraph(sentence, style))
}

const count = (n: number, style: Style): string => (style.tty ? groupThousands(`${n}`) : `${n}`)

const blocks = (n: number, style: Style): string =>
  n === 1 ? '1 block before the newest is' : `${count(n, style)} blocks before the newest are`

const gone = (range: Heights, style: Style): string =>
  `${rangeText(range, style)} ${range.from === range.to ? 'is' : 'are'} missing`

const rangeText = ({ from, to }: Heights, style: Style): string =>
  from === to
    ? `Block ${count(from, style)}`
    : `Blocks ${count(from, style)} to ${count(to, style)}`

const asides = (n: number, style: Style): string =>
  n === 1
    ? '1 event could not be read as a swap'
    : `${count(n, style)} events could not be read as swaps`

import type { Block } from '../../blocks/block.js'
import type { Chain } from '../../blocks/chain.js'
import type { Condition } from '../queries/search/language.js'
import { type Tags, tagsMeet, tagsOf } from '../queries/search/match.js'
import { headerJson, wholeBlockJson } from './block-json.js'
import { goJson } from './go-json.js'
import { base64, eventsJson, finalizedJson, sparseResultJson } from './result-json.js'

/** Something that happened, as subscriptions see it. */
export type NodeEvent = {
  readonly tags: Tags
  /** JSON text of `data` and of `events`, made once for all who want it. */
  readonly json: () => string
}

const event = (type: string, tags: Tags, value: () => unknown): NodeEvent => {
  let text: string | undefined
  return {
    tags,
    json: () => {
      text ??= `"data":${goJson({ type: `tendermint/event/${type}`, value: value() })},"events":${goJson(Object.fromEntries(tags))}`
      return text
    },
  }
}

/** What a new block is to those who listen, in the order in which a node tells it. */
export function eventsOf(chain: Chain, block: Block): readonly NodeEvent[] {
  const height = String(block.header.height)
  const named = (type: string): [string, string] => ['tm.event', type]
  return [
    event('NewBlock', tagsOf(block.events, [named('NewBlock')]), () => {
      const { block_id, block: json } = wholeBlockJson(chain, block)
      return { block: json, block_id, result_finalize_block: finalizedJson(block) }
    }),
    event('NewBlockHeader', tagsOf([], [named('NewBlockHeader')]), () => ({
      header: headerJson(block.header),
    })),
    event('NewBlockEvents', tagsOf(block.events, [named('NewBlockEvents')]), () => ({
      height,
      events: eventsJson(block.events),
      num_txs: String(block.txs.length),
    })),
    ...block.txs.map(({ bytes, hash, result }, index) =>
      event(
        'Tx',
        tagsOf(result.events, [named('Tx'), ['tx.hash', hash], ['tx.height', height]]),
        () => ({
          TxResult: {
            height,
            ...(index > 0 && { index }),
            tx: base64(bytes),
            result: sparseResultJson(result),
          },
        }),
      ),
    ),
  ]
}

export const wanted = ({ tags }: NodeEvent, conditions: readonly Condition[]): boolean =>
  tagsMeet(tags, conditions)

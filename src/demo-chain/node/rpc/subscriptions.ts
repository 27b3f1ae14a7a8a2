import type { Block } from '../../blocks/block.js'
import type { Chain } from '../../blocks/chain.js'
import { goJson } from '../reply.js'
import { type Tags, tagsMeet, tagsOf } from '../search/match.js'
import { type Condition, parseQuery, QuerySyntaxError } from '../search/query-text.js'
import { MAX_QUERY } from '../search/search.js'
import type { Id } from './jsonrpc.js'
import { internalError } from './rpc-failure.js'
import {
  base64,
  eventsJson,
  finalizedJson,
  headerJson,
  sparseResultJson,
  wholeBlockJson,
} from './rpc-json.js'

/** An event of the chain as subscriptions match it. */
export type NodeEvent = {
  readonly tags: Tags
  /** JSON text of `data` and of `events`, made once for all subscribers. */
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

/** The events of a new block, in the order in which a node sends them. */
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

/** Subscriptions that one client may have, and clients that may have some. */
const PER_CLIENT = 5
const CLIENTS = 100

type Subscription = { readonly id: Id; readonly conditions: readonly Condition[] }

/** Subscriptions by client; a client is identified by its connection object. */
export class Subscriptions<Client extends object> {
  readonly #clients = new Map<Client, Map<string, Subscription>>()

  get size(): number {
    return this.#clients.size
  }

  /** @throws RpcFailure */
  subscribe(client: Client, id: Id, query: string): void {
    const own = this.#clients.get(client)
    if (!own && this.#clients.size >= CLIENTS)
      throw internalError(`max_subscription_clients ${CLIENTS} reached`)
    if (own && own.size >= PER_CLIENT)
      throw internalError(`max_subscriptions_per_client ${PER_CLIENT} reached`)
    if (Buffer.byteLength(query) > MAX_QUERY) throw internalError('maximum query length exceeded')
    const conditions = read(query)
    if (own?.has(query)) throw internalError('already subscribed')
    if (own) own.set(query, { id, conditions })
    else this.#clients.set(client, new Map([[query, { id, conditions }]]))
  }

  /** @throws RpcFailure */
  unsubscribe(client: Client, query: string): void {
    read(query)
    const own = this.#clients.get(client)
    if (!own?.delete(query)) throw internalError('subscription not found')
    if (own.size === 0) this.#clients.delete(client)
  }

  /** @throws RpcFailure */
  unsubscribeAll(client: Client): void {
    if (!this.#clients.delete(client)) throw internalError('subscription not found')
  }

  /** Removes a client that has disconnected. */
  forget(client: Client): void {
    this.#clients.delete(client)
  }

  /** Sends each event to its subscribers; `send` takes the text of a whole message. */
  publish(events: readonly NodeEvent[], send: (client: Client, text: string) => void): void {
    for (const [client, own] of [...this.#clients])
      for (const event of events)
        for (const [query, { id, conditions }] of own)
          if (wanted(event, conditions))
            send(
              client,
              `{"jsonrpc":"2.0","id":${goJson(id)},"result":{"query":${goJson(query)},${event.json()}}}`,
            )
  }
}

function read(query: string): readonly Condition[] {
  try {
    return parseQuery(query)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    throw internalError(`failed to parse query: ${error.message}`)
  }
}

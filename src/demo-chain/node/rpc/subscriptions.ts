import { type Condition, parseQuery } from '../queries/search/language.js'
import { QueryTextError } from '../queries/search/scanner.js'
import { MAX_QUERY } from '../queries/search/search.js'
import { type NodeEvent, wanted } from './events.js'
import { internalError } from './failure.js'
import { goJson } from './go-json.js'
import type { Id } from './jsonrpc.js'

/** Subscriptions that one client may have, and clients that may have some. */
const PER_CLIENT = 5
const CLIENTS = 100

type Subscription = { readonly id: Id; readonly conditions: readonly Condition[] }

/** Who listens to what. A client is whatever its connection is known by. */
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

  /** A client has gone. */
  forget(client: Client): void {
    this.#clients.delete(client)
  }

  /** Tells everybody what they wait for; `send` takes the whole message's text. */
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
    if (!(error instanceof QueryTextError)) throw error
    throw internalError(`failed to parse query: ${error.message}`)
  }
}

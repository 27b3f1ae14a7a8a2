/** A request at one of the node's doors, as the server hands it over before anybody has read it. */
export type Exchange = {
  /** A request of a web socket is its opening; what is sent through it afterwards passes unseen. */
  readonly door: 'rpc' | 'rest' | 'ws'
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** What goes back, and how: at once, never, by closing the connection, or `drip` ms a byte. */
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly send?: 'whole' | 'hang' | 'reset' | { readonly drip: number }
}

/** The node's honest answer. */
export type Next = () => Promise<Reply>

/** Stands between whoever asks and the node. */
export type Middleware = (exchange: Exchange, next: Next) => Promise<Reply>

/** A reply of JSON text. */
export const jsonReply = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
})

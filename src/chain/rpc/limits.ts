/** What the transport allows a node; milliseconds, bytes and counts. */
export type Limits = {
  /** Until a connection is established, TLS included. */
  readonly connectMs: number
  /** A connection that is older is not used again, so that changes of DNS are noticed. */
  readonly socketAgeMs: number
  /** Connections to one endpoint. */
  readonly sockets: number
  /** Of one body, before and after it is unpacked. */
  readonly bytes: number
  /** Requests in one body; CometBFT's default is 10. */
  readonly batch: number
  /** Times that one endpoint is asked the same. */
  readonly tries: number
  /** Times that one endpoint is asked for a block that it does not have yet; others do. */
  readonly heightTries: number
  /** The first pause after a fault is at most this long; it doubles with each further fault. */
  readonly pauseMs: number
  /** No pause of our own is longer, so that a node that comes back is soon found. */
  readonly pauseMostMs: number
  /** No `Retry-After` is believed beyond this. */
  readonly retryAfterMostMs: number
  /** How long a node counts as of the right chain and not behind. */
  readonly checkMs: number
  /** How long slower endpoints may take to say their height after the first one did. */
  readonly graceMs: number
  /** Blocks that a node may be behind the best one known. */
  readonly behind: number
}

export const defaultLimits: Limits = {
  connectMs: 2_000,
  socketAgeMs: 300_000,
  sockets: 6,
  bytes: 32 << 20,
  batch: 10,
  tries: 3,
  heightTries: 6,
  pauseMs: 100,
  pauseMostMs: 4_000,
  retryAfterMostMs: 60_000,
  checkMs: 60_000,
  graceMs: 300,
  behind: 2,
}

/** Limits of the transport, in milliseconds, bytes and counts. */
export type Limits = {
  /** Time to establish a connection, including TLS. */
  readonly connectMs: number
  /** Older connections are not reused, so that DNS changes take effect. */
  readonly socketAgeMs: number
  /** Most connections to one endpoint. */
  readonly sockets: number
  /** Most bytes of a body, before and after decompression. */
  readonly bytes: number
  /** Most calls of a batch; CometBFT's default is 10. */
  readonly batch: number
  /** Attempts of one call per endpoint. */
  readonly tries: number
  /** Attempts per endpoint for a block that it does not have yet, but others have. */
  readonly heightTries: number
  /** The first pause after a fault is at most this long; it doubles with each further fault. */
  readonly pauseMs: number
  /** The longest pause after faults, so that a restarted node is soon used again. */
  readonly pauseMostMs: number
  /** The longest `Retry-After` that is observed. */
  readonly retryAfterMostMs: number
  /** How long the check of a node's chain and height is valid. */
  readonly checkMs: number
  /** How long a survey waits for slower endpoints after the first height. */
  readonly graceMs: number
  /** Most blocks that a node may be behind the greatest known height. */
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

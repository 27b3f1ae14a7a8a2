/** Limits of the transport, in milliseconds, bytes and counts. */
export type Limits = Readonly<typeof defaultLimits>

export const defaultLimits = {
  /** Time to establish a connection, including TLS. */
  connectMs: 2_000,
  /** Older connections are not reused, so that DNS changes take effect. */
  socketAgeMs: 300_000,
  /** Most connections to one endpoint. */
  sockets: 6,
  /** Most bytes of a body, before and after decompression. */
  bytes: 32 << 20,
  /** Most calls of a batch: CometBFT's default. */
  batch: 10,
  /** Attempts of one call per endpoint. */
  tries: 3,
  /** Attempts per endpoint for a block that it does not have yet, but others have. */
  heightTries: 6,
  /** The first pause after a fault is at most this long; it doubles with each further fault. */
  pauseMs: 100,
  /** The longest pause after faults, so that a restarted node is soon used again. */
  pauseMostMs: 4_000,
  /** The longest `Retry-After` that is observed. */
  retryAfterMostMs: 60_000,
  /** How long the check of a node's chain and height is valid. */
  checkMs: 60_000,
  /** How long a survey waits for slower endpoints after the first height. */
  graceMs: 300,
  /** Most blocks that a node may be behind the greatest known height. */
  behind: 2,
}

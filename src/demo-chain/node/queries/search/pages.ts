/** Pages that so many entries fill; none fill one, as CometBFT counts. */
export const pageCount = (entries: number, perPage: bigint): bigint =>
  entries === 0 ? 1n : (BigInt(entries) - 1n) / perPage + 1n

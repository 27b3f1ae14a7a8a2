/** A transaction hash in a request: in either case, with or without `0x`. */
export const TX_HASH_PATTERN = '^(0[xX])?[0-9a-fA-F]{64}$'

export const isTxHash = (text: string): boolean => new RegExp(TX_HASH_PATTERN).test(text)

/** A hash in the form of nodes, the index and the journal. */
export const plainHash = (hash: string): string => hash.slice(-64).toUpperCase()

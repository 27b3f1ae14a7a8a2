/** What is written: OWASP's least for scrypt, 128 MiB and about a third of a second. */
export const COST = { n: 2 ** 17, r: 8, p: 1 } as const

/** What a file of ours may ask for: from 128 MiB to 1 GiB, four times over. */
export const MOST = { n: 2 ** 20, p: 4 } as const

/** Bytes of a key file at most; real ones have some 700. */
export const FILE_BYTES = 16 * 1024

import { toHex } from './hex.js'
import { sha256 } from './merkle.js'

/** A transaction's name: the SHA-256 of its bytes, upper-case hex. */
export const txHash = (tx: Uint8Array): string => toHex(sha256(tx))

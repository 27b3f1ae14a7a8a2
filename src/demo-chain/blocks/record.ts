import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decodeValue, encodeValue } from '../store/encoding.js'
import type { Block, BlockTx } from './block.js'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64')

type Packed = Omit<Block, 'txs' | 'signature'> & {
  readonly signature: string
  readonly txs: readonly {
    readonly bytes: string
    readonly hash: string
    readonly result: Omit<BlockTx['result'], 'data'> & { readonly data: string }
  }[]
}

/** A block with its results as few bytes: events repeat themselves and shrink to a tenth. */
export function packBlock(block: Block): Buffer {
  const packed: Packed = {
    ...block,
    signature: base64(block.signature),
    txs: block.txs.map(({ bytes, hash, result }) => ({
      bytes: base64(bytes),
      hash,
      result: { ...result, data: base64(result.data) },
    })),
  }
  return deflateRawSync(encodeValue(packed), { level: 3 })
}

/** What `packBlock` packed. */
export function unpackBlock(packed: Uint8Array): Block {
  const block = decodeValue(inflateRawSync(packed).toString()) as Packed
  return {
    ...block,
    signature: bytesOf(block.signature),
    txs: block.txs.map(({ bytes, hash, result }) => ({
      bytes: bytesOf(bytes),
      hash,
      result: { ...result, data: bytesOf(result.data) },
    })),
  }
}

import { fromBase64, toBase64 } from '../../platform/encoding.js'
import { decodeValue, encodeValue } from '../store/state.js'
import type { Block, BlockTx, IndexedTx } from './chain.js'

/** A block whose bytes have another form. */
type BlockWith<Bytes> = Omit<Block, 'txs' | 'signature'> & {
  readonly signature: Bytes
  readonly txs: readonly {
    readonly bytes: Bytes
    readonly hash: string
    readonly result: Omit<BlockTx['result'], 'data'> & { readonly data: Bytes }
  }[]
}

const withBytes = <From, To>(block: BlockWith<From>, form: (bytes: From) => To): BlockWith<To> => ({
  ...block,
  signature: form(block.signature),
  txs: block.txs.map(({ bytes, hash, result }) => ({
    bytes: form(bytes),
    hash,
    result: { ...result, data: form(result.data) },
  })),
})

/** Loaded lazily: a quote reads no block. */
const zlib = () => process.getBuiltinModule('node:zlib')

/** Compresses a block with its results; repetitive events shrink to a tenth. */
export const packBlock = (block: Block): Buffer =>
  zlib().deflateRawSync(encodeValue(withBytes(block, toBase64)), { level: 3 })

/** The inverse of `packBlock`. */
function unpackBlock(packed: Uint8Array): Block {
  const block = decodeValue(zlib().inflateRawSync(packed).toString()) as BlockWith<string>
  return withBytes(block, fromBase64)
}

/** A stored block: its keys, and the rest packed. */
export type StoredBlock = {
  readonly height: number
  readonly hash: string
  readonly txs: readonly string[]
  /** The bytes of `packBlock`, computed or read lazily. */
  readonly packed: () => Uint8Array
}

/** Number of recently used blocks that stay unpacked. */
const OPEN = 16

/** The last `keep` blocks, found by height and by transaction. */
export class Archive {
  readonly #blocks = new Map<number, StoredBlock>()
  readonly #txs = new Map<string, readonly [height: number, index: number]>()
  readonly #open = new Map<number, Block>()

  constructor(readonly keep: number) {}

  /** Adds the next block; drops the oldest one if there are too many. */
  add(stored: StoredBlock, block?: Block): void {
    this.#blocks.set(stored.height, stored)
    stored.txs.forEach((hash, index) => {
      this.#txs.set(hash, [stored.height, index])
    })
    if (block) this.#opened(block)
    this.#drop(stored.height - this.keep)
  }

  get(height: number): Block | undefined {
    const open = this.#open.get(height)
    if (open) return open
    const stored = this.#blocks.get(height)
    return stored && this.#opened(unpackBlock(stored.packed()))
  }

  stored(height: number): StoredBlock | undefined {
    return this.#blocks.get(height)
  }

  find(hash: string): IndexedTx | undefined {
    const [height, index] = this.#txs.get(hash) ?? []
    if (height === undefined || index === undefined) return undefined
    const block = this.get(height)
    const tx = block?.txs[index]
    return block && tx && { block, index, tx }
  }

  #opened(block: Block): Block {
    this.#open.set(block.header.height, block)
    if (this.#open.size > OPEN) {
      const [first] = this.#open.keys()
      if (first !== undefined) this.#open.delete(first)
    }
    return block
  }

  #drop(height: number): void {
    const stored = this.#blocks.get(height)
    if (!stored) return
    this.#blocks.delete(height)
    for (const tx of stored.txs) if (this.#txs.get(tx)?.[0] === height) this.#txs.delete(tx)
    this.#open.delete(height)
  }
}

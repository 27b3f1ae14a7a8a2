import type { Block } from '../../../blocks/block.js'
import type { Chain } from '../../../blocks/chain.js'
import type { ChainEvent } from '../../../wasm/events.js'
import type { Condition } from './language.js'

/** A number for a text; different texts rarely share one (FNV-1a, 32 bits). */
function numberOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const pairNumber = (key: string, value: string): number => numberOf(`${key}=${value}`)

/** Which keys, and which of their values, the events of a block's transactions hold. */
function digestOf(block: Block): Uint32Array {
  const numbers = new Set<number>()
  const add = ({ type, attributes }: ChainEvent): void => {
    for (const { key, value } of attributes) {
      numbers.add(numberOf(`${type}.${key}`))
      numbers.add(pairNumber(`${type}.${key}`, value))
    }
  }
  for (const { result } of block.txs) result.events.forEach(add)
  return Uint32Array.from(numbers).sort()
}

function holds(digest: Uint32Array, wanted: number): boolean {
  let low = 0
  let high = digest.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((digest[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return digest[low] === wanted
}

/**
 * Tells which blocks a search can pass by. A chain keeps its blocks packed: unpacking all of them for
 * every search would keep everybody else waiting.
 */
class Digests {
  readonly #kept = new Map<number, Uint32Array>()
  #from = 0

  constructor(readonly chain: Chain) {}

  /** Whether the block at a height may hold a transaction that meets all conditions. */
  mayMeet(height: number, conditions: readonly Condition[]): boolean {
    const digest = this.#at(height)
    return conditions.every(({ key, operator, argument }) =>
      holds(
        digest,
        operator === '=' && (argument?.kind === 'text' || argument?.kind === 'number')
          ? pairNumber(key, argument.text)
          : numberOf(key),
      ),
    )
  }

  #at(height: number): Uint32Array {
    for (; this.#from < this.chain.earliest; this.#from++) {
      if (this.#kept.size === 0) this.#from = this.chain.earliest - 1
      this.#kept.delete(this.#from)
    }
    const kept = this.#kept.get(height)
    if (kept) return kept
    const block = this.chain.block(height)
    const digest = block ? digestOf(block) : new Uint32Array()
    this.#kept.set(height, digest)
    return digest
  }
}

const known = new WeakMap<Chain, Digests>()

/** The digests of a chain, made as searches need them. */
export function digestsOf(chain: Chain): Digests {
  const found = known.get(chain) ?? new Digests(chain)
  known.set(chain, found)
  return found
}

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  type Change,
  decodeValue,
  encodeValue,
  Overlay,
} from '../../../src/demo-chain/store/state.js'
import { Store } from '../../../src/demo-chain/store/store.js'

const KEEP = 4

/** Blocks of changes over few keys, so that they overlap. */
const anyBlocks = fc.array(
  fc.array(
    fc.tuple(
      fc.constantFrom('a', 'b'),
      fc.constantFrom('', 'k', 'k1', 'k\u00ff', 'z'),
      fc.option(fc.bigInt(0n, 9n), { nil: undefined }),
    ),
    { maxLength: 8 },
  ),
  { maxLength: 14 },
)

/** The contents of every height, kept as a copy per height. */
function copies(blocks: readonly (readonly Change[])[]): ReadonlyMap<string, unknown>[] {
  const now = new Map<string, unknown>()
  return blocks.map((changes) => {
    for (const [space, key, value] of changes)
      if (value === undefined) now.delete(`${space}/${key}`)
      else now.set(`${space}/${key}`, value)
    return new Map(now)
  })
}

describe('the versioned store', () => {
  test('answers every kept height like a copy of it, and drops the others', () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const store = new Store(0, KEEP)
        blocks.forEach((changes, at) => {
          store.commit(at + 1, changes)
        })
        const all = [new Map(), ...copies(blocks)]
        assert.equal(store.oldest, Math.max(0, blocks.length - KEEP + 1))
        for (let height = store.oldest; height <= store.height; height++) {
          const seen = [...store.entries(height)].map(([s, k, v]) => [`${s}/${k}`, v] as const)
          assert.deepEqual(new Map(seen), all[height])
          for (const space of ['a', 'b']) {
            const keys = [...store.at(height).keys(space, 'k1')]
            assert.deepEqual(keys, [...keys].sort())
            assert.ok(keys.every((key) => key >= 'k1'))
          }
        }
      }),
    )
  })

  test('keeps no value that no kept height needs', () => {
    const store = new Store(0, KEEP)
    for (let height = 1; height < 1000; height++)
      store.commit(height, [
        ['a', 'always', BigInt(height)],
        ['a', `once ${height}`, 1n],
        ['a', `once ${height - 1}`, undefined],
      ])
    const shallow = JSON.stringify([...store.entries(store.oldest)].map(([, key]) => key))
    assert.equal(shallow, `["always","once ${store.oldest}"]`)
    assert.equal(store.size, KEEP + 2 * KEEP - 1)
  })

  test('has overlays that read their own writes first and pass down exactly those', () => {
    fc.assert(
      fc.property(anyBlocks, anyBlocks, (below, above) => {
        const store = new Store(0, 1)
        const flat = new Store(0, 1)
        store.commit(0, below.flat())
        flat.commit(0, [...below.flat(), ...above.flat()])
        const outer = new Overlay(store.at(0))
        const inner = new Overlay(outer)
        for (const [space, key, value] of above.flat()) inner.set(space, key, value)
        for (const space of ['a', 'b'])
          for (const start of [undefined, 'k', 'k2']) {
            const keys = [...inner.keys(space, start)]
            assert.deepEqual(keys, [...flat.at(0).keys(space, start)])
            for (const key of keys) assert.equal(inner.get(space, key), flat.at(0).get(space, key))
          }
        inner.commitTo(outer)
        store.commit(0, outer.changes())
        assert.deepEqual([...store.entries()], [...flat.entries()])
      }),
    )
  })

  test('keeps values unchanged when they are serialized, bigints and unusual texts included', () => {
    const anyValue = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.bigInt(),
        fc.string(),
        fc.constantFrom('#', '##1', '#12'),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    fc.assert(
      fc.property(anyValue, (value) => {
        assert.deepEqual(decodeValue(encodeValue(value)), structuredClone(value))
      }),
    )
  })
})

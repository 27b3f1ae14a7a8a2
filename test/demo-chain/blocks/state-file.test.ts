import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { packBlock } from '../../../src/demo-chain/blocks/archive.js'
import { type ChainOptions, demoOptions } from '../../../src/demo-chain/blocks/chain-options.js'
import { newestHash } from '../../../src/demo-chain/blocks/state-file.js'
import { type OpenChain, openChain } from '../../../src/demo-chain/process/open-chain.js'
import { encodeChanges } from '../../../src/demo-chain/store/state.js'
import { SwapError } from '../../../src/engine/errors.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder('chain')

let files = 0
const freshPath = (): string => join(folder, `deep/${++files}.jsonl`)
const open = (path: string, options: Partial<ChainOptions> = {}): OpenChain =>
  openChain({ ...demoOptions, ...options }, () => majorPairs, path)

const stateText = ({ chain }: Pick<OpenChain, 'chain'>, height = chain.height): string =>
  encodeChanges(chain.store.entries(height))

describe('the state file', () => {
  test('is not written before the first block', () => {
    const path = freshPath()
    open(path).close()
    assert.throws(() => statSync(path))
  })

  test('continues where it stopped, with the same blocks as without a stop', () => {
    const path = freshPath()
    const hashes: string[] = []
    for (const blocks of [3, 0, 1, 7]) {
      const { chain, close } = open(path)
      hashes.push(...grow(chain, blocks))
      close()
    }
    assert.deepEqual(hashes, grow(chainOf({}, majorPairs), 11))
  })

  test('keeps blocks, results and old states readable', () => {
    const path = freshPath()
    const first = open(path)
    grow(first.chain, 6)
    first.close()
    const second = open(path)
    assert.equal(second.chain.earliest, first.chain.earliest)
    for (let height = second.chain.earliest; height <= second.chain.height; height++) {
      const [after, before] = [second.chain.block(height), first.chain.block(height)]
      assert.ok(after && before && packBlock(after).equals(packBlock(before)))
      assert.equal(stateText(second, height), stateText(first, height))
    }
    second.close()
  })

  test('names its newest block, but where the line of that is longer than what is read', () => {
    const path = freshPath()
    const { chain, close } = open(path)
    grow(chain, 2)
    close()
    assert.equal(newestHash(path), chain.announced.hash)
    appendFileSync(path, `1\t${chain.announced.hash}\t\t${'A'.repeat(1 << 20)}\t[]\n`)
    assert.equal(newestHash(path), undefined)
  })

  test('loses only the last block when a writer is killed while writing it', () => {
    const path = freshPath()
    const { chain, close } = open(path)
    grow(chain, 4)
    close()
    const whole = readFileSync(path)
    const last = whole.lastIndexOf(10, whole.length - 2)
    for (const cut of [last + 1, last + 2, (last + whole.length) >> 1, whole.length - 1]) {
      writeFileSync(path, whole)
      truncateSync(path, cut)
      const after = open(path)
      assert.equal(after.chain.height, chain.height - 1)
      assert.deepEqual(grow(after.chain, 1), [chain.block(chain.height)?.hash])
      after.close()
      assert.deepEqual(readFileSync(path), whole)
    }
  })

  test('has a bounded size, and drops only what no kept height needs', () => {
    const path = freshPath()
    const hashes: string[] = []
    let largest = 0
    const { chain, close } = open(path, { keep: 5 })
    for (let made = 0; made < 25; made++) {
      hashes.push(...grow(chain, 1))
      largest = Math.max(largest, readFileSync(path, 'latin1').split('\n').length)
    }
    close()
    assert.ok(largest <= 2 + 10 + 2, `${largest} lines`)
    const again = open(path)
    assert.equal(again.chain.options.keep, 5)
    assert.equal(again.chain.earliest, again.chain.height - 4)
    assert.equal(again.chain.block(again.chain.height)?.hash, hashes.at(-1))
    assert.equal(stateText(again), stateText({ chain }))
    again.close()
  })

  test('is refused, with its line, if a line is damaged', () => {
    const path = freshPath()
    const { chain, close } = open(path)
    grow(chain, 3)
    close()
    const lines = readFileSync(path, 'utf8').split('\n')
    for (const [at, text, why] of [
      [0, 'x', /its first line is not JSON/],
      [0, '{"format":"other"}', /its format is other, not swap.demo-chain\/1/],
      [1, 'x', /its second line is not a state/],
      [2, 'x', /its line 3 /],
      [4, lines[4]!.slice(0, -60) + '\0'.repeat(60), /its line 5 /],
      [4, lines[5]!, /its line 5 /],
    ] as const) {
      writeFileSync(path, lines.with(at, text).join('\n'))
      assert.throws(
        () => open(path),
        (error) => error instanceof SwapError && why.test(error.message),
      )
    }
    rmSync(path)
    mkdirSync(path)
    assert.throws(() => open(path), SwapError)
  })

  test('is refused and left unchanged if it is another file', () => {
    for (const text of ['{}\n[]\nx\n', 'hello\nworld\nx\n', 'null\n[]\nx\n']) {
      const path = join(folder, `odd-${text.length}`)
      writeFileSync(path, text)
      assert.throws(() => open(path), SwapError)
      assert.equal(readFileSync(path, 'utf8'), text)
    }
  })
})

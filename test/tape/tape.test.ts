import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, deflateRawSync } from 'node:zlib'
import { beforeAll, describe, test } from 'vitest'
import { encodeSnapshot } from '../../src/engine/snapshot/encode.js'
import { frameEncoder, KEY_EVERY, type SnapshotDocument, TAPE_HEAD } from '../../src/tape/frames.js'
import { cutTape, openRecorder } from '../../src/tape/recorder.js'
import {
  documentsOf,
  isTape,
  lastMarkets,
  marketAt,
  marketsOf,
  readTape,
  remainderText,
  summarize,
  verify,
} from '../../src/tape/tape.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { blocksOf, frameOf, recordTape } from '../support/tape.js'

const folder = temporaryFolder('tape')
const BLOCKS = KEY_EVERY + 12
const markets = blocksOf(BLOCKS)
const first = markets[0]!.height
let path: string
let bytes: Buffer
let parts = 0
const fresh = (content?: Uint8Array): string => {
  const file = join(folder, `part-${++parts}.tape`)
  if (content !== undefined) writeFileSync(file, content)
  return file
}
const textOf = (market: (typeof markets)[0]) => JSON.stringify(encodeSnapshot(market))

beforeAll(async () => {
  path = await recordTape(join(folder, 'whole.tape'), markets)
  bytes = readFileSync(path)
})

describe('a tape', () => {
  test('replays every block to the bytes of the snapshot that was recorded', () => {
    const replayed = [...marketsOf(readTape(path))]
    assert.deepEqual(replayed.map(textOf), markets.map(textOf))
    assert.deepEqual(verify(readTape(path)), { path, blocks: BLOCKS, dropped: null })
  })

  test('keeps a pair that did not change as the same book', () => {
    const replayed = [...marketsOf(readTape(path), { to: first + KEY_EVERY - 1 })]
    const kept = replayed.slice(1).flatMap(({ books }, i) => {
      const before = replayed[i]!.books
      return [...books].map(([address, { state }]) => ({
        isKept: before.get(address)?.state === state,
        isSame: JSON.stringify(before.get(address)?.state, big) === JSON.stringify(state, big),
      }))
    })
    const [same, other] = [true, false].map((is) => kept.filter(({ isSame }) => isSame === is))
    assert.ok(same!.length > 0 && other!.length > 0)
    assert.deepEqual(
      kept.filter(({ isKept, isSame }) => isKept !== isSame),
      [],
    )
  })

  test('answers from any block, whole or kept as changes', () => {
    for (const at of [0, 1, KEY_EVERY - 1, KEY_EVERY, BLOCKS - 1])
      assert.equal(textOf(marketAt(readTape(path), first + at)), textOf(markets[at]!))
    assert.equal(marketAt(readTape(path)).height, first + BLOCKS - 1)
    assert.throws(() => marketAt(readTape(path), first - 1), { code: 'NOT_FOUND' })
  })

  test.each([
    [5, 3, [3, 4, 5]],
    [1, 3, [0, 1]],
    [-1, 3, []],
  ])('gives of the blocks up to number %d the last %d', (at, count, expected) => {
    const found = lastMarkets(readTape(path), first + at, count)
    assert.deepEqual(
      found.map(({ height }) => height - first),
      expected,
    )
  })

  test('decodes the pairs again where the tokens changed', () => {
    const document = encodeSnapshot(markets[0]!, { isCompact: true }) as SnapshotDocument
    const tokens = document['tokens'] as readonly object[]
    const next = { ...document, height: first + 1, tokens: tokens.slice(1) }
    const frames = [document, next].map(frameEncoder())
    const tape = { path, bytes: 0, frames, rest: undefined }
    const [, market] = marketsOf(tape)
    assert.equal(market!.books.size, marketAt(tape).books.size)
    assert.ok(market!.books.size < markets[0]!.books.size)
  })

  test('says which blocks it holds', () => {
    const answer = summarize(readTape(path))
    assert.equal(answer.blocks, BLOCKS)
    assert.equal(answer.snapshots, 2)
    const { frames } = readTape(path)
    assert.deepEqual(
      frames.flatMap(({ isKey, height }) => (isKey ? [height - first] : [])),
      [0, 100],
    )
    assert.equal(answer.missing, 0)
    assert.equal(answer.bytes, bytes.length)
    assert.equal(answer.last.height, first + BLOCKS - 1)
  })

  test('is cut to a range that replays to the same bytes', () => {
    const part = fresh()
    const answer = cutTape(readTape(path), part, { from: first + 3, to: first + 9 })
    assert.deepEqual([answer.blocks, answer.last], [7, first + 9])
    assert.deepEqual([...marketsOf(readTape(part))].map(textOf), markets.slice(3, 10).map(textOf))
    assert.equal(answer.bytes, readFileSync(part).length)
    assert.throws(() => cutTape(readTape(path), part, {}), { code: 'INVALID_REQUEST' })
    assert.throws(() => cutTape(readTape(path), fresh(), { from: 1, to: 2 }), {
      code: 'INVALID_REQUEST',
      message: /has no block of that range$/,
      why: `its blocks are ${first} to ${first + BLOCKS - 1}`,
    })
  })

  test('is recognised by its first bytes', () => {
    assert.equal(isTape(path), true)
    assert.equal(isTape(fresh(Buffer.from('{"format":"swap.snapshot/1"}'))), false)
    assert.throws(() => readTape(fresh(Buffer.from('{}'))), { why: /does not begin as a tape/ })
    assert.throws(() => readTape(join(folder, 'none')), { why: /no such file/ })
    assert.throws(() => readTape(folder), { why: 'it is a folder' })
  })
})

/** 200 positions in the long run, from one generator of Lehmer's. */
const positions = (count: number): readonly number[] => {
  let seed = 7
  return Array.from({ length: LONG ? 200 : count }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % bytes.length
  })
}

describe('a tape that was cut off', () => {
  test('at any byte loses the block that was being written alone, and says so', async () => {
    const frames = ends(readTape(path).frames)
    for (const at of positions(12)) {
      const torn = readTape(fresh(bytes.subarray(0, at)))
      const complete = frames.filter((end) => end <= at).length
      assert.equal(torn.frames.length, complete, `cut at ${at}`)
      assert.deepEqual(
        torn.frames.map(({ height }) => height),
        heights(complete),
      )
      const isWhole = at === (complete === 0 ? 12 : frames[complete - 1])
      if (isWhole) assert.equal(torn.rest, undefined)
      else assert.match(remainderText(torn)!, /the last block is incomplete and left out/)
      if (complete > 0) assert.equal(verify(torn).blocks, complete)
      else assert.throws(() => verify(torn), { code: 'INVALID_SNAPSHOT', why: /holds no block/ })
    }
  })

  test('is continued after what was left out is removed', async () => {
    for (const at of positions(4)) {
      const file = fresh(bytes.subarray(0, at))
      const count = readTape(file).frames.length
      const recorder = await openRecorder(file)
      assert.equal(recorder.last(), count === 0 ? undefined : first + count - 1)
      for (const market of markets.slice(count, count + 2)) recorder.append(market)
      recorder.close()
      const again = readTape(file)
      assert.equal(again.rest, undefined)
      assert.deepEqual(
        again.frames.map(({ height }) => height),
        heights(Math.min(count + 2, BLOCKS)),
      )
      assert.equal(verify(again).dropped, null)
    }
  })

  test('by zeros of a lost write is continued as well', async () => {
    const before = ends(readTape(path).frames).at(-4)!
    for (const [end, from] of [[bytes.length], [before, before + 20], [before, before + 55]]) {
      const file = fresh(Buffer.concat([bytes, Buffer.alloc(500)]).fill(0, from ?? end))
      const recorder = await openRecorder(file)
      assert.match(recorder.dropped!, /the last block is incomplete and left out/)
      recorder.close()
      assert.equal(readFileSync(file).length, end)
    }
  })
})

describe('a damaged tape', () => {
  test('without a block is refused', () => {
    for (const length of [0, 5, 12, 60]) {
      const tape = readTape(fresh(bytes.subarray(0, length)))
      for (const use of [
        () => verify(tape),
        () => cutTape(tape, fresh(), {}),
        () => marketAt(tape, 5),
      ])
        assert.throws(use, { code: 'INVALID_SNAPSHOT', why: /it holds no block/ })
    }
  })

  test('with a changed byte is read up to it, refused by verify and not recorded on', async () => {
    for (const at of positions(8).filter((position) => position >= 12)) {
      const copy = Buffer.from(bytes)
      copy[at]! ^= 1
      const file = fresh(copy)
      const tape = readTape(file)
      assert.notEqual(tape.rest, undefined, `byte ${at}`)
      assert.ok(tape.frames.length < BLOCKS)
      if (tape.rest?.isTorn) continue
      assert.throws(() => verify(tape), { why: /damaged/ })
      for (const _ of [1, 2]) await assert.rejects(openRecorder(file), { why: /damaged/ })
    }
  })
})

test('bytes of a tape after another one are damage: heights rise', () => {
  const double = readTape(fresh(Buffer.concat([bytes, bytes.subarray(TAPE_HEAD.length)])))
  assert.equal(summarize(double).blocks, BLOCKS)
  assert.match(summarize(double).dropped!, /damaged and its end left out/)
  assert.throws(() => verify(double), { code: 'INVALID_SNAPSHOT', hint: /tape cut/ })
})

test('a changed byte of the last block counts as cut off, one of a block before it as damage', () => {
  const ended = ends(readTape(path).frames)
  for (const at of [-1, -2]) {
    const copy = Buffer.from(bytes)
    copy[ended.at(at)! - 1]! ^= 1
    assert.equal(readTape(fresh(copy)).rest?.isTorn, at === -1)
  }
})

test('a block that is not the recorded one is refused by verify', () => {
  const tape = readTape(path)
  const [first, ...others] = tape.frames
  const frames = [{ ...first!, digest: Buffer.alloc(32) }, ...others]
  assert.throws(() => verify({ ...tape, frames }), {
    why: /^block \d+ does not have the bytes that were recorded$/,
  })
})

test('a block that cannot be unpacked is refused in words of this program', () => {
  const [frame, change] = readTape(path).frames
  const payloads = [Buffer.from('junk'), deflateRawSync('{'), deflateRawSync('')]
  for (const each of [...payloads.map((payload) => ({ ...frame!, payload })), change!]) {
    assert.throws(() => [...documentsOf({ path, frames: [each] })], {
      why: /^block \d+ .*: its data are damaged$/,
    })
  }
})

test.each([
  ['of no snapshot', 'null', /data are damaged$/],
  ['of another block', '{"height":2}', /data are damaged$/],
  ['of 65 levels', `{"height":1,"a":${'['.repeat(64)}${']'.repeat(64)}}`, /data are damaged$/],
  ['that is invalid', '{"height":1}', /^block 1: \/format must be text, not nothing$/],
])('a document %s is refused with its block', (_, text, why) => {
  const frames = [frameOf(1, deflateRawSync(text))]
  assert.throws(() => [...marketsOf({ ...readTape(path), frames })], { why })
})

test('a block that would unpack to more than 256 MiB is refused before its end', () => {
  // A mebibyte of spaces, which JSON allows before a value; the flush makes it a part that can be repeated.
  const spaces = deflateRawSync(Buffer.alloc(1 << 20, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const payload = Buffer.concat([...Array(257).fill(spaces), deflateRawSync('{"height":1}')])
  assert.throws(() => [...documentsOf({ path, frames: [frameOf(1, payload)] })], {
    why: /data are damaged$/,
  })
})

test('a change is compressed with the last 32,768 bytes of the text before it', () => {
  const digits = Array.from({ length: 8_000 }, (_, i) => `${(i * 48_271) % 99_991}`).join()
  const [before, after] = [
    { height: 1, digits },
    { height: 2, digits: digits.slice(-9_000) },
  ]
  const changes = JSON.stringify({ height: ['=', 2], digits: ['=', after.digits] })
  const dictionary = Buffer.from(JSON.stringify(before)).subarray(-32_768)
  const frames = [
    frameOf(1, deflateRawSync(JSON.stringify(before))),
    frameOf(2, deflateRawSync(changes, { dictionary })),
  ]
  assert.deepEqual(
    [...documentsOf({ path, frames })].map(({ document }) => document),
    [before, after],
  )
})

const big = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
const heights = (count: number) => Array.from({ length: count }, (_, i) => first + i)
/** Where each frame of the whole tape ends. */
const ends = (frames: readonly { readonly payload: Buffer }[]): readonly number[] => {
  let end = 12
  return frames.map(({ payload }) => (end += 55 + payload.length))
}

import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { FaultBoard, faultFile } from '../../../src/demo-chain/faults/board.js'
import { faultKinds } from '../../../src/demo-chain/faults/catalogue.js'
import { SwapError } from '../../../src/engine/errors.js'
import { temporaryFolder } from '../../support/folder.js'

const boardAt = (clock: { now: number }, path?: string) =>
  new FaultBoard(path === undefined ? undefined : faultFile(path), () => clock.now)

const refusal = (why: RegExp) => (error: unknown) =>
  error instanceof SwapError && error.code === 'INVALID_REQUEST' && why.test(error.message)

describe('active faults', () => {
  test('end by themselves when their time is over', () => {
    const clock = { now: 5_000 }
    const board = boardAt(clock)
    board.add({ kind: 'slow', forMs: 1_000 }, 7)
    board.add({ kind: 'hang' }, 7)
    clock.now = 5_999
    assert.deepEqual(
      board.active().map(({ kind }) => kind),
      ['slow', 'hang'],
    )
    clock.now = 6_000
    assert.deepEqual(
      board.active().map(({ kind }) => kind),
      ['hang'],
    )
  })

  test('replace one of their kind for the same calls, and coexist with others', () => {
    const board = boardAt({ now: 0 })
    board.add({ kind: 'slow', n: 1 }, 0)
    board.add({ kind: 'slow', n: 2 }, 0)
    board.add({ kind: 'slow', n: 3, method: 'status' }, 0)
    assert.deepEqual(
      board.active().map(({ n }) => n),
      [2, 3],
    )
  })

  test('are kept in a file for the next process, which is removed with the last of them', () => {
    const path = join(temporaryFolder('board'), 'faults.json')
    const clock = { now: 0 }
    boardAt(clock, path).add({ kind: 'behind', n: 4, once: true, pair: 'demo1x' }, 12)
    const other = boardAt(clock, path)
    const [fault] = other.active()
    assert.equal(fault?.kind, 'behind')
    assert.equal(fault?.n, 4)
    assert.equal(fault?.height, 12)
    assert.ok(fault)
    other.spend(fault)
    assert.deepEqual(boardAt(clock, path).active(), [])
    assert.equal(existsSync(path), false)
  })

  test('are none if the file has other contents', () => {
    const path = join(temporaryFolder('board'), 'faults.json')
    for (const text of ['', '{', '{}', 'null', '[1,null,{"kind":"nothing"}]']) {
      writeFileSync(path, text)
      assert.deepEqual(boardAt({ now: 0 }, path).active(), [])
    }
  })

  test('can be switched off one kind at a time or all at once', () => {
    const board = boardAt({ now: 0 })
    for (const kind of ['slow', 'hang', '429']) board.add({ kind }, 0)
    assert.equal(board.clear('hang').length, 1)
    assert.equal(board.clear('hang').length, 0)
    assert.equal(board.clear().length, 2)
    assert.deepEqual(board.active(), [])
  })

  test('have a known kind and a number in its range', () => {
    const board = boardAt({ now: 0 })
    assert.throws(() => board.add({ kind: 'slwo' }, 0), refusal(/no fault is called "slwo"/))
    assert.throws(() => board.add({ kind: '__proto__' }, 0), refusal(/no fault is called/))
    assert.throws(() => board.add({ kind: 'hang', n: 3 }, 0), refusal(/takes no number/))
    assert.throws(() => board.add({ kind: 'slow', n: 0 }, 0), refusal(/cannot be used/))
    assert.throws(() => board.add({ kind: 'slow', n: 1.5 }, 0), refusal(/cannot be used/))
    const pair = 'demo1x'
    assert.throws(() => board.add({ kind: 'halted', pair }, 0), refusal(/halted takes no --pair/))
    assert.throws(() => board.add({ kind: 'ws-flood', pair }, 0), refusal(/takes no --pair/))
    assert.throws(() => board.clear('nothing'), refusal(/no fault is called/))
    assert.deepEqual(board.active(), [])
  })
})

describe('the list of fault kinds', () => {
  test('names each once, with what it does and what a client should conclude', () => {
    assert.equal(new Set(faultKinds.map(({ kind }) => kind)).size, faultKinds.length)
    for (const { kind, does, sees, number } of faultKinds) {
      assert.match(kind, /^[a-z0-9-]+$/)
      assert.ok(does.length > 5 && sees.length > 5, kind)
      if (number) assert.ok(number.least <= number.fallback && number.fallback <= number.most, kind)
    }
  })
})

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { filesIn } from '../../../src/demo-chain/process/files.js'
import { Log, lastLines, newLines } from '../../../src/demo-chain/process/log.js'
import { checkAgreement, optionsOf, portsOf } from '../../../src/demo-chain/process/options.js'
import { findProcess, writeRecord } from '../../../src/demo-chain/process/record.js'
import { SwapError } from '../../../src/engine/errors.js'
import { thisProcess } from '../../../src/platform/process-identity.js'
import { temporaryFolder } from '../../support/folder.js'
import { longTest } from '../../support/long.js'

function fresh() {
  const places = filesIn(temporaryFolder('files'))
  mkdirSync(places.folder, { recursive: true })
  return places
}

const record = {
  rpc: 'http://127.0.0.1:26657',
  rest: 'http://127.0.0.1:1317',
  since: '2026-05-01T12:00:00Z',
}

describe('the process record of the demo chain', () => {
  test('is found while the process lives', () => {
    const places = fresh()
    assert.equal(findProcess(places), undefined)
    writeRecord(places, { ...thisProcess(), ...record })
    assert.deepEqual(findProcess(places), { ...thisProcess(), ...record })
  })
  test('of a dead process, or of a reused process number, is removed', () => {
    for (const identity of [
      { ...thisProcess(), pid: 2 ** 22 + 1 },
      { ...thisProcess(), startTime: thisProcess().startTime === '' ? '' : '5' },
    ]) {
      if (identity.startTime === '') continue
      const places = fresh()
      writeRecord(places, { ...identity, ...record })
      assert.equal(findProcess(places), undefined)
      assert.equal(existsSync(places.record), false)
    }
  })
  test('with other contents counts as none', () => {
    for (const text of [
      '',
      '{',
      'null',
      '{"pid":"1"}',
      '{"pid":1,"host":"","startTime":"","rpc":"x","rest":"y"}',
    ]) {
      const places = fresh()
      writeFileSync(places.record, text)
      assert.equal(findProcess(places), undefined)
    }
  })
})

describe('the log of the demo chain', () => {
  test('keeps its end, at most twice its limit', () => {
    const { log: path } = fresh()
    const log = new Log(path, 1_000)
    for (let height = 0; height < 500; height++) log.write('block', { height })
    assert.ok(statSync(path).size <= 1_100)
    assert.ok(statSync(`${path}.1`).size <= 1_100)
    const lines = lastLines(path, 12)
    assert.deepEqual(
      lines.map(({ height }) => height),
      Array.from({ length: 12 }, (_, at) => 488 + at),
    )
    assert.deepEqual(lastLines(path, 0), [])
  })
  test('continues in the file of an earlier process', () => {
    const { log: path } = fresh()
    new Log(path).write('start', { pid: 1 })
    new Log(path).write('stop', { pid: 1 })
    assert.deepEqual(
      lastLines(path, 9).map(({ event }) => event),
      ['start', 'stop'],
    )
  })
  test('is read without incomplete or damaged lines', () => {
    const { log: path } = fresh()
    new Log(path).write('start')
    writeFileSync(path, `${readFileSync(path, 'utf8')}not a line\n{"time":"x","ev`)
    assert.equal(lastLines(path, 9).length, 1)
  })
  longTest('can be followed, also into a new file', async () => {
    const { log: path } = fresh()
    const log = new Log(path, 300)
    log.write('start')
    const ending = new AbortController()
    const lines = newLines(path, ending.signal)
    const seen: unknown[] = []
    for (let height = 1; height <= 12; height++) {
      log.write('block', { height })
      seen.push((await lines.next()).value?.height)
    }
    ending.abort()
    assert.equal((await lines.next()).done, true)
    assert.deepEqual(
      seen,
      Array.from({ length: 12 }, (_, at) => at + 1),
    )
    assert.ok(existsSync(`${path}.1`))
  })
  test('is followed to the end of a file that is rotated', async () => {
    const { log: path } = fresh()
    const log = new Log(path, 300)
    while (!existsSync(path) || statSync(path).size <= 200) log.write('start')
    const ending = new AbortController()
    const lines = newLines(path, ending.signal)
    let height = 0
    while (!existsSync(`${path}.1`)) log.write('block', { height: (height += 1) })
    for (let next = 1; next <= height; next++)
      assert.equal((await lines.next()).value?.height, next)
    ending.abort()
    assert.equal((await lines.next()).done, true)
  })
  test('does not stop the chain when it cannot be written', () => {
    new Log('/dev/null/log').write('start')
  })
})

describe('the options of a demo chain', () => {
  const present = { seed: 3, blockTimeMs: 500, dialect: 'forward' } as const
  test('are used as given, with defaults for the rest', () => {
    const options = optionsOf({ seed: 3, dialect: 'stack' })
    assert.deepEqual(
      [options.seed, options.blockTimeMs, options.dialect, options.chainId],
      [3, 2000, 'stack', 'demo-1'],
    )
    assert.deepEqual(portsOf({}), { rpcPort: 26657, restPort: 1317 })
    assert.deepEqual(portsOf({ port: 26700 }), { rpcPort: 26700, restPort: 26701 })
    assert.deepEqual(portsOf({ port: 0 }), { rpcPort: 0, restPort: 0 })
  })
  test('must match the present chain, or are refused with a hint', () => {
    checkAgreement({}, present)
    checkAgreement({ ...present, port: 1 }, present)
    for (const other of [{ seed: 4 }, { blockTimeMs: 600 }, { dialect: 'stack' as const }])
      assert.throws(
        () => checkAgreement(other, present),
        (error: unknown) =>
          error instanceof SwapError &&
          error.code === 'INVALID_REQUEST' &&
          error.hint?.includes('swap demo reset'),
      )
  })
})

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { toBech32 } from '@cosmjs/encoding'
import { StargateClient } from '@cosmjs/stargate'
import { afterEach, describe, test } from 'vitest'
import { demoCommands } from '../../../src/demo-chain/process/commands.js'
import { type DemoFiles, filesIn } from '../../../src/demo-chain/process/files.js'
import { lastLines } from '../../../src/demo-chain/process/log.js'
import { type EmbeddedDemo, openDemo } from '../../../src/demo-chain/process/open-demo.js'
import type { DemoStatus } from '../../../src/demo-chain/process/status.js'
import { SwapError } from '../../../src/engine/errors.js'
import { temporaryFolder } from '../../support/folder.js'
import { longTest } from '../../support/long.js'
import { ask as request } from '../node/ask.js'

const program = [process.execPath, resolve('bin/swap.js')]
const otherAddress = toBech32('demo', new Uint8Array(20).fill(3))
const QUICK = { port: 0, blockTimeMs: 200 } as const

const homes: string[] = []
function fresh(): { places: DemoFiles; port: ReturnType<typeof demoCommands> } {
  const home = temporaryFolder('demo')
  homes.push(home)
  // The started process derives the same folder itself.
  process.env['SWAP_HOME'] = home
  const places = filesIn(join(home, 'state'))
  return { places, port: demoCommands(places, program) }
}

const { SWAP_HOME: before } = process.env
afterEach(async () => {
  if (before === undefined) delete process.env['SWAP_HOME']
  else process.env['SWAP_HOME'] = before
  for (const home of homes.splice(0)) {
    await demoCommands(filesIn(join(home, 'state')), program).stop()
    rmSync(home, { recursive: true, force: true })
  }
})

async function embedded(places: DemoFiles, purpose: 'read' | 'execute'): Promise<EmbeddedDemo> {
  const demo = await openDemo(places, purpose)
  assert.ok(demo.kind === 'embedded')
  return demo
}

/** The status once the chain has at least this height. */
async function reaching(
  port: ReturnType<typeof demoCommands>,
  height: number,
): Promise<DemoStatus> {
  for (;;) {
    const status = await port.status()
    if (status.height >= height) return status
    await wait(20)
  }
}

describe('the demo chain without a process', () => {
  test('is read without leaving files and without a lock', async () => {
    const { places, port } = fresh()
    const status = await port.status()
    assert.deepEqual(
      [status.running, status.pid, status.rpc, status.rest, status.height],
      [false, null, null, null, 120],
    )
    assert.equal(existsSync(places.state), false)
    const writer = await embedded(places, 'execute')
    assert.equal((await port.status()).height, 120)
    writer.close()
  })

  test('refuses a folder in the place of a file, by name, until it is reset', async () => {
    for (const name of ['lock', 'record', 'faults'] as const) {
      const { places, port } = fresh()
      mkdirSync(join(places[name], 'more'), { recursive: true })
      for (const call of [port.status, () => port.start(QUICK), () => port.give(otherAddress, [])])
        await assert.rejects(call(), (error: unknown) => {
          assert.ok(error instanceof SwapError && error.code === 'INVALID_REQUEST')
          assert.ok(error.message.startsWith(places[name]), error.message)
          return /swap demo reset/.test(String(error.hint))
        })
      await port.reset()
      assert.equal((await port.status()).height, 120)
    }
  })

  test('keeps what one command executed for the next one', async () => {
    const { port } = fresh()
    const given = await port.give(otherAddress, [{ denom: 'rune', amount: 500n }])
    assert.equal(given.height, 121)
    assert.deepEqual(given.coins, [{ denom: 'rune', amount: '500' }])
    assert.equal((await port.status()).height, 121)
    assert.equal((await port.give(otherAddress, [])).height, 122)
  })

  test('keeps a fault for the next command, and once for one call', async () => {
    const { places, port } = fresh()
    assert.equal((await port.fail({ kind: '502', once: true })).length, 1)
    assert.equal((await port.status()).faults[0]?.kind, '502')
    const ask = async () => {
      const demo = await embedded(places, 'read')
      const server = createHttpServer(demo.listener('rpc'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port: at } = server.address() as AddressInfo
      const reply = await request(`http://127.0.0.1:${at}/health`)
      await new Promise((resolve) => server.close(resolve))
      demo.close()
      return reply.status
    }
    assert.deepEqual([await ask(), await ask()], [502, 200])
    assert.equal(existsSync(places.faults), false)
  })

  longTest('makes no block while it is halted, and reports so', async () => {
    const { port } = fresh()
    await port.fail({ kind: 'halted' })
    assert.equal((await port.give(otherAddress, [])).height, null)
    assert.equal((await port.off()).length, 1)
    assert.equal((await port.give(otherAddress, [])).height, 121)
  })

  test('refuses an address of another chain, an unknown denom and too large an amount', async () => {
    const { port } = fresh()
    const refused = (code: string) => (error: unknown) =>
      error instanceof SwapError && error.code === code
    await assert.rejects(port.give('thor1xyz', []), refused('INVALID_ADDRESS'))
    const coin = (denom: string, amount: bigint) => [{ denom, amount }]
    await assert.rejects(port.give(otherAddress, coin('nothing', 1n)), refused('UNKNOWN_TOKEN'))
    await assert.rejects(
      port.give(otherAddress, coin('rune', 10n ** 19n)),
      (error) =>
        refused('INVALID_AMOUNT')(error) &&
        /^the faucet cannot give 100000000000 RUNE$/.test((error as SwapError).message) &&
        /^it has \d{1,11}(\.\d+)? RUNE left$/.test((error as SwapError).why ?? ''),
    )
  })
})

describe('the demo chain as a process', () => {
  test('is found by later commands and unmodified clients, and keeps its state afterwards', async () => {
    const { places, port } = fresh()
    const { status, already } = await port.start(QUICK)
    assert.equal(already, false)
    assert.equal(status.running, true)
    const client = await StargateClient.connect(status.rpc ?? '')
    assert.equal(await client.getChainId(), 'demo-1')
    const given = await port.give(otherAddress, [{ denom: 'rune', amount: 500n }])
    assert.ok(given.height !== null && given.height > 120)
    assert.equal((await client.getBalance(otherAddress, 'rune')).amount, '500')
    client.disconnect()
    const again = await port.start({ blockTimeMs: 200 })
    assert.deepEqual([again.already, again.status.pid], [true, status.pid])
    await assert.rejects(port.start({ seed: 9 }), /the present chain has seed 1/)
    await assert.rejects(port.start({ port: 1 }), /runs at port \d+ already/)
    assert.equal((await port.stop()).pid, status.pid)
    assert.equal((await port.stop()).pid, null)
    const after = await port.status()
    assert.equal(after.running, false)
    assert.ok(after.height >= given.height)
    const [first, ...rest] = lastLines(places.log, 1_000)
    assert.equal(first?.event, 'start')
    assert.equal(rest.at(-1)?.event, 'stop')
    assert.equal(rest.at(-1)?.['height'], after.height)
  })

  test('leaves a complete state when it is killed, from which the next one continues', async () => {
    const { places, port } = fresh()
    const { status } = await port.start(QUICK)
    const { height } = await reaching(port, 123)
    assert.ok(status.pid)
    process.kill(status.pid, 'SIGKILL')
    let after = await port.status().catch(() => undefined)
    while (!after || after.running) after = await port.status().catch(() => undefined)
    assert.ok(after.height >= height)
    assert.equal(existsSync(places.record), false)
    const second = await port.start({ port: 0 })
    assert.equal(second.already, false)
    assert.equal(second.status.block_time_ms, 200)
    assert.ok(second.status.height >= after.height)
  })

  longTest('two starts at once make one process', async () => {
    const { port } = fresh()
    const [one, other] = await Promise.all([port.start(QUICK), port.start(QUICK)])
    assert.equal(one.status.pid, other.status.pid)
    assert.deepEqual([one.already, other.already].sort(), [false, true])
  })

  longTest(
    'has faults that are switched while it runs: its height stops, then continues',
    async () => {
      const { port } = fresh()
      await port.start(QUICK)
      await reaching(port, 122)
      await port.fail({ kind: 'halted' })
      const halted = (await port.status()).height
      await wait(500)
      const later = (await port.status()).height
      assert.ok(later <= halted + 1)
      assert.deepEqual(
        (await port.off()).map(({ kind }) => kind),
        ['halted'],
      )
      await reaching(port, later + 2)
    },
  )

  longTest('executes the commands off and stop even while its node answers no client', async () => {
    const { port } = fresh()
    const { status } = await port.start(QUICK)
    for (const kind of ['hang', '502', 'refuse']) await port.fail({ kind })
    await assert.rejects(fetch(`${status.rpc}/status`, { signal: AbortSignal.timeout(500) }))
    assert.equal((await port.off()).length, 3)
    assert.equal((await fetch(`${status.rpc}/status`)).status, 200)
    await port.fail({ kind: 'hang' })
    const hanging = fetch(`${status.rpc}/status`).catch(() => 'cut')
    assert.equal((await port.stop()).pid, status.pid)
    assert.equal(await hanging, 'cut')
  })

  longTest('reports a port that is taken', async () => {
    const { places, port } = fresh()
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    const address = taken.address()
    assert.ok(address && typeof address === 'object')
    await assert.rejects(
      port.start({ port: address.port }),
      (error: unknown) =>
        error instanceof SwapError &&
        error.code === 'BUSY' &&
        error.message.includes(`port ${address.port}`),
    )
    taken.close()
    assert.equal(existsSync(places.lock), false)
  })

  longTest('uses other ports where the default ones are taken', async () => {
    const { port } = fresh()
    const taken = createServer()
    // Taken by this test or by another program: either is fine.
    await new Promise<void>((done) => {
      taken.once('error', () => done()).listen(26657, '127.0.0.1', done)
    })
    const { status } = await port.start({ blockTimeMs: 100 })
    assert.match(status.rpc ?? '', /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.notEqual(status.rpc, 'http://127.0.0.1:26657')
    await port.stop()
    taken.close()
  })

  longTest('waits for a chain that a command holds, then reports the holder', async () => {
    const { places, port } = fresh()
    const demo = await embedded(places, 'execute')
    await assert.rejects(
      port.start(QUICK),
      (error: unknown) =>
        error instanceof SwapError && error.message.includes(`process ${process.pid}`),
    )
    demo.close()
  })

  longTest('is removed by reset with all its files, which are listed', async () => {
    const { places, port } = fresh()
    const { status } = await port.start(QUICK)
    await reaching(port, 122)
    const { pid, removed } = await port.reset()
    assert.equal(pid, status.pid)
    assert.ok(removed.includes(places.state))
    assert.equal(existsSync(places.folder), false)
    assert.equal((await port.status()).height, 120)
    assert.deepEqual((await port.reset()).removed, [])
  })

  longTest('another seed is another market', async () => {
    const { port } = fresh()
    const { status } = await port.start({ ...QUICK, seed: 2, dialect: 'stack' })
    assert.deepEqual([status.seed, status.dialect], [2, 'stack'])
    await reaching(port, 122)
    await port.stop()
    assert.deepEqual((await port.status()).seed, 2)
  })
})

test('the files of a demo chain are readable by their owner only', async () => {
  if (process.platform === 'win32') return
  const { places, port } = fresh()
  await port.give(otherAddress, [])
  await port.fail({ kind: 'slow' })
  assert.equal(statSync(places.folder).mode & 0o777, 0o700)
  for (const path of [places.state, places.log, places.faults])
    assert.equal(statSync(path).mode & 0o777, 0o600, path)
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { runSwap } from '../support/cli.js'
import { firstRows, longTest } from '../support/long.js'
import { folder, shell, swap } from '../support/program.js'
import { endAll, serving, servingWith } from './serving.js'
import { body, demoDocument } from './stage.js'

const file = join(folder, 'served.json')
const running = new Set<ChildProcess>()

beforeAll(() => {
  writeFileSync(file, JSON.stringify(demoDocument))
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  endAll()
})

/** Sends one request; `undefined` without a reply. */
const ask = (url: string, sent?: string, agent?: Agent): Promise<number | undefined> =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' }
    const options = {
      method: sent === undefined ? 'GET' : 'POST',
      headers,
      ...(agent && { agent }),
    }
    request(url, options, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode))
    })
      .on('error', () => resolve(undefined))
      .end(sent)
  })

/** Repeats a request until it is accepted: on a loaded machine the process may answer OVERLOADED. */
async function answered(url: string, sent?: string): Promise<number | undefined> {
  for (;;) {
    const status = await ask(url, sent)
    if (status !== 503) return status
  }
}

describe('the service process', () => {
  longTest('serves a saved market until SIGTERM, and exits with 0', async () => {
    const { url, log, end } = await serving('--snapshot', file)
    assert.equal(await ask(`${url}/readyz`), 200)
    assert.equal(await answered(`${url}/swap/route`, JSON.stringify(body())), 200)
    const exactOut = {
      input: { denom: 'btc-btc' },
      output: { denom: 'rune', amount: '5000000000' },
    }
    assert.equal(await answered(`${url}/swap/route`, JSON.stringify(exactOut)), 200)
    assert.equal(await ask(`${url}/docs/start.js`), 200)
    assert.equal(await end(), 0)
    const messages = log.map((line) => (JSON.parse(line) as { msg: string }).msg)
    assert.deepEqual(
      messages.filter((each) => each !== 'request'),
      ['ready', 'stopping', 'bye'],
    )
  })
  test('refuses parameters that cannot be decoded, as the sources do before they are minified', async () => {
    const { url, end } = await serving('--snapshot', file)
    const reply = await fetch(`${url}/swap/arbs?minPercent=%zz`)
    assert.match(await reply.text(), /the parameters cannot be decoded/)
    assert.equal(await end(), 0)
  })
  longTest('logs the warnings of Node as events, and those of its threads not again', async () => {
    const warning = join(folder, 'warning.cjs')
    // The main thread warns once the program logs warnings.
    writeFileSync(
      warning,
      `const [usual] = process.listeners('warning')
      const isLogged = () => process.listeners('warning')[0] !== usual
      const { isMainThread } = require('node:worker_threads')
      const timer = setInterval(() => {
        if (isMainThread && !isLogged()) return
        clearInterval(timer)
        process.emitWarning('of the test')
      }, 1)`,
    )
    const env = { NODE_OPTIONS: `--require=${warning}` }
    const { url, log, end } = await servingWith(env, '--snapshot', file)
    assert.equal(await answered(`${url}/swap/route`, JSON.stringify(body())), 200)
    assert.equal(await end(), 0)
    const warnings = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a warning')
    assert.deepEqual(new Set(warnings.map(({ reason }) => reason)), new Set(['of the test']))
  })
  longTest('serves the demo chain block by block, and starts it where none runs', async () => {
    const env = { SWAP_HOME: join(folder, 'chain') }
    assert.equal(swap(['demo', 'start', '--port', '0', '--block-time', '200ms'], { env }).status, 0)
    try {
      const child = spawn(
        process.execPath,
        ['bin/swap.js', 'serve', '--listen', '127.0.0.1:0', '-q'],
        {
          env: { PATH: process.env['PATH'], ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      running.add(child)
      let log = ''
      child.stderr.on('data', (text) => {
        log += String(text)
      })
      const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
      const query = 'input.denom=btc-btc&input.amount=1000000&output.denom=rune'
      const heights: number[] = []
      for (let status: number | undefined = 503; status === 503; )
        status = await wait(50).then(() => ask(`${url}/readyz`))
      await new Promise<void>((resolve) => {
        const stream = get(`${url}/swap/stream?${query}`, (reply) => {
          let text = ''
          reply.on('error', () => {})
          reply.setEncoding('utf8').on('data', (part: string) => {
            text += part
            const found = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
            heights.splice(0, heights.length, ...found)
            if (heights.length >= 3) resolve(void stream.destroy())
          })
        })
      })
      assert.ok(heights[0]! < heights[1]! && heights[1]! < heights[2]!)
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      assert.equal((await ended)[0], 0)
      const { pid } = JSON.parse(swap(['demo', 'status', '--json'], { env }).stdout)
      const last = JSON.parse(log.trim().split('\n').at(-1)!)
      assert.equal(last.msg, 'the demo chain keeps running; end it with: swap demo stop')
      assert.equal(last.pid, pid)
    } finally {
      swap(['demo', 'stop'], { env })
    }
  })
  const bugs = [
    ['rejected', "Promise.reject(new Error('canary'))"],
    ['thrown', "throw new Error('canary')"],
  ] as const
  for (const [what, act] of firstRows(bugs))
    test(`logs an uncaught error that is ${what} in one line and exits with 70`, async () => {
      // A preloaded module, so that the program needs no test code.
      const bug = `process.on('SIGUSR2', () => { ${act} })`
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(bug)}`
      const { url, log, end } = await servingWith({ NODE_OPTIONS }, '--snapshot', file)
      assert.equal(await ask(`${url}/readyz`), 200)
      assert.equal(await end('SIGUSR2'), 70)
      assert.equal(await ask(`${url}/livez`), undefined)
      const lines = log.map((line) => JSON.parse(line) as { msg: string; reason?: string })
      assert.deepEqual(
        lines.filter(({ msg }) => msg !== 'request').map(({ msg }) => msg),
        ['ready', 'a bug ends the service'],
      )
      assert.match(lines.at(-1)?.reason ?? '', /^Error: canary\n/)
    })
  longTest('exits with 13 and names the port if it is taken', async () => {
    const { url, end } = await serving('--snapshot', file)
    const { port } = new URL(url)
    const second = swap(['serve', '--snapshot', file, '--listen', `127.0.0.1:${port}`, '--json'])
    assert.equal(second.status, 13)
    const { code, port: named } = JSON.parse(second.stdout) as { code: string; port: number }
    assert.deepEqual([code, named], ['BUSY', Number(port)])
    assert.equal(await end('SIGINT'), 0)
  })
  test('answers requests in flight when it is stopped, and accepts no later ones', async () => {
    const { url, end } = await serving('--snapshot', file)
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    const long = (i: number) =>
      JSON.stringify({
        input: { denom: 'btc-btc' },
        output: { denom: 'rune', amount: `500000000${i}` },
        explain: true,
      })
    await ask(`${url}/swap/route`, long(0), agent)
    let sent = 0
    const asked = Array.from({ length: 20 }, (_, i) => ask(`${url}/swap/route`, long(i + 1), agent))
    for (const each of asked) void each.then(() => (sent += 1))
    await ask(`${url}/livez`, undefined, agent)
    assert.ok(sent < 20)
    const status = end()
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]))
    assert.equal(await status, 0)
    assert.equal(await ask(`${url}/livez`), undefined)
    agent.destroy()
  })
  longTest('reports itself unready for a configured time before it closes', async () => {
    const { url, end } = await serving('--snapshot', file, '--drain-delay', '3s')
    const status = end()
    let ready: number | undefined = 200
    while (ready === 200) ready = await ask(`${url}/readyz`)
    assert.equal(ready, 503)
    assert.equal(await answered(`${url}/swap/route`, JSON.stringify(body())), 200)
    assert.equal(await status, 0)
  })
  const seconds = [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const
  for (const [signal, status] of seconds)
    test(`ends at once with ${status} at ${signal} while it shuts down`, async () => {
      const { child, log, end } = await serving('--snapshot', file, '--drain-delay', '60s')
      child.kill('SIGTERM')
      while (!log.some((line) => line.includes('"stopping"'))) await once(child.stderr!, 'data')
      assert.equal(await end(signal), status)
    })

  const wrong: readonly (readonly [string, string])[] = [
    ['--listen', 'nowhere'],
    ['--listen', '127.0.0.1:70000'],
    ['--listen', '[:::::]:8555'],
    ['--rate', '0/s'],
    ['--rate', 'fast'],
    ['--cors', '*'],
    ['--cors', 'https://app.example.org/path'],
    ['--allow-host', 'a b'],
    ['--log', 'xml'],
    ['--max-age', '10'],
    ['--max-inflight', '0'],
    ['--threads', '0'],
    ['--shutdown-grace', 'soon'],
  ]
  for (const [flag, value] of wrong)
    test(`exits with 2 and names the flag for ${flag} ${value}`, async () => {
      const { status, stderr } = await runSwap(['serve', flag, value])
      assert.equal(status, 2)
      assert.ok(stderr.includes(flag))
    })

  test('suggests brackets where --listen has an IPv6 address without them', async () => {
    const { stderr } = await runSwap(['serve', '--listen', '::1:8555'])
    assert.ok(stderr.includes('--listen [::1]:8555'), stderr)
  })
  test('exits with 2 for a host that this machine does not have', async () => {
    // An address of the documentation, which no machine has.
    const args = ['serve', '--snapshot', file, '--listen', '192.0.2.1:0']
    const { status, stderr } = await runSwap(args)
    assert.equal(status, 2)
    assert.match(
      stderr,
      /"192\.0\.2\.1:0" cannot be used for --listen\n.*does not have that address/,
    )
  })
  test('names an IPv6 address that cannot be used in brackets', async () => {
    const args = ['serve', '--snapshot', file, '--listen', '[2001:db8::1]:0']
    const { stderr } = await runSwap(args)
    assert.match(stderr, /"\[2001:db8::1\]:0" cannot be used for --listen/)
  })
  test.runIf(process.platform !== 'win32')('exits with 2 without a folder for its history', () => {
    const { status, stderr } = shell(
      `env -u HOME -u SWAP_HOME -u XDG_DATA_HOME timeout -s KILL 30 "${process.execPath}" "${resolve('bin/swap.js')}" serve -n mainnet --rpc http://127.0.0.1:1 --listen 127.0.0.1:0`,
    )
    assert.equal(status, 2, stderr)
    assert.match(stderr, /there is no folder for the history/)
  })
  test.runIf(existsSync('/dev/full'))('exits with 4 when its address cannot be printed', () => {
    const { status, stderr } = shell(
      `timeout -s KILL 60 "${process.execPath}" "${resolve('bin/swap.js')}" serve --snapshot "${file}" --listen 127.0.0.1:0 >/dev/full`,
    )
    assert.equal(status, 4, stderr)
    assert.match(stderr, /ENOSPC/)
  })
})

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import autocannon, { type Options, type Result } from 'autocannon'
import { DEMO_SEED, demoSnapshot } from '../src/demo-chain/market/snapshot.js'
import { decodeSnapshot } from '../src/engine/snapshot/decode.js'
import { anyRequests } from './any-request.js'
import { setApart } from './serve/apart.js'
import { fromBlockToQuote, stream } from './serve/fresh.js'
import { type Load, paced, quantiles } from './serve/paced.js'

type Server = { readonly child: ChildProcess; readonly url: string }

async function start(...args: readonly string[]): Promise<Server> {
  const program = fileURLToPath(new URL('serve/child.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url }
}

const stop = ({ child }: Server) => child.kill()

/** Seconds of processor time that a process has used. */
function cpuOf({ child }: Server): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const TYPE = { 'content-type': 'application/json' }
let amount = 1_000_000
const bodyOf = (n: number) =>
  JSON.stringify({ input: { denom: 'btc-btc', amount: `${n}` }, output: { denom: 'rune' } })
/** Requests that all differ. */
const unique = {
  method: 'POST' as const,
  path: '/swap/route',
  headers: TYPE,
  setupRequest: (request: object) => ({ ...request, body: bodyOf((amount += 7)) }),
}
/** Requests between any two tokens, of any size, over at most so many hops; a fifth of them is refused. */
function anyOf(most: number) {
  const requests = anyRequests(decodeSnapshot(demoSnapshot(DEMO_SEED), 'demo'), 20_000)
  let next = 0
  const bodyOfNext = () => {
    const request = requests[next++ % requests.length]!
    return JSON.stringify({ ...request, max_hops: Math.min(request.max_hops, most) })
  }
  return { ...unique, setupRequest: (request: object) => ({ ...request, body: bodyOfNext() }) }
}
const same = {
  method: 'POST' as const,
  path: '/swap/route',
  headers: TYPE,
  body: bodyOf(150_000_000),
}

type Measured = { readonly perSecond: number; readonly perCpu: number; readonly result: Result }

async function load(server: Server, options: Partial<Options>): Promise<Measured> {
  const before = cpuOf(server)
  const result = await autocannon({ url: server.url, connections: 50, duration: 4, ...options })
  const perCpu = result.requests.total / (cpuOf(server) - before)
  return { perSecond: result.requests.average, perCpu, result }
}

/** Once to warm up, once to measure. V8 optimises code that serves many kinds of requests for half a minute. */
async function saturate(name: string, server: Server, options: Partial<Options>, warmUp = 2) {
  await load(server, { ...options, duration: warmUp })
  const { perSecond, perCpu, result } = await load(server, options)
  const bad = result.errors + result.non2xx - (result.statusCodeStats?.['304']?.count ?? 0)
  console.log(name.padEnd(46), whole(perSecond), whole(perCpu), `  ${bad} refused`)
  return perCpu
}

/** A fixed rate, evenly spaced; what waits is late from the moment at which it was due. */
async function steady(name: string, load: Load): Promise<void> {
  const { sent, statuses, p50, p99, max, lag } = await paced(load)
  const good = statuses.get(200) ?? 0
  console.log(
    name.padEnd(46),
    whole(good / load.seconds),
    ...[p50, p99, max, lag].map((ms) => ms.toFixed(1).padStart(9)),
    `  ${sent - good} refused`,
  )
}

const whole = (n: number): string => `${Math.round(n)}`.padStart(9)
const share = (name: string, part: number, of: number) =>
  console.log(`${name}: ${Math.round((100 * part) / of)} %`)

console.log('50 connections, as fast as it goes'.padEnd(46), '  per s', ' per cpu-s')
const service = await start('service')
const tokens = await fetch(`${service.url}/swap/tokens`)
const size = (await tokens.text()).length
const answer = await fetch(`${service.url}/swap/route`, {
  method: 'POST',
  headers: TYPE,
  body: same.body,
})
const bare = await start('trivial', `${(await answer.text()).length}`)
const bareTokens = await start('trivial', `${size}`)
const post = { method: 'POST' as const, headers: TYPE, body: same.body }
const trivialPost = await saturate('bare fastify, POST, as many bytes as a route', bare, post)
const known = await saturate('/swap/route, the same request', service, { requests: [same] })
await saturate('/swap/route, every request another', service, { requests: [unique] })
for (const hops of [4, 6]) {
  const options = { requests: [anyOf(hops)], duration: 8 }
  await saturate(`any tokens and sizes, at most ${hops} hops`, service, options, 20)
}
const trivialGet = await saturate('bare fastify, GET, as many bytes as tokens', bareTokens, {})
await saturate('/swap/tokens', service, { requests: [{ path: '/swap/tokens' }] })
const etag = tokens.headers.get('etag') ?? ''
const notModified = { path: '/swap/tokens', headers: { 'if-none-match': etag } }
const unchanged = await saturate('/swap/tokens, 304', service, { requests: [notModified] })
share('the same request against bare fastify', known, trivialPost)
share('304 against bare fastify', unchanged, trivialGet)
stop(bare)
stop(bareTokens)

const RATES = ['  per s', '      p50', '      p99', '      max', '     late']
console.log(`\n${'a fixed rate; ms, and how late the load itself was'.padEnd(46)}`, ...RATES)
const routes = (server: Server, perSecond: number, seconds = 10): Load => ({
  url: `${server.url}/swap/route`,
  perSecond,
  seconds,
  body: () => bodyOf((amount += 7)),
})
const splits = (server: Server, step: number): Load => ({
  url: `${server.url}/swap/sroute`,
  perSecond: 150,
  seconds: 10,
  body: () =>
    JSON.stringify({
      input: { denom: 'btc-btc', amount: `${(amount += 7)}`, split_step: step },
      output: { denom: 'rune' },
    }),
})
await steady('routes, every one another, an unchanging market', routes(service, 1_000))
for (const step of [5, 1]) {
  await paced({ ...splits(service, step), perSecond: 10, seconds: 3 })
  await steady(`splits of ${step} %, every one another`, splits(service, step))
}
stop(service)

const home = mkdtempSync(join(tmpdir(), 'swap-bench-'))
const env = { ...process.env, SWAP_HOME: home }
const demo = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['bin/swap.js', 'demo', ...args], { env, encoding: 'utf8' })
const { rpc } = JSON.parse(demo('start', '--port', '0', '--block-time', '500ms', '--json').stdout)
const chain = await start('service', 'threads', join(home, 'state'))
while ((await fetch(`${chain.url}/readyz`)).status !== 200);
await paced(routes(chain, 500, 10))
await steady('routes, every one another, two blocks a second', routes(chain, 1_000))
const fresh = quantiles(await fromBlockToQuote(chain.url, rpc, 40))
console.log(
  `from a new block to the first quote of it: p50 ${whole(fresh(0.5))} ms, p99 ${whole(fresh(0.99))} ms`,
)
demo('fail', 'slow', '5')
// Less than it takes for the market to be too old.
await steady('the same, a node that takes 5 s to answer', routes(chain, 1_000, 8))
demo('fail', 'off')
stop(chain)
await program(async (server) => {
  const ends = Array.from({ length: 50 }, () => stream(server.url, () => {}))
  await paced(routes(server, 200, 10))
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(status) ?? []
  console.log(`with 50 streams and load: ${whole(Number(kib) / 1_024)} MiB`)
  for (const end of ends) end()
})
demo('stop')

/** The program itself: how soon it is ready, and what else is to be measured of it. */
async function program(measure: (server: Server) => Promise<void>): Promise<void> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['bin/swap.js', 'serve', '--listen', '127.0.0.1:0', '-q'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  while ((await fetch(`${url}/readyz`)).status !== 200);
  console.log(`ready after ${whole(performance.now() - begun)} ms`)
  await measure({ child, url })
  const ended = once(child, 'close')
  child.kill()
  await ended
}

/** Far too much over six hops: finding out how much would pass takes hundreds of milliseconds. */
const heavy = (server: Server): Load => ({
  ...routes(server, 1, 10),
  body: () =>
    JSON.stringify({
      input: { denom: 'btc-btc', amount: `${10n ** 17n + BigInt((amount += 7))}` },
      output: { denom: 'rune' },
      max_hops: 6,
    }),
})
for (const where of ['inline', 'threads']) {
  const server = await start('service', where)
  // A thread is started by the first heavy request; what is measured comes after.
  await paced({ ...heavy(server), seconds: 4 })
  const hard = paced(heavy(server))
  await steady(`light ones beside a heavy one a second, ${where}`, routes(server, 200))
  await hard
  stop(server)
}

// Last: what this process starts afterwards would be where it is put. A chain keeps its block time.
demo('reset')
const { pid } = JSON.parse(demo('start', '--port', '0', '--block-time', '2s', '--json').stdout)
await program(async (server) => {
  const where = setApart(server.child.pid ?? 0, pid) ? ', a core of its own' : ''
  await paced(routes(server, 1_000, 5))
  await steady(`a block every two seconds${where}`, routes(server, 1_000, 20))
})
demo('stop')
rmSync(home, { recursive: true, force: true })

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import autocannon, { type Options, type Result } from 'autocannon'

type Server = { readonly child: ChildProcess; readonly url: string }

async function start(...args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/serve/child.ts', ...args], {
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
/** A request that nobody has made before. */
const unique = {
  method: 'POST' as const,
  path: '/swap/route',
  headers: TYPE,
  setupRequest: (request: object) => ({ ...request, body: bodyOf((amount += 7)) }),
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

/** Once to warm up, once to measure. */
async function saturate(name: string, server: Server, options: Partial<Options>) {
  await load(server, { ...options, duration: 2 })
  const { perSecond, perCpu, result } = await load(server, options)
  const bad = result.errors + result.non2xx - (result.statusCodeStats?.['304']?.count ?? 0)
  console.log(name.padEnd(46), whole(perSecond), whole(perCpu), `  ${bad} refused`)
  return perCpu
}

async function steady(name: string, server: Server, options: Partial<Options>): Promise<void> {
  const { result } = await load(server, { connections: 10, duration: 10, ...options })
  const { p50, p99, max } = result.latency
  const bad = result.errors + result.non2xx
  console.log(
    name.padEnd(46),
    whole(result.requests.average),
    whole(p50),
    whole(p99),
    whole(max),
    `  ${bad} refused`,
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
const trivialGet = await saturate('bare fastify, GET, as many bytes as tokens', bareTokens, {})
await saturate('/swap/tokens', service, { requests: [{ path: '/swap/tokens' }] })
const etag = tokens.headers.get('etag') ?? ''
const notModified = { path: '/swap/tokens', headers: { 'if-none-match': etag } }
const unchanged = await saturate('/swap/tokens, 304', service, { requests: [notModified] })
share('the same request against bare fastify', known, trivialPost)
share('304 against bare fastify', unchanged, trivialGet)
stop(bare)
stop(bareTokens)

console.log(
  '\n10 connections, a fixed rate; ms'.padEnd(47),
  '  per s',
  '      p50',
  '      p99',
  '      max',
)
await steady('every request another, the market stands still', service, {
  requests: [unique],
  overallRate: 1_000,
})
stop(service)

const home = mkdtempSync(join(tmpdir(), 'swap-bench-'))
const demo = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['bin/swap.js', 'demo', ...args], {
    env: { ...process.env, SWAP_HOME: home },
  })
demo('start', '--port', '0', '--block-time', '500ms')
const chain = await start(
  'service',
  'threads',
  join(home, 'state', 'demo', 'demo-1', 'chain.jsonl'),
)
while ((await fetch(`${chain.url}/readyz`)).status !== 200);
await steady('every request another, two blocks a second', chain, {
  requests: [unique],
  overallRate: 1_000,
})
stop(chain)
demo('stop')
rmSync(home, { recursive: true, force: true })

/** Far too much over six hops: finding out how much would pass takes hundreds of milliseconds. */
const heavy = {
  method: 'POST' as const,
  path: '/swap/route',
  headers: TYPE,
  setupRequest: (request: object) => ({
    ...request,
    body: JSON.stringify({
      input: { denom: 'btc-btc', amount: `${10n ** 17n + BigInt((amount += 7))}` },
      output: { denom: 'rune' },
      max_hops: 6,
    }),
  }),
}
for (const where of ['inline', 'threads']) {
  const server = await start('service', where)
  // A thread is started by the first heavy request; what is measured comes after.
  await load(server, { connections: 1, duration: 4, overallRate: 1, requests: [heavy] })
  const hard = load(server, { connections: 1, duration: 10, overallRate: 1, requests: [heavy] })
  await steady(`light ones beside a heavy one a second, ${where}`, server, {
    requests: [unique],
    overallRate: 200,
  })
  await hard
  stop(server)
}

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { serverCheck } from '../../../../src/cli/commands/doctor/check-machine.js'
import type { Check } from '../../../../src/operations/doctor/doctor-documents.js'
import { runIn } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { swap } from '../../../support/program.js'

let home: string
beforeEach(() => {
  home = temporaryFolder('finds')
})

const doctor = async (args: readonly string[] = [], more: Record<string, string> = {}) => {
  const env = { SWAP_HOME: home, HOME: home, ...more }
  const { status, stdout, stderr } = await runIn({ home, env, cwd: home }, [
    'doctor',
    ...args,
    '--json',
  ])
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] }
  const of = (name: string) => checks.filter((each) => each.name === name)
  return { status, stderr, checks, of }
}

/** A failed check says why it matters and what to do. */
const isHelpful = ({ status, why, do: what }: Check): boolean =>
  status !== 'fail' || (why !== null && what !== null)

test('a file whose settings are all ignored is not reported as missing', async () => {
  const cwd = temporaryFolder('project')
  writeFileSync(join(cwd, '.swaprc'), 'from: other\n')
  const { stdout } = await runIn({ home, env: { SWAP_HOME: home }, cwd }, ['doctor', 'config'])
  assert.match(stdout, /no file sets anything; .*\.swaprc:1 sets from, which only your own/)
})

describe('a configuration that cannot be used', () => {
  test('is a failed check with file and line; no server is asked, the rest is checked', async () => {
    writeFileSync(join(home, '.swaprc'), 'limit: 3\nslippage: banana\n')
    const { status, checks, of } = await doctor()
    assert.equal(status, 1)
    const [config] = of('config')
    assert.equal(config!.status, 'fail')
    assert.match(`${config!.message} ${config!.why}`, /\.swaprc:2/)
    assert.match(config!.do!, /swap config edit/)
    assert.deepEqual(of('node'), [])
    assert.equal(of('keys').length, 1)
    assert.equal(of('database')[0]!.status, 'skip')
    assert.ok(checks.every(isHelpful))
  })
  test('is a file that is not YAML, or an unknown variable', async () => {
    writeFileSync(join(home, '.swaprc'), 'slippage: [\n')
    assert.equal((await doctor(['config'])).of('config')[0]!.status, 'fail')
    rmSync(join(home, '.swaprc'))
    const { of } = await doctor(['config'], { SWAP_SLIPPAGE: 'banana' })
    assert.match(`${of('config')[0]!.message} ${of('config')[0]!.why}`, /SWAP_SLIPPAGE/)
  })
})

test('a damaged state of the demo chain is a failed check, and the rest is checked', async () => {
  const folder = join(home, 'state', 'demo', 'demo-1')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'chain.jsonl'), 'null\n[]\nx\n')
  const { status, checks, of } = await doctor()
  assert.equal(status, 1)
  for (const name of ['node', 'demo']) {
    assert.deepEqual(
      of(name).map((each) => each.status),
      ['fail'],
    )
    assert.match(of(name)[0]!.do!, /swap demo reset/)
  }
  assert.equal(of('keys').length, 1)
  assert.ok(checks.every(isHelpful))
})

describe('files', () => {
  test('that can be written are ok, before there are any and after', async () => {
    assert.equal((await doctor(['files'])).of('files')[0]!.status, 'ok')
    await runIn({ home }, ['tokens', '-qq'])
    assert.equal((await doctor(['files'])).of('files')[0]!.status, 'ok')
  })
  test('cannot be kept when a file is in the place of their folder, which has a remedy', async () => {
    writeFileSync(join(home, 'blocked'), '')
    const { status, of } = await doctor(['files'], { SWAP_HOME: join(home, 'blocked', 'deeper') })
    assert.equal(status, 1)
    assert.match(of('files')[0]!.why!, /blocked is not a folder/)
    assert.match(of('files')[0]!.do!, /SWAP_HOME=/)
  })
  test('cannot be kept in a read-only folder', async (context) => {
    if (process.getuid?.() === 0) {
      // The superuser may write everywhere but where the file system itself cannot.
      const readOnly = '/sys/kernel'
      const { of } = await doctor(['files'], { SWAP_HOME: join(readOnly, 'swap') })
      if (of('files')[0]!.status === 'ok') return context.skip('root may write everywhere here')
      return assert.match(of('files')[0]!.why!, /cannot be written/)
    }
    mkdirSync(join(home, 'locked'), { mode: 0o500 })
    const { of } = await doctor(['files'], { SWAP_HOME: join(home, 'locked', 'swap') })
    assert.match(of('files')[0]!.why!, /cannot be written/)
  })
  test('cannot be kept in a folder that may not be read', async (context) => {
    if (process.getuid?.() === 0) return context.skip('root may read everywhere')
    mkdirSync(join(home, 'theirs', 'cache'), { recursive: true })
    chmodSync(join(home, 'theirs', 'cache'), 0)
    const { of } = await doctor(['files'], { SWAP_HOME: join(home, 'theirs') })
    assert.match(of('files')[0]!.why!, /cache cannot be written/)
  })
  test('are kept nowhere without a home, which is a note', async () => {
    const env = { SWAP_HOME: '', HOME: '' }
    const { status, stdout } = swap(['doctor', 'files', '--json'], { env, cwd: home })
    assert.equal(status, 0)
    assert.equal(JSON.parse(stdout).checks[0].status, 'note')
  })
  test('of configuration that others can change are a failure, with secrets and readable a note', async () => {
    const rc = join(home, '.swaprc')
    writeFileSync(rc, 'limit: 3\n')
    chmodSync(rc, 0o666)
    const found = await doctor(['files'])
    assert.equal(found.status, 1)
    assert.match(found.of('files')[0]!.do!, /chmod 644 ~\/\.swaprc/)
    writeFileSync(rc, 'network: mainnet\nrpc: https://me:hunter22@rpc.example\n')
    chmodSync(rc, 0o644)
    const secret = await doctor(['files'])
    assert.equal(secret.status, 0)
    assert.match(secret.of('files')[0]!.do!, /chmod 600/)
    assert.doesNotMatch(JSON.stringify(secret), /hunter22/)
    const fixed = await doctor(['files', '--fix'])
    assert.match(fixed.stderr, /put right: chmod 600 ~\/\.swaprc/)
    assert.equal(statSync(rc).mode & 0o777, 0o600)
    assert.equal(fixed.of('files')[0]!.status, 'ok')
  })
  test('of the journal that other users could replace are a note', async () => {
    const shared = join(home, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o775)
    const found = await doctor(['files'], { SWAP_HOME: join(shared, 'swap') })
    assert.equal(found.status, 0)
    assert.match(found.of('files')[0]!.do!, /chmod go-w ~\/shared;/)
    chmodSync(shared, 0o755)
    const mended = await doctor(['files'], { SWAP_HOME: join(shared, 'swap') })
    assert.equal(mended.of('files')[0]!.status, 'ok')
  })
  test('of names that are broken are a note, and --fix removes them', async () => {
    mkdirSync(join(home, 'cache'))
    const file = join(home, 'cache', 'names-demo.json')
    writeFileSync(file, '{"tokens":[')
    assert.equal((await doctor(['files'])).of('files')[0]!.status, 'note')
    await doctor(['files', '--fix'])
    assert.ok(!existsSync(file))
  })
})

describe('locks', () => {
  const account = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'
  const plan = 'p_0123abcd'
  const lock = (held: string, holder: object) => {
    mkdirSync(join(home, 'state', 'locks'), { recursive: true })
    const file = join(home, 'state', 'locks', `demo-1.${held}.lock`)
    writeFileSync(file, JSON.stringify(holder))
    return file
  }
  test.each([account, plan])(
    'of a process that has ended are a note; --fix frees %s',
    async (held) => {
      const { pid } = spawnSync(process.execPath, ['-e', '0'])
      const file = lock(held, { pid, began: '1', host: hostname() })
      const { status, of } = await doctor(['locks'])
      assert.equal(status, 0)
      assert.match(of('locks')[0]!.message, new RegExp(`process ${pid} has ended`))
      assert.match(
        (await doctor(['locks', '--fix'])).stderr,
        new RegExp(`put right: the lock of ${held}`),
      )
      assert.ok(!existsSync(file))
    },
  )
  test.each([account, plan])('of a running process are reported and kept: %s', async (held) => {
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8')
    const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!
    const file = lock(held, { pid: process.pid, began, host: hostname() })
    const { of } = await doctor(['locks', '--fix'])
    assert.match(
      of('locks')[0]!.message,
      new RegExp(`process ${process.pid} has the lock of ${held}`),
    )
    assert.ok(existsSync(file))
  })
})

describe('no network', () => {
  test('is a failed node with its reason; checks that need a node are skipped', async () => {
    const { status, of, checks } = await doctor(
      '-n mainnet --rpc http://127.0.0.1:1 --timeout 2s'.split(' '),
    )
    assert.equal(status, 1)
    assert.equal(of('node')[0]!.status, 'fail')
    assert.match(of('node')[0]!.message, /127\.0\.0\.1:1/)
    for (const name of ['network', 'clock', 'contract', 'market'])
      assert.match(of(name)[0]!.message, /no node answers/)
    assert.ok(checks.every(({ status: each, do: what }) => each !== 'fail' || what !== null))
  })
})

/** What `doctor server` finds of a server that answers like this. */
async function found(answer: RequestListener): Promise<Check> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return await serverCheck(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a port in use is a note with a free one', async () => {
  const { status, do: what } = await found((_, response) => void response.end('hello'))
  assert.equal(status, 'note')
  assert.match(what!, /--listen 127\.0\.0\.1:8556/)
})

test('a service is ok where it is ready, and fails with its reasons where it is not', async () => {
  const service =
    (ready: boolean): RequestListener =>
    ({ url }, response) =>
      void response.end(
        JSON.stringify(url === '/version' ? { version: '1.2.3' } : { ready, reasons: ['stale'] }),
      )
  assert.equal((await found(service(true))).status, 'ok')
  const { status, why } = await found(service(false))
  assert.deepEqual([status, why], ['fail', 'stale'])
})

test('a service that does not answer fails', async () => {
  const { status, message } = await found(() => {})
  assert.equal(status, 'fail')
  assert.match(message, /within 2000 ms/)
})

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** A PostgreSQL server for tests: each test creates its own databases. */
export type TestPostgres = {
  /** The URL of an existing database; its user may create others. */
  readonly url: string
  /** Of a server started here: kills it hard, as a power cut would, and starts it again. */
  readonly restart?: () => void
  /** The same with `kill -9` of every process of the server; settles when it is up again. */
  readonly kill?: () => Promise<void>
}

let known: Promise<TestPostgres | undefined> | undefined

/**
 * The server of `SWAP_TEST_POSTGRES`, or one started in a temporary folder from an installed PostgreSQL.
 * Prints a warning if there is neither: its tests are skipped.
 */
export function testPostgres(): Promise<TestPostgres | undefined> {
  known ??= find()
  return known
}

async function find(): Promise<TestPostgres | undefined> {
  const url = process.env['SWAP_TEST_POSTGRES']
  if (url !== undefined && url !== '') return { url }
  const programs = programsFolder()
  if (programs === undefined) return skip('no PostgreSQL is installed')
  try {
    return await start(programs)
  } catch (error) {
    return skip(`a server could not be started: ${error instanceof Error ? error.message : error}`)
  }
}

function skip(why: string): undefined {
  process.stderr.write(
    `\n!! NOT TESTED ON POSTGRESQL: ${why}.\n!! Install it, or name a server with SWAP_TEST_POSTGRES=postgres://...\n\n`,
  )
  return undefined
}

/** The newest installed version's `bin`. */
function programsFolder(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

async function start(programs: string): Promise<TestPostgres> {
  // Beside the folder of the run, which is removed while the server still stops.
  const folder = mkdtempSync(join(dirname(tmpdir()), 'swap-postgres-'))
  const data = join(folder, 'data')
  // PostgreSQL refuses to run as root: there it runs as the user of its package.
  const asRoot = process.getuid?.() === 0
  if (asRoot) execFileSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)
  const asPostgres = (...command: readonly string[]): readonly string[] =>
    asRoot
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
      : command
  const run = (program: string, args: readonly string[]): void => {
    const [first = '', ...rest] = asPostgres(join(programs, program), ...args)
    execFileSync(first, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
  }
  const port = await freePort()
  run('initdb', ['-D', data, '-U', 'swap', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'])
  // A killed server loses nothing that it passed to the system: only a power cut needs fsync.
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c dynamic_shared_memory_type=mmap`
  const boot = (): void =>
    run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
  const booted = async (): Promise<void> => {
    const [first = '', ...rest] = asPostgres(
      join(programs, 'pg_ctl'),
      ...['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'],
    )
    await new Promise<void>((resolve, reject) => {
      const child = spawn(first, rest, { stdio: 'ignore', cwd: '/' })
      child.once('error', reject)
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`the server does not start: ${code}`)),
      )
    })
  }
  const stop = (): void => run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop'])
  stopAfterUs(folder, asPostgres(join(programs, 'pg_ctl'), '-D', data, '-m', 'immediate', 'stop'))
  boot()
  const kill = async (): Promise<void> => {
    await killAll(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]))
    // Its process may not be reaped yet, and would be taken for a running server.
    rmSync(join(data, 'postmaster.pid'), { force: true })
    await booted()
  }
  return {
    url: `postgres://swap@127.0.0.1:${port}/postgres`,
    restart: () => {
      stop()
      boot()
    },
    kill,
  }
}

/** Kills a process and its children, the parent first, and waits until none of them runs. */
async function killAll(parent: number): Promise<void> {
  if (!(parent > 0)) throw new Error('the server has no process to kill')
  const pids = [parent, ...processes().flatMap(({ pid, of }) => (of === parent ? [pid] : []))]
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already exited.
    }
  while (processes().some(({ pid, isDead }) => pids.includes(pid) && !isDead)) await wait(2)
}

/** The processes of this machine, as Linux lists them. */
const processes = () =>
  readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined
    return stat === undefined ? [] : [{ pid: Number(name), ...stat }]
  })

function statOf(name: string): { readonly of: number; readonly isDead: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
    const [state, of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { of: Number(of), isDead: state === 'Z' || state === 'X' }
  } catch {
    return undefined
  }
}

/**
 * Stops the server and removes its folder when this process has ended, for any reason: a shell waits for
 * the end of a pipe that only this process holds open.
 */
function stopAfterUs(folder: string, stop: readonly string[]): void {
  const script = 'read -r _; cd /; "$@" >/dev/null 2>&1; rm -rf "$0"'
  const shell = spawn('sh', ['-c', script, folder, ...stop], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.unref()
  const pipe = shell.stdin as unknown as { unref(): void }
  pipe.unref()
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

let databaseCount = 0

/** The URL of a new, empty database of the server. */
export async function freshDatabase(server: TestPostgres): Promise<string> {
  databaseCount += 1
  const name = `swap_test_${process.pid}_${Date.now()}_${databaseCount}`
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

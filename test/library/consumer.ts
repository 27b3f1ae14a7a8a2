import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { temporaryFolder } from '../support/folder.js'
import { readLines } from '../support/vectors.js'
import type { RecordedMarket } from './replay-paths.js'

/** Runs a program. @returns what it printed */
export async function run(
  command: string,
  args: readonly string[],
  cwd = '.',
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd,
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  })
  return stdout
}

/** The tarball of the built package. */
export async function packed(): Promise<{ readonly file: string; readonly bytes: number }> {
  const folder = temporaryFolder('packed')
  const args = ['pack', '--ignore-scripts', '--loglevel', 'error', '--pack-destination', folder]
  await run('npm', args)
  const [name] = readdirSync(folder)
  const file = join(folder, name!)
  return { file, bytes: statSync(file).size }
}

/** What a TypeScript program of an integrator looks like: every entry, with the types of its results. */
const PROGRAM = `import { type Client, createClient, type RouteAnswer, ServiceError } from 'swap'
import { openChain } from 'swap/chain'
import { findRoutes, type Market, type Quote, readMarket, SwapError } from 'swap/engine'
import { findRoutesForOutput } from 'swap/engine/sizes'
import { findSplits, type Split } from 'swap/engine/splits'
import { type JsonSchema, schemas, type SrouteRequest } from 'swap/schemas'

export const client: Client = createClient({ url: 'http://127.0.0.1:8555' })
const input = { denom: 'btc-btc', amount: 150_000_000n }
export async function best(): Promise<bigint> {
  const market: Market = readMarket(await client.snapshot({ compact: true }))
  const [route]: readonly Quote[] = findRoutes(market, { input, output: 'rune', via: undefined }).routes
  const [split]: readonly Split[] = findSplits(market, { input, output: 'rune' }).splits
  const [cheapest] = findRoutesForOutput(market, { input: 'rune', output: input })
  if (route === undefined || split === undefined) throw new SwapError('NO_ROUTE', 'none')
  return split.output.amount - route.output.amount + (cheapest?.input.amount ?? 0n)
}
// An option may be undefined, also where that is not the same as being absent.
export async function follow(signal?: AbortSignal): Promise<readonly string[]> {
  const request: SrouteRequest = { input: { denom: 'btc-btc', amount: '1', split_step: undefined }, output: { denom: 'rune' }, max_hops: undefined }
  for await (const event of client.stream({ operation: 'sroute', ...request }))
    if (event.event === 'problem') console.log(event.problem.code, event.problem['max_input'])
    else return event.quote.routes.flatMap(({ legs }) => legs.map(({ split }) => split.amount))
  const { results } = await client.batch([{ route: { input: { denom: 'a' }, output: { denom: 'b' } } }], { signal })
  const answer: RouteAnswer | undefined = 'routes' in results[0] ? results[0] : undefined
  // @ts-expect-error amounts of documents are strings
  const amount: bigint = answer?.routes[0]?.expected_output
  return [String(amount)]
}
export const schema: JsonSchema = schemas.route.request
export const snapshot = (): Promise<object> => openChain({ network: 'mainnet' }).readSnapshot()
export const codeOf = (error: unknown): string => error instanceof ServiceError ? error.code : ''
`

/** Options of a compiler that is as strict as that of integrators. */
export const CONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    types: [],
  },
  include: ['program.ts'],
}

const RUNNER = `import * as engine from 'swap/engine'
import { readFileSync } from 'node:fs'
import { replayPaths } from '${resolve('test/library/replay-paths.ts')}'
const lines = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(replayPaths(engine, lines)))
`

const PAGE = `import * as engine from 'swap/engine'
import { replayPaths } from '${resolve('test/library/replay-paths.ts')}'
const lines = await (await fetch('lines.json')).json()
globalThis.result = replayPaths(engine, lines)
`

/** A project of an integrator, with files for compiler, bundler and every runtime. */
export type Consumer = {
  readonly folder: string
  /** Replays recorded executions on the installed package, in Node and Bun. */
  readonly runner: string
  readonly lines: string
}

/**
 * Writes the project into a folder in which the package is installed.
 *
 * @param every one of so many recorded markets is replayed
 */
export async function writeConsumer(folder: string, every: number): Promise<Consumer> {
  const lines = join(folder, 'lines.json')
  const recorded = ['public.jsonl', 'traps.jsonl'].flatMap((name) =>
    readLines<RecordedMarket>(name),
  )
  writeFileSync(lines, JSON.stringify(recorded.filter((_, at) => at % every === 0)))
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  for (const [name, module, moduleResolution] of [
    ['tsconfig.json', 'nodenext', 'nodenext'],
    ['tsconfig.bundler.json', 'esnext', 'bundler'],
  ] as const) {
    const compilerOptions = { ...CONFIG.compilerOptions, module, moduleResolution }
    writeFileSync(join(folder, name), JSON.stringify({ ...CONFIG, compilerOptions }))
  }
  const bundle = (contents: string, outfile: string, platform: 'node' | 'browser') =>
    build({
      stdin: { contents, resolveDir: folder },
      outfile: join(folder, outfile),
      bundle: true,
      format: 'esm',
      platform,
      target: 'es2022',
      ...(platform === 'node' && { external: ['swap'] }),
      logLevel: 'error',
    })
  mkdirSync(join(folder, 'page'), { recursive: true })
  await bundle(RUNNER, 'runner.mjs', 'node')
  await bundle(PAGE, 'page/page.js', 'browser')
  return { folder, runner: join(folder, 'runner.mjs'), lines }
}

const tsc = resolve('node_modules/typescript/lib/tsc.js')

/** Checks the types of a project strictly. @throws with what the compiler printed */
export const compile = ({ folder }: Pick<Consumer, 'folder'>, config: string): Promise<string> =>
  run(process.execPath, [tsc, '-p', config], folder).catch((error: { stdout?: string }) => {
    throw new Error(error.stdout)
  })

/** Replays on a runtime that takes a file as its argument. */
export async function replayOn(runtime: string, { runner, lines, folder }: Consumer) {
  const printed = await run(runtime, [runner, lines], folder)
  return JSON.parse(printed) as { readonly compared: number; readonly wrong: readonly string[] }
}

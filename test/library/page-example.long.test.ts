import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { formatUnits } from '../../src/engine/math/units.js'
import { CHROMIUM, launch } from '../page/chromium.js'
import { type Staged, stage } from '../service/stage.js'

const [, example = ''] =
  /```html\n([\s\S]*?)```/.exec(readFileSync('docs/library.md', 'utf8')) ?? []
const PACKAGE = '/node_modules/swap/'

let site: Server
let service: Staged
let browser: Browser | undefined
let origin = ''
let url = ''
beforeAll(async () => {
  site = createServer(({ url: path = '/' }, response) => {
    const isModule = path.startsWith(PACKAGE)
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
    response.end(
      isModule
        ? readFileSync(join('.', path.slice(PACKAGE.length)))
        : example.replace('http://127.0.0.1:8555', url),
    )
  })
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  service = await stage({ cors: [origin] })
  url = await service.server.listen({ host: '127.0.0.1', port: 0 })
  browser = CHROMIUM === undefined ? undefined : await launch()
})
afterAll(async () => {
  await browser?.close()
  await service.end()
  site.close()
})

describe('the page in docs/library.md', () => {
  test.skipIf(CHROMIUM === undefined)('quotes in a browser what the service answers', async () => {
    const page = await (await browser!.newContext()).newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(origin)
    await page.waitForFunction("document.querySelector('output').textContent !== '…'")
    const answer = await fetch(`${url}/swap/route`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        input: { denom: 'btc-btc', amount: '150000000' },
        output: { denom: 'rune' },
      }),
    })
    const { routes } = (await answer.json()) as { routes: { expected_output: string }[] }
    const shown = await page.textContent('output')
    assert.equal(shown, formatUnits(BigInt(routes[0]!.expected_output), 8))
    assert.deepEqual(errors, [])
  })
})

import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { groupThousands } from '../../src/engine/math/counted.js'
import { formatUnits } from '../../src/engine/math/units.js'
import { endAll, type Serving, servingWith } from '../service/serving.js'
import { freshHome } from '../support/cli.js'
import { cuttingProxy } from '../support/cutting-proxy.js'
import { CHROMIUM, launch, violationsOf } from './chromium.js'

if (CHROMIUM === undefined)
  console.warn('THE PAGE IS NOT TESTED: there is no Chromium at /usr/bin/chromium nor at $CHROMIUM')

const home = freshHome()
const PATIENCE = { timeout: 90_000 }
const USUAL = { viewport: { width: 1280, height: 900 } }

let service: Serving
let browser: Browser
const errors: string[] = []

/** The page in a browser of its own, once it shows a quote that the service agrees with. */
async function opened(hash = '', options: BrowserContextOptions = USUAL): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // A busy machine may be a few blocks late: then the service says so with 503.
    if (message.type() === 'error' && !message.text().includes('503')) errors.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) errors.push(`asks ${request.url()}`)
  })
  await page.goto(`${service.url}/${hash}`)
  await agreed(page)
  return page
}

const agreed = (page: Page) => page.waitForSelector('#agreement[data-state="agree"]', PATIENCE)

const heightOf = async (page: Page): Promise<number> =>
  Number(await page.getAttribute('#agreement', 'data-height'))

/** What the page and the command line say of one block. */
async function compare(page: Page, command: readonly string[]): Promise<void> {
  await agreed(page)
  const [line, height] = await page.$eval('#agreement', (each) => [
    each.textContent ?? '',
    each.getAttribute('data-height') ?? '',
  ])
  const { stdout, stderr } = await home.swap(...command, '--json', '--height', height!)
  assert.notEqual(stdout, '', stderr)
  const { routes } = JSON.parse(stdout) as { routes: { expected_output: string }[] }
  const [whole, fraction] = formatUnits(BigInt(routes[0]!.expected_output), 8).split('.')
  const exact = `${groupThousands(whole!)}${fraction === undefined ? '' : `.${fraction}`}`
  assert.equal(
    line,
    `The service agrees: ${exact} RUNE at block ${Number(height).toLocaleString('en')}`,
  )
}

describe.skipIf(CHROMIUM === undefined)('the page in Chromium', () => {
  beforeAll(async () => {
    service = await servingWith({ SWAP_HOME: home.home, HOME: home.home })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    endAll()
    assert.deepEqual(errors, [])
  })

  test('quotes a typed amount as swap sroute and swap route do, to the atomic', async () => {
    const page = await opened()
    await page.getByLabel('You sell', { exact: true }).fill('2.5')
    await page.waitForURL(/#2\.5&/, PATIENCE)
    await compare(page, ['sroute', '2.5', 'btc', 'rune'])
    await page.getByLabel('One path').check()
    await page.waitForURL(/&route$/, PATIENCE)
    await compare(page, ['route', '2.5', 'btc', 'rune'])
    await page.context().close()
  })

  test('warns of an impact that swap execute refuses', async () => {
    const page = await opened('#1&btc-btc&rune')
    const warning = page.locator('#problem', { hasText: 'Severe impact' })
    assert.equal(await warning.isVisible(), false)
    await page.getByLabel('You sell', { exact: true }).fill('30')
    await warning.waitFor(PATIENCE)
    await page.context().close()
  })

  test('moves with each block, and the service agrees with each', async () => {
    const page = await opened()
    const first = await heightOf(page)
    const heights = new Set<number>()
    while (heights.size < 4) {
      await agreed(page)
      heights.add(await heightOf(page))
      await page.waitForTimeout(200)
    }
    assert.ok(Math.max(...heights) >= first + 3)
    await page.waitForSelector('#move svg', PATIENCE)
    assert.equal(await page.locator('#alarm').textContent(), '')
    const saved = await fetch(`${service.url}/swap/snapshot`)
    const text = await saved.text()
    const { height } = JSON.parse(text) as { height: number }
    const { stdout } = await home.swap('snapshot', 'save', '-', '--height', `${height}`)
    assert.ok(stdout === text, 'the snapshot has other bytes than swap snapshot save writes')
    await page.context().close()
  })

  test('shows executed swaps in units of their tokens, once the market has come', async () => {
    const page = await (await browser.newContext(USUAL)).newPage()
    await expect
      .poll(async () => (await fetch(`${service.url}/history?limit=1`)).text(), PATIENCE)
      .toMatch(/"tx_hash"/)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto(service.url)
    await page.waitForSelector('#history li', PATIENCE)
    assert.ok(requests.indexOf('/history') > requests.indexOf('/swap/snapshot'), `${requests}`)
    for (const path of await page.locator('#history .path').allTextContents())
      assert.match(path, /^[\d,.]+ [\w.]*[A-Z][\w.]* → [\d,.]+ [\w.]*[A-Z][\w.]*$/)
    await page.context().close()
  })

  test('tells a screen reader why there is no quote, and then nothing of the quote before', async () => {
    const page = await opened()
    const said = page.locator('#said')
    const amount = page.getByLabel('You sell', { exact: true })
    await amount.fill('0')
    await expect.poll(() => said.textContent(), PATIENCE).toBe('The amount is zero.')
    assert.equal(await page.locator('#agreement').isVisible(), false)
    await amount.fill('99999999999')
    const refused = /^No quote at block \d+\. The service agrees\. No split from BTC to RUNE/
    await expect.poll(() => said.textContent(), PATIENCE).toMatch(refused)
    await page.context().close()
  })

  test('is used with the keyboard alone', async () => {
    const page = await opened()
    const focused = () => page.evaluate<string>('document.activeElement?.id')
    const order: string[] = []
    for (let i = 0; i < 7; i += 1) {
      await page.keyboard.press('Tab')
      order.push(await focused())
    }
    assert.deepEqual(order.slice(2, 6), ['amount', 'from-token', 'turn', 'to-token'])
    await page.focus('#from-token')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('eth')
    await page.keyboard.press('Enter')
    await page.waitForURL(/&eth-eth&/, PATIENCE)
    await agreed(page)
    await page.keyboard.type('nothing')
    await page.keyboard.press('Escape')
    assert.equal(await page.inputValue('#from-token'), 'ETH')
    await page.focus('#turn')
    await page.keyboard.press('Enter')
    await page.waitForURL(/&rune&eth-eth&/, PATIENCE)
    await agreed(page)
    await page.context().close()
  })

  test('has a link to the quote that leaves the form and the address as they are', async () => {
    const page = await opened('#2.5&rune&btc-btc&route')
    const address = page.url()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'result')
    assert.equal(await page.inputValue('#amount'), '2.5')
    assert.equal(page.url(), address)
    await page.context().close()
  })

  for (const [look, options] of [
    ['light', { ...USUAL, colorScheme: 'light' }],
    ['dark', { ...USUAL, colorScheme: 'dark' }],
    ['light on a phone', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
    ['dark on a phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ] as const)
    test(`is accessible and fits in ${look}`, async () => {
      const page = await opened('', options)
      await page.waitForSelector('#curve svg', PATIENCE)
      const isTooWide = () =>
        page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
      assert.equal(await isTooWide(), false)
      await agreed(page)
      assert.deepEqual(await violationsOf(page), [])
      await page.click('#to-token')
      await page.waitForSelector('#to-list[role="listbox"]:visible')
      assert.equal(await isTooWide(), false)
      assert.deepEqual(await violationsOf(page), [])
      await page.keyboard.press('Escape')
      await page.fill('#amount', '123456789012345')
      await page.waitForSelector('#problem:not([hidden])', PATIENCE)
      await agreed(page)
      assert.equal(await isTooWide(), false)
      assert.deepEqual(await violationsOf(page), [])
      await page.context().close()
    })

  test('shows every digit of its numbers on narrow screens', async () => {
    const page = await opened('#9876543.12&usdc&rune&sroute')
    for (const width of [412, 360, 320, 412]) {
      await page.setViewportSize({ width, height: 740 })
      const isCut = '[amount, result].some((each) => each.scrollWidth > each.clientWidth)'
      // Playwright's own waiting evaluates texts in the page, which its policy forbids.
      await vi.waitFor(async () => assert.equal(await page.evaluate(isCut), false), PATIENCE)
    }
    await page.context().close()
  })

  test('shows a warning when the service answers another number', async () => {
    const page = await (await browser.newContext(USUAL)).newPage()
    const { payload, height } = await streamed()
    const wrong = payload.replace(
      /("expected_output":"\d*)(\d)"/,
      (_, digits, last) => `${digits}${(Number(last) + 1) % 10}"`,
    )
    await page.route('**/swap/stream?*', (route) =>
      route.fulfill({
        headers: { 'content-type': 'text/event-stream' },
        body: `id: ${height}\nevent: quote\ndata: ${wrong}\n\n`,
      }),
    )
    const { market } = await marketAt(height)
    await page.route('**/swap/snapshot?*', (route) =>
      route.fulfill({ contentType: 'application/json', body: market }),
    )
    await page.goto(`${service.url}/#1.5&btc-btc&rune&route`)
    const alarm = page.locator('#alarm')
    await alarm.filter({ hasText: 'Do not rely on this quote' }).waitFor(PATIENCE)
    expect(await alarm.getAttribute('role')).toBe('alert')
    assert.equal(await page.getAttribute('#agreement', 'data-state'), 'differ')
    await page.context().close()
  })

  test('reopens a stream that has become silent without being closed', async () => {
    const proxy = await cuttingProxy(service.url)
    const page = await (await browser.newContext(USUAL)).newPage()
    await page.goto(proxy.url)
    await agreed(page)
    proxy.silence()
    const last = await heightOf(page)
    await expect.poll(() => heightOf(page), PATIENCE).toBeGreaterThan(last + 1)
    await page.context().close()
    await proxy.close()
  })

  test('says that the service cannot be reached', async () => {
    const page = await opened()
    await page.route('**/readyz', (route) =>
      route.fulfill({ status: 503, json: { error: 'away' } }),
    )
    await page.locator('#block').filter({ hasText: 'cannot be reached' }).waitFor(PATIENCE)
    await page.unroute('**/readyz')
    await page.locator('#block').filter({ hasText: ' s ago' }).waitFor(PATIENCE)
    // A service that is stuck never answers.
    await page.route('**/readyz', () => {})
    await page.locator('#block').filter({ hasText: 'cannot be reached' }).waitFor(PATIENCE)
    await page.context().setOffline(true)
    await page.locator('#block').filter({ hasText: 'cannot be reached' }).waitFor(PATIENCE)
    await page.context().close()
    errors.splice(
      0,
      errors.length,
      ...errors.filter((each) => !/ERR_INTERNET_DISCONNECTED/.test(each)),
    )
  })
})

/** The service's answer to the page's question, and its height. */
async function streamed(): Promise<{ payload: string; height: number }> {
  const reply = await fetch(`${service.url}/swap/route`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      input: { denom: 'btc-btc', amount: '150000000' },
      output: { denom: 'rune' },
    }),
  })
  const payload = await reply.text()
  return { payload, height: (JSON.parse(payload) as { height: number }).height }
}

/** The market of a height, from the command line. */
async function marketAt(height: number): Promise<{ market: string }> {
  const { stdout } = await home.swap('snapshot', 'save', '-', '--height', `${height}`)
  return { market: stdout }
}

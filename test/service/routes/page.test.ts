import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, test } from 'vitest'
import { PAGE_FILES } from '../../../src/service/routes/page.js'
import { type Staged, stage, threadless } from '../stage.js'

/** What browsers send for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Bytes that the scripts of the page may have together, compressed by gzip. */
const MOST_SCRIPT = 60_000

let service: Staged
beforeAll(async () => {
  service = await stage({ pool: threadless() })
})

const ask = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  service.server.inject({ url, headers: { accept: BROWSER, ...headers } })

describe('the page at GET /', () => {
  test('is HTML for browsers, under a policy that allows its own files only', async () => {
    const { statusCode, headers, payload } = await ask('/')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['vary'], 'accept, accept-encoding')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const policy = new Set(`${headers['content-security-policy']}`.split('; '))
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.has(rule), rule)
    assert.doesNotMatch(`${headers['content-security-policy']}`, /unsafe|http/)
    assert.match(payload, /^<!doctype html>\n<html lang="en">/)
  })

  test('names no other host, and has no script or style of its own', async () => {
    const { payload } = await ask('/')
    const linked = [...payload.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
    for (const link of linked) assert.match(link, /^(#result$|docs$|page\/|data:image\/svg)/)
    assert.doesNotMatch(payload, /<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/)
    const files = Object.keys(PAGE_FILES).map((name) => `dist/page/${name}`)
    for (const file of files) {
      const hosts = readFileSync(file, 'utf8').match(/https?:\/\/[\w.]+/g) ?? []
      assert.deepEqual(
        hosts.filter((host) => host !== 'http://www.w3.org'),
        [],
        file,
      )
    }
  })

  test('loads files that are compressed, with tags that answer 304', async () => {
    for (const [name, type] of Object.entries(PAGE_FILES)) {
      const url = `/page/${name}`
      const plain = await ask(url)
      assert.equal(plain.statusCode, 200, name)
      assert.equal(plain.headers['content-type'], type)
      assert.equal(plain.payload, readFileSync(`dist/page/${name}`, 'utf8'))
      const br = await ask(url, { 'accept-encoding': 'br' })
      assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain.payload)
      const gzip = await ask(url, { 'accept-encoding': 'gzip' })
      assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.payload)
      const tag = `${br.headers['etag']}`
      const again = await ask(url, { 'accept-encoding': 'br', 'if-none-match': tag })
      assert.deepEqual([again.statusCode, again.payload], [304, ''])
    }
  })

  test(`has at most ${MOST_SCRIPT} bytes of scripts`, () => {
    const scripts = Object.keys(PAGE_FILES).filter((name) => name.endsWith('.js'))
    const sizes = scripts.map(
      (name) => gzipSync(readFileSync(`dist/page/${name}`), { level: 9 }).length,
    )
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= MOST_SCRIPT, `${sizes}`)
  })

  test('sends nothing but its own files', async () => {
    for (const url of [
      '/page',
      '/page/',
      '/page/index.html',
      '/page/..%2fmain.cjs',
      '/page/page.ts',
    ])
      assert.equal((await ask(url)).statusCode, 404, url)
  })

  test('answers a client that takes no HTML with the paths to begin with', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html;q=0, application/json']) {
      const { statusCode, headers, payload } = await ask('/', { accept })
      assert.equal(statusCode, 200, accept)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      const { version, ...paths } = JSON.parse(payload) as Record<string, string>
      assert.equal(version, '0.0.0')
      for (const [name, path] of Object.entries(paths).filter(([name]) => name !== 'name'))
        assert.ok(service.server.hasRoute({ method: 'GET', url: path }), name)
    }
  })

  test('is not answered for a host that the service was not started with', async () => {
    assert.equal((await ask('/', { host: 'evil.example' })).statusCode, 421)
    const open = await stage({ hosts: ['swap.example'], pool: threadless() })
    const headers = { host: 'swap.example', accept: BROWSER }
    assert.equal((await open.server.inject({ url: '/', headers })).statusCode, 200)
    await open.end()
  })
})

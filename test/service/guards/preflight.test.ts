import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { type Staged, stage } from '../stage.js'

const ORIGIN = 'https://app.example.org'

let service: Staged
beforeAll(async () => {
  service = await stage({ cors: [ORIGIN] })
})

const optionsOf = (url: string, headers: Readonly<Record<string, string>>) =>
  service.server.inject({ method: 'OPTIONS', url, headers })

describe('OPTIONS, where pages of another origin are allowed,', () => {
  test('is refused with a problem document if it is no preflight, as where none is allowed', async () => {
    for (const [url, headers, status, allow] of [
      ['/swap/route', {}, 405, 'POST'],
      ['/swap/tokens', { origin: ORIGIN }, 405, 'GET, HEAD'],
      ['/nothing', { 'access-control-request-method': 'POST' }, 404, undefined],
    ] as const) {
      const reply = await optionsOf(url, headers)
      assert.equal(reply.statusCode, status, url)
      assert.equal(reply.headers['allow'], allow, url)
      assert.match(String(reply.headers['content-type']), /^application\/problem\+json/, url)
    }
  })

  test('is answered without a body if it is a preflight, for the hosts of the service alone', async () => {
    const headers = { origin: ORIGIN, 'access-control-request-method': 'POST' }
    const reply = await optionsOf('/swap/route', { ...headers, host: 'localhost' })
    assert.deepEqual(
      [reply.statusCode, reply.body, reply.headers['content-length']],
      [204, '', '0'],
    )
    assert.equal(reply.headers['access-control-allow-origin'], ORIGIN)
    assert.match(String(reply.headers['x-request-id']), /^[\da-f]{12}-\w+$/)
    const other = await optionsOf('/swap/route', { ...headers, host: 'evil.example' })
    assert.equal(other.statusCode, 421)
  })
})

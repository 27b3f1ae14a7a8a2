import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../src/service/paths.js'
import { type Staged, stage } from './stage.js'

let service: Staged
let port = 0
beforeAll(async () => {
  service = await stage()
  port = Number(new URL(await service.server.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => service.end())

/** The status line and headers of the reply to a request without a body. */
const headOf = (method: string, path: string, header = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${header}Connection: close\r\n\r\n`,
      ),
    )
    let reply = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      reply += part
    })
    socket.on('close', () => resolve(reply.split('\r\n\r\n')[0]!)).on('error', reject)
  })

describe('a method of the HTTP parser', () => {
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  for (const path of paths)
    test(`is answered with 405 and Allow on ${path} unless the path supports it`, async () => {
      const own = endpoints.filter((each) => each.path === path).map(({ method }) => method)
      const allow = own.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
      const others = METHODS.filter((method) => !allow.some((each) => each === method))
      for (const method of others.filter((each) => each !== 'CONNECT')) {
        const head = await headOf(method, path)
        assert.match(head, /^HTTP\/1\.1 405 /, method)
        assert.equal(/^allow: (.*)$/im.exec(head)?.[1], allow.join(', '), method)
      }
    })

  test('is answered with 404 on an unknown path', async () => {
    for (const method of METHODS.filter((each) => each !== 'CONNECT'))
      assert.match(await headOf(method, '/nothing'), /^HTTP\/1\.1 404 /, method)
  })

  test('is answered with 405 and Allow if it is CONNECT', async () => {
    const head = await headOf('CONNECT', 'localhost:80')
    assert.match(head, /^HTTP\/1\.1 405 .*\r\nAllow: GET, HEAD, POST\r\n/s)
  })
})

test('a request with an unknown expectation is answered as one without', async () => {
  const head = await headOf('GET', '/livez', 'Expect: nonsense\r\n')
  assert.match(head, /^HTTP\/1\.1 200 .*\r\nx-request-id: /is)
})

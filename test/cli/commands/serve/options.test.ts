import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { serveOptionsOf } from '../../../../src/cli/commands/serve/options.js'

const listening: readonly (readonly [string, string, readonly string[]])[] = [
  ['8555', '127.0.0.1', ['127.0.0.1']],
  ['LOCALHOST:8555', 'localhost', ['localhost']],
  ['127.1:8555', '127.0.0.1', ['127.0.0.1']],
  ['0:8555', '0.0.0.0', []],
  ['[0:0::1]:8555', '::1', ['[::1]']],
  ['[::0]:8555', '::', []],
  ['[2001:DB8:0::1]:8555', '2001:db8::1', ['[2001:db8::1]']],
]

describe('hosts of swap serve are written as clients send them', () => {
  for (const [listen, host, hosts] of listening)
    test(`with --listen ${listen}`, () => {
      const options = serveOptionsOf({ listen })
      assert.deepEqual([options.host, options.port, options.hosts], [host, 8555, hosts])
    })

  test('with --allow-host', () => {
    const { hosts } = serveOptionsOf({ allowHost: ['Swap.Example', '[2001:DB8:0::1]'] })
    assert.deepEqual(hosts, ['swap.example', '[2001:db8::1]', '127.0.0.1'])
  })
})

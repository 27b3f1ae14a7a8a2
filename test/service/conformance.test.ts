import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, test } from 'vitest'
import { type Staged, stage } from './stage.js'

/** The folder of `@modelcontextprotocol/conformance`: it needs Node 22, so it is no dependency (docs/mcp.md#conformance). */
const suite = process.env['SWAP_CONFORMANCE']
const run = promisify(execFile)

/** The scenarios of what the service has; the others call tools, prompts and logs of the suite's own server. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
  'sep-2164-resource-not-found',
  'http-header-validation',
]

describe.runIf(suite !== undefined)('POST /mcp', () => {
  let service: Staged
  let url = ''
  beforeAll(async () => {
    service = await stage()
    url = `${await service.server.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  })

  for (const scenario of SCENARIOS)
    test(`passes the official conformance scenario ${scenario}`, async () => {
      const program = join(suite ?? '', 'dist', 'index.js')
      const args = [program, 'server', '--url', url, '--scenario', scenario]
      // Rejected where a check fails.
      const { stdout } = await run(process.execPath, args)
      assert.match(stdout, /Passed: (\d+)\/\1, 0 failed, 0 warnings/)
    }, 60_000)
})

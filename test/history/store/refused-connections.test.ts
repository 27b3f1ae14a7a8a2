import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { openPostgres } from '../../../src/history/store/postgres/open-postgres.js'
import { temporaryFolder } from '../../support/folder.js'
import { openAt } from '../../support/history.js'

const garbage = join(temporaryFolder(), 'garbage.pem')
writeFileSync(garbage, 'garbage')

/** A server asks for a password, and goes on when the client has begun to prove it. */
const SASL = ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x0b\0\0\0\x0br=x']

describe('a connection that the driver gives up, and the server does not, is closed', () => {
  const faults = [
    ['where a password is missing', SASL, ''],
    ['where the certificate cannot be used', ['S'], `&sslcert=${garbage}&sslkey=${garbage}`],
  ] as const
  const openings = [
    ['for reads', openAt],
    ['for the lead', async (url: string) => (await openPostgres(url)).lead()],
  ] as const
  for (const [fault, answers, parameters] of faults)
    for (const [purpose, open] of openings)
      test(`${fault}, ${purpose}`, async () => {
        const server = createServer(async (socket) => {
          for (const answer of answers) {
            await once(socket, 'data')
            socket.write(answer, 'latin1')
          }
        })
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
        const { port } = server.address() as AddressInfo
        const mode = parameters === '' ? 'disable' : 'no-verify'
        const url = `postgres://swap@127.0.0.1:${port}/swap?sslmode=${mode}${parameters}`
        await assert.rejects(open(url))
        await closed
        server.close()
      })
})

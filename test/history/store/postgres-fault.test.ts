import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { postgresFault } from '../../../src/history/store/postgres/postgres-fault.js'

const faultOf = (message: string, members: object) =>
  postgresFault('postgres://swap@db.example/history', Object.assign(new Error(message), members))

describe('a database that cannot be used', () => {
  const unusable = [
    ['42601', 'FATAL', 'invalid command-line argument for server process: nonsense'],
    ['22023', 'FATAL', 'invalid value for parameter "work_mem": "abc"'],
    ['P0001', 'ERROR', 'rows of this table are frozen'],
    ['22P05', 'ERROR', 'character has no equivalent in encoding "LATIN1"'],
    ['EISDIR', undefined, 'EISDIR: illegal operation on a directory, read'],
  ] as const
  for (const [code, severity, message] of unusable)
    test(`is NOT_READY, and no bug: ${message}`, () => {
      const { code: shown, why } = faultOf(message, { code, severity })!
      assert.deepEqual(
        [shown, why],
        ['NOT_READY', `postgres://swap@db.example/history: ${message}`],
      )
    })

  test('is told from a statement that is wrong, which is a bug', () =>
    assert.equal(faultOf('syntax error', { code: '42601', severity: 'ERROR' }), undefined))

  const advices = [
    [
      '42P01',
      'relation "kysely_migration_lock" does not exist',
      /create the schema.*swap history --sync/,
    ],
    ['3F000', 'no schema has been selected to create in', /create the schema.*swap history --sync/],
    ['53300', 'too many connections for role "swap"', /max_connections/],
  ] as const
  for (const [code, message, hint] of advices)
    test(`has its own advice: ${message}`, () =>
      assert.match(faultOf(message, { code })?.hint as string, hint))
})

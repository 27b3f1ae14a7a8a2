import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'

const document = readFileSync('docs/security.md', 'utf8')

/** The last cell of every row of a table, without the heads. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attack '))
  .map((line) => line.replace(/ \|$/, '').split(' | ').slice(-1)[0]!)

const reference = /^`(?<file>test\/[\w./-]+\.test\.ts)`: "(?<name>[^"]+)"$/

describe('the threat model', () => {
  test('has a section for every kind of attacker', () => {
    const titles = [...document.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
    assert.deepEqual(titles, [
      'A hostile quote document',
      'A lying or hostile node',
      'A client of the service',
      'A project directory',
      'Key files and passwords',
      'The file system and other local users',
      'What does not hold',
    ])
    assert.ok(rows.length > 50)
  })

  for (const cell of rows)
    test(`names tests that exist: ${cell}`, () => {
      for (const part of cell.split('; ')) {
        const { file, name } = reference.exec(part)?.groups ?? {}
        assert.ok(file !== undefined && name !== undefined, `cannot be read: ${part}`)
        assert.ok(existsSync(file), `there is no ${file}`)
        assert.ok(readFileSync(file, 'utf8').includes(name), `${file} has no test "${name}"`)
      }
    })
})

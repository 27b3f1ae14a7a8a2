import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'

const lines = readFileSync('packaging/Dockerfile', 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
const ofKind = (kind: string, among: readonly string[] = lines) =>
  among.filter((line) => line.startsWith(`${kind} `))

describe('the container image', () => {
  test('runs as a user without rights, with the health check of the program itself', () => {
    assert.deepEqual(ofKind('USER', last), ['USER node'])
    assert.match(ofKind('HEALTHCHECK', last)[0] ?? '', / CMD swap doctor server --json \| grep -q /)
    assert.deepEqual(ofKind('ENTRYPOINT', last), ['ENTRYPOINT ["swap"]'])
    assert.ok(last.indexOf('USER node') > last.findLastIndex((line) => line.startsWith('RUN ')))
  })
  test('is built from a fixed release of Node, without latest, ADD, sudo and the network of RUN steps but npm', () => {
    const [argument = ''] = ofKind('ARG')
    assert.match(argument, /^ARG NODE=node:\d+-\w+-slim$/)
    for (const line of ofKind('FROM')) assert.match(line, /^FROM \$\{NODE\}( AS build)?$/)
    assert.deepEqual(ofKind('ADD'), [])
    for (const line of ofKind('RUN')) assert.doesNotMatch(line, /sudo|curl|wget|apt-get|latest/)
    assert.ok(ofKind('RUN').some((line) => line.includes('npm ci --ignore-scripts')))
  })
  test('gets only files that exist, and no key, history or test', () => {
    const kept = readFileSync('packaging/Dockerfile.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    for (const file of kept) assert.ok(existsSync(file), file)
    for (const file of ['.git', 'node_modules', 'test', '.swaprc'])
      assert.ok(!kept.includes(file), file)
  })
})

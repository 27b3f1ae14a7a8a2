import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'vitest'

const source = JSON.stringify(new URL('../../src/platform/v8-settings.ts', import.meta.url).href)

const runScript = (script: string) =>
  spawnSync(process.execPath, ['--import', 'tsx', '--eval', script], { encoding: 'utf8' })

/** The size in MiB of the young generation of a process, before and after much garbage, beside a thread. */
function placesOf(setUp: string): readonly number[] {
  const script = `import(${source}).then(async ({ setUpForService, holdYoungBeside }) => {
    const { getHeapSpaceStatistics } = await import('node:v8')
    const { Worker } = await import('node:worker_threads')
    const place = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20
    const churn = () => {
      let kept = []
      for (let i = 0; i < 3e6; i += 1) {
        kept.push({ i, all: [i] })
        if (kept.length > 20_000) kept = []
      }
    }
    ${setUp}
    const places = [place()]
    const thread = new Worker('setTimeout(() => {}, 1_000)', { eval: true })
    holdYoungBeside(thread)
    await new Promise((resolve) => thread.once('online', resolve))
    churn()
    console.log([...places, place()].join())
    process.exit()
  })`
  return runScript(script).stdout.split(',').map(Number)
}

describe('the settings of V8 for a service', () => {
  test('are flags that this version of Node knows', () => {
    const { stderr } = runScript(`import(${source}).then((v8) => v8.setUpForService())`)
    assert.equal(stderr, '')
  })
})

describe('the young generation of the heap', () => {
  // From Node 24 on V8 grows it by what has survived.
  const isHeld = Number.parseInt(process.versions.node, 10) < 24
  test.runIf(isHeld)('keeps the size set for a service, also when a thread is started', () => {
    const [before = 0, after = 0] = placesOf('setUpForService()')
    assert.ok(before > 0)
    assert.equal(after, before)
  })
  test('grows without that', () => {
    const [before = 0, after = 0] = placesOf('')
    assert.ok(after > 2 * before, `${before} to ${after}`)
  })
})

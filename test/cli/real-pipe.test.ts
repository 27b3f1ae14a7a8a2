import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { describe, test } from 'vitest'
import { bundled } from '../support/bundle.js'

const source = await bundled('src/cli/output.ts')

/** Runs a program over the real streams, in a shell pipeline. */
function run(
  body: string,
  pipeline: string,
): Promise<{ out: string; err: string; status: number }> {
  const program = `
    import { createOutput } from ${JSON.stringify(source)}
    const { stdout, stderr } = process
    const setExit = (status) => { process.exitCode = status }
    const out = createOutput({ stdout, stderr, setExit }, process.env, ${JSON.stringify({ color: 'auto' })})
    ${body}`
  const child = spawn(
    'bash',
    ['-c', `set -o pipefail; "$NODE" --input-type=module -e "$PROGRAM" ${pipeline}`],
    { env: { ...process.env, NODE: process.execPath, PROGRAM: program } },
  )
  const texts = { out: '', err: '' }
  child.stdout.on('data', (data) => (texts.out += data))
  child.stderr.on('data', (data) => (texts.err += data))
  return new Promise((resolve) =>
    child.on('close', (status) => resolve({ ...texts, status: status ?? -1 })),
  )
}

describe('a real pipe', () => {
  test('5 MB reach a reader that is slow to begin', async () => {
    const body = `await out.result('x'.repeat(5_000_000)); out.exit(3)`
    const { out, status } = await run(body, '| (sleep 0.3; wc -c)')
    assert.equal(Number(out), 5_000_001)
    assert.equal(status, 3)
  })

  test('a reader that takes one line gives 141 and no stack', async () => {
    const body = `for (let i = 0; i < 5000 && !out.closed.aborted; i += 1) await out.result('line '.repeat(100)); out.exit(0)`
    const { out, err, status } = await run(body, '| head -n 1')
    assert.equal(out, `${'line '.repeat(100)}\n`)
    assert.equal(err, '')
    assert.equal(status, 141)
  })

  test('a closed stderr loses the notes and nothing else', async () => {
    const { out, status } = await run(`out.note('x'); await out.result('y')`, '2>&-')
    assert.equal(out, 'y\n')
    assert.equal(status, 0)
  })
})

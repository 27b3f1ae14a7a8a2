// Checks the package as it would be published: its types are those of packaging/types, and publint and
// "are the types wrong" find nothing in the tarball. Ceilings of bundles are tests (test/library).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const folder = mkdtempSync(join(tmpdir(), 'swap-package-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const run = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

try {
  run(process.execPath, ['packaging/types.mjs', '--check'])
} catch {
  process.exit(1)
}
const [{ filename }] = JSON.parse(
  run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]),
)
const tarball = readFileSync(join(folder, filename))

const faults = []
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const { messages } = await publint({ pack: { tarball }, strict: true })
for (const message of messages) faults.push(`publint: ${formatMessage(message, manifest)}`)

// The package has ES modules only: CommonJS programs load them by import() or by require() of Node 22.
const IGNORED = ['node10', 'node16-cjs']
const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
for (const problem of problems)
  if (!IGNORED.includes(problem.resolutionKind))
    faults.push(
      `types: ${problem.kind} ${problem.entrypoint ?? ''} ${problem.resolutionKind ?? ''}`,
    )

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)
console.log('the package is clean: types, publint, are the types wrong')

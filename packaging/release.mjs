// Writes the files of a release into a folder: the tarball, its source maps, the list of what is in it and
// the checksums. The same commit gives the same bytes in every folder; --verify builds in a second one and
// compares.
//
//   node packaging/release.mjs [--verify] [FOLDER]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const [folder = 'dist.release'] = process.argv.slice(2).filter((each) => !each.startsWith('--'))
const run = (command, args, cwd = '.') =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Builds and packs what a folder holds. @returns the name of the tarball */
const pack = (from, to) =>
  // What the build prints comes before the answer.
  /\[\s*\{[\s\S]*$/.exec(
    run('npm', ['pack', '--json', '--loglevel', 'error', '--pack-destination', resolve(to)], from),
  )[0]

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const [{ filename, size, unpackedSize }] = JSON.parse(pack('.', folder))
const tarball = join(folder, filename)

// What makes the trace of a bug readable; not part of an installation.
const maps = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.map'))
  .sort()
const date = run('git', ['log', '-1', '--format=%ct'])
const mapsTar = join(folder, filename.replace('.tgz', '-maps.tar'))
const reproducible = ['--format=ustar', `--mtime=@${date}`, '--owner=0', '--group=0', '--mode=a=r']
run('tar', ['-cf', mapsTar, ...reproducible, '--numeric-owner', '-C', 'dist', ...maps])
run('gzip', ['-9n', mapsTar])

writeFileSync(join(folder, filename.replace('.tgz', '.cdx.json')), billOfMaterials())
const files = readdirSync(folder).sort()
const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
process.stdout.write(sums.join(''))
console.log(`${filename}: ${size} bytes packed, ${unpackedSize} unpacked`)
if (process.argv.includes('--verify')) verify()

/** CycloneDX, as npm writes it, of the packages that are in the bundle or installed with it. */
function billOfMaterials() {
  const bill = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'error']))
  const bundled = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8').split('\n')
  const installed = Object.entries(read('package.json').dependencies).map((each) => each.join(' '))
  const named = new Set([...bundled, ...installed])
  const isShipped = ({ group, name, version }) =>
    named.has(`${group === undefined ? '' : `${group}/`}${name} ${version}`)
  const components = bill.components.filter(isShipped)
  const kept = new Set([bill.metadata.component, ...components].map((each) => each['bom-ref']))
  // Random and of the moment in npm's: here of the tarball and the commit.
  const [, a, b, c, d, e] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(sha256(tarball))
  return `${JSON.stringify(
    {
      ...bill,
      serialNumber: `urn:uuid:${a}-${b}-${c}-${d}-${e}`,
      metadata: { ...bill.metadata, timestamp: new Date(date * 1_000).toISOString() },
      components,
      dependencies: bill.dependencies
        .filter(({ ref }) => kept.has(ref))
        .map(({ ref, dependsOn = [] }) => ({
          ref,
          dependsOn: dependsOn.filter((each) => kept.has(each)),
        })),
    },
    null,
    2,
  )}\n`
}

function verify() {
  const other = mkdtempSync(join(tmpdir(), 'swap-release-'))
  try {
    run('git', ['clone', '--quiet', '--no-hardlinks', '.', join(other, 'elsewhere')])
    const clone = join(other, 'elsewhere')
    run('cp', ['-a', 'node_modules', clone])
    const [{ filename: again }] = JSON.parse(pack(clone, other))
    const [ours, theirs] = [sha256(tarball), sha256(join(other, again))]
    if (ours !== theirs) throw new Error(`another folder gives ${theirs} in place of ${ours}`)
    console.log('a build in another folder gives the same bytes')
  } finally {
    rmSync(other, { recursive: true, force: true })
  }
}

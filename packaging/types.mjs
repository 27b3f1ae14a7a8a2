// Writes the types of the package's entries into packaging/types, which the build copies: the public API,
// so that a review shows what a change changes. With --check compares them with the sources only. Types of
// documents follow from the schemas, and the build writes them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ENTRIES } from './library.mjs'
import { rollUp } from './roll-up.mjs'

const target = 'packaging/types'
const draft = resolve(`dist.types.${process.pid}`)
process.on('exit', () => rmSync(draft, { recursive: true, force: true }))
mkdirSync(draft)

const config = {
  extends: resolve('tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: draft,
    rootDir: resolve('src'),
  },
  include: [],
  files: ENTRIES.map((name) => resolve(`src/library/${name}.ts`)),
}
writeFileSync(join(draft, 'tsconfig.json'), JSON.stringify(config))
const tsc = resolve('node_modules/typescript/lib/tsc.js')
execFileSync(process.execPath, [tsc, '-p', join(draft, 'tsconfig.json')], { stdio: 'inherit' })

const types = Object.fromEntries(
  ENTRIES.map((name) => [name, rollUp(join(draft, `library/${name}.d.ts`), ['./documents.js'])]),
)

const fileOf = (name) => join(target, `${name}.d.ts`)
const current = (name) => {
  try {
    return readFileSync(fileOf(name), 'utf8')
  } catch {
    return ''
  }
}
const changed = Object.keys(types).filter((name) => current(name) !== types[name])
if (process.argv.includes('--check')) {
  if (changed.length > 0) {
    console.error(`the public API has changed in ${changed.map(fileOf).join(', ')}: npm run types`)
    process.exit(1)
  }
} else {
  mkdirSync(target, { recursive: true })
  for (const name of changed) writeFileSync(fileOf(name), types[name])
  for (const file of readdirSync(target))
    if (!(file.replace('.d.ts', '') in types)) rmSync(join(target, file))
}

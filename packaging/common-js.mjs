import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { parseSync } from 'rolldown/experimental'

/** The one file that imports: compiled code cannot. */
const IMPORT_FILE = 'import.cjs'

const MAP = /(\n\/\/# sourceMappingURL=).*/

/**
 * Rewrites minified ES modules of a folder as CommonJS, which can take compiled code: `main.js` and each file of
 * `chunks/` but those with a top-level await, those whose exports get their values later, and those that import
 * such files. Modules that remain require the rewritten files. Replaced text keeps its columns, for source maps.
 */
export function toCommonJs(folder) {
  const files = new Map()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/^(chunks[\\/])?[^\\/]+\.js$/.test(name) && name !== 'signer.js')
      files.set(resolve(folder, name), parsed(readFileSync(join(folder, name), 'utf8')))
  const chunks = new Set()
  for (const [path, { awaits, exportsLate }] of files) {
    const isProgram = basename(dirname(path)) === 'chunks' || basename(path) === 'main.js'
    if (isProgram && !awaits && !exportsLate) chunks.add(path)
  }
  const target = (path, file) => resolve(dirname(path), file)
  const importsModule = (path) =>
    files
      .get(path)
      .imports.some((file) => files.has(target(path, file)) && !chunks.has(target(path, file)))
  for (let size = -1; size !== chunks.size; ) {
    size = chunks.size
    for (const path of chunks) if (importsModule(path)) chunks.delete(path)
  }
  for (const [path, file] of files) {
    const isChunk = (name) => chunks.has(target(path, name))
    const place = chunks.has(path) ? path.replace(/js$/, 'cjs') : path
    const forwardOf = (name) => isChunk(name) && files.get(target(path, name)).forward
    const text = rewritten(file, { isCommonJs: chunks.has(path), isChunk, forwardOf })
    writeFileSync(place, text.replace(MAP, `$1${basename(place)}.map`))
    if (place !== path) rmSync(path)
    if (!existsSync(`${path}.map`)) continue
    const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
    rmSync(`${path}.map`)
    writeFileSync(`${place}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
  }
  writeFileSync(join(folder, 'chunks', IMPORT_FILE), 'module.exports=(file)=>import(file);\n')
}

/**
 * A module, its imports and exports, whether its evaluation waits, whether exports get values later, and the one
 * export of a module that only forwards another.
 */
function parsed(text) {
  const { program, module, errors } = parseSync('chunk.js', text)
  if (errors.length > 0) throw new Error(errors[0].message)
  const statements = program.body.filter(({ type }) => /^(Import|Export)/.test(type))
  const imports = statements.flatMap(({ source }) => (source ? [source.value] : []))
  const edits = [...statements.map(blank), ...module.importMetas.map((meta) => [meta, '({})'])]
  const awaits = !isFunctionBody(edited(text, edits))
  const forward = program.body.length === 1 && program.body[0].source ? program.body[0] : undefined
  return { text, module, statements, imports, awaits, exportsLate: exportsLate(program), forward }
}

function rewritten(file, { isCommonJs, isChunk, forwardOf }) {
  const { text, module, statements } = file
  // What is exported from an ES module stays: requiring one fails while it is being imported.
  const moved = statements.filter(
    // The module of a builtin that ES modules import reads all its members, some of which load others.
    ({ source }) => isCommonJs || !source || isChunk(source.value) || isBuiltin(source.value),
  )
  const parts = moved.map((statement, at) => required(statement, at, isChunk))
  const loads = module.dynamicImports.flatMap((load) => {
    const name = text.slice(load.moduleRequest.start + 1, load.moduleRequest.end - 1)
    if (!isChunk(name) && !isCommonJs) return []
    const loader = forwardOf(name) ? 'loadGr' : isChunk(name) ? 'loadCs' : 'loadEs'
    return [{ place: { start: load.start, end: load.start + 6 }, loader, name }]
  })
  const metas = isCommonJs ? module.importMetas.map((meta) => [meta, 'importMetaUrl__']) : []
  for (const [{ end }] of metas) if (!text.startsWith('.url', end)) throw new Error('import.meta')
  const calls = loads.map(({ place, loader }) => [place, loader])
  const code = edited(text, [...moved.map(blank), ...calls, ...metas.map(withUrl)])
  const head = [
    isCommonJs ? '"use strict";' : REQUIRE,
    metas.length > 0 ? META_URL : '',
    loadersOf(loads, forwardOf),
    ...parts.map(({ load }) => load),
  ]
  const tail = exporting(
    parts.flatMap(({ exported }) => exported),
    isCommonJs,
  )
  return `${head.join('')}\n${code.replace(/(\n\/\/# sourceMappingURL=.*\n?)?$/, (end) => `${tail}${end}`)}`
}

/** An import or export with `require` in its place, and the names that it exports with their values. */
function required({ type, source, specifiers }, at, isChunk) {
  const isImport = type === 'ImportDeclaration'
  if (!isImport && type !== 'ExportNamedDeclaration') throw new Error(`a chunk has ${type}`)
  const exported = []
  const wholes = []
  const members = []
  for (const entry of specifiers) {
    const isDefault = entry.type === 'ImportDefaultSpecifier'
    const name = isDefault ? 'default' : (entry.imported?.name ?? entry.local.name)
    const local = isImport ? entry.local.name : source ? `from${at}_${name}` : name
    if (!isImport) exported.push([entry.exported.name, local])
    const isWhole = name === 'default' && !isChunk(source?.value ?? '')
    if (isWhole || entry.type === 'ImportNamespaceSpecifier') wholes.push(local)
    else members.push(`${name}:${local}`)
  }
  if (!source) return { load: '', exported }
  const file = isChunk(source.value) ? source.value.replace(/js$/, 'cjs') : source.value
  const call = `require(${JSON.stringify(file)})`
  const patterns = members.length > 0 ? [...wholes, `{${members.join()}}`] : wholes
  if (patterns.length === 0) return { load: `${call};`, exported }
  return { load: `const ${patterns.map((pattern) => `${pattern}=${call}`).join()};`, exported }
}

function exporting(exported, isCommonJs) {
  const names = exported.map(([name, local]) =>
    isCommonJs ? `${name}:${local}` : `${local} as ${name}`,
  )
  return isCommonJs ? `module.exports={${names.join()}};` : `export{${names.join()}};`
}

/** The functions that dynamic imports call. */
function loadersOf(loads, forwardOf) {
  const used = Object.entries(LOADERS).filter(([name]) =>
    loads.some(({ loader }) => loader === name),
  )
  const forwards = loads.flatMap(({ name }) => (forwardOf(name) ? [[name, forwardOf(name)]] : []))
  const texts = used.map(([, text]) => text)
  return [...texts, forwards.length > 0 ? loadGroups(new Map(forwards)) : ''].join('')
}

const REQUIRE =
  'import{createRequire as requireOf}from"node:module";const require=requireOf(import.meta.url);'
const META_URL = 'const importMetaUrl__=require("node:url").pathToFileURL(__filename).href;'
const LOADERS = {
  loadCs: 'const loadCs=async(file)=>require(file.replace(/js$/,"cjs"));',
  loadEs: `const loadEs=require("./${IMPORT_FILE}");`,
}

/** Takes from the files of groups what forwarding chunks export, each of which would be a file to read. */
function loadGroups(forwards) {
  const entries = [...forwards].map(([file, { source, specifiers }]) => {
    const members = specifiers.map(({ exported, local }) => `${exported.name}:c.${local.name}`)
    const path = posix.join(dirname(file), source.value).replace(/js$/, 'cjs')
    const group = JSON.stringify(`./${path}`)
    return `${JSON.stringify(file)}:()=>{const c=require(${group});return{${members.join()}}}`
  })
  return `const groups={${entries.join()}};const loadGr=async(file)=>groups[file]();`
}

const blank = (place) => [place, '']
const withUrl = ([{ start, end }, text]) => [{ start, end: end + 4 }, text]

/** The text with other text, or spaces, in each place. */
function edited(text, edits) {
  let out = ''
  let at = 0
  for (const [{ start, end }, replacement] of edits.toSorted(([a], [b]) => a.start - b.start)) {
    out += text.slice(at, start) + replacement.padEnd(end - start)
    at = end
  }
  return out + text.slice(at)
}

/** Exports are taken once by CommonJS, which is too early for variables that a function initializes. */
function exportsLate({ body }) {
  const late = body
    .flatMap(({ type, declarations }) => (type === 'VariableDeclaration' ? declarations : []))
    .flatMap(({ id, init }) => (init === null ? [id.name] : []))
  return body
    .flatMap(({ type, specifiers }) => (type === 'ExportNamedDeclaration' ? specifiers : []))
    .some(({ local }) => late.includes(local.name))
}

function isFunctionBody(text) {
  try {
    new Function(text)
    return true
  } catch {
    return false
  }
}

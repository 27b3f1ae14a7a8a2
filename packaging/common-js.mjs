import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { parseSync } from 'rolldown/experimental'

/** Code that was compiled before cannot import, so one file does that is compiled at each start. */
export const IMPORT_FILE = 'import.cjs'

const MAP = /(\n\/\/# sourceMappingURL=).*/

/**
 * Rewrites minified ES modules of a folder as CommonJS, which can take compiled code: `main.js` and each file of `chunks/`
 * but those with a top-level await, those whose exports get their values later, and those that import such files.
 * Modules that remain require the rewritten files. Replaced text keeps its columns, for source maps.
 */
export function toCommonJs(folder) {
  const files = new Map()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/^(chunks\/)?[^/]+\.js$/.test(name) && name !== 'signer.js')
      files.set(resolve(folder, name), parsed(readFileSync(join(folder, name), 'utf8')))
  const chunks = new Set()
  for (const [path, file] of files)
    if (/\/(chunks\/.*|main\.js)$/.test(path) && !file.awaits && !file.exportsLate) chunks.add(path)
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
    const text = rewritten(file, chunks.has(path), isChunk)
    writeFileSync(place, text.replace(MAP, `$1${basename(place)}.map`))
    if (place !== path) rmSync(path)
    if (!existsSync(`${path}.map`)) continue
    const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
    rmSync(`${path}.map`)
    writeFileSync(`${place}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
  }
  writeFileSync(join(folder, 'chunks', IMPORT_FILE), 'module.exports=(file)=>import(file);\n')
}

/** A module, its imports and exports, whether its evaluation waits, and whether exports get values later. */
function parsed(text) {
  const { program, module, errors } = parseSync('chunk.js', text)
  if (errors.length > 0) throw new Error(errors[0].message)
  const statements = program.body.filter(({ type }) => /^(Import|Export)/.test(type))
  const imports = statements.flatMap(({ source }) => (source ? [source.value] : []))
  const edits = [...statements.map(blank), ...module.importMetas.map((meta) => [meta, '({})'])]
  const awaits = !isFunctionBody(edited(text, edits))
  return { text, module, statements, imports, awaits, exportsLate: exportsLate(program) }
}

function rewritten({ text, module, statements }, isCommonJs, isChunk) {
  const moved = statements.filter(
    // The module of a builtin that ES modules import reads all its members, some of which load others.
    ({ type, source }) =>
      isCommonJs || type.startsWith('Export') || isChunk(source.value) || isBuiltin(source.value),
  )
  const exported = []
  const head = moved.flatMap(({ type, source, specifiers }, at) => {
    const isImport = type === 'ImportDeclaration'
    if (!isImport && type !== 'ExportNamedDeclaration') throw new Error(`a chunk has ${type}`)
    const file =
      source && (isChunk(source.value) ? source.value.replace(/js$/, 'cjs') : source.value)
    const call = `require(${JSON.stringify(file)})`
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
    if (!source) return []
    const patterns = members.length > 0 ? [...wholes, `{${members.join()}}`] : wholes
    if (patterns.length === 0) return [`${call};`]
    return [`const ${patterns.map((pattern) => `${pattern}=${call}`).join()};`]
  })
  const dynamic = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const file = text.slice(moduleRequest.start + 1, moduleRequest.end - 1)
    if (!isChunk(file) && !isCommonJs) return []
    return [[{ start, end: start + 6 }, isChunk(file) ? 'loadCs' : 'loadEs']]
  })
  const metas = isCommonJs ? module.importMetas.map((meta) => [meta, 'importMetaUrl__']) : []
  for (const [{ end }] of metas) if (!text.startsWith('.url', end)) throw new Error('import.meta')
  const code = edited(text, [...moved.map(blank), ...dynamic, ...metas.map(withUrl)])
  const names = exported.map(([name, local]) =>
    isCommonJs ? `${name}:${local}` : `${local} as ${name}`,
  )
  const tail = isCommonJs ? `module.exports={${names.join()}};` : `export{${names.join()}};`
  const banner = [
    isCommonJs ? '"use strict";' : REQUIRE,
    metas.length > 0 ? META_URL : '',
    ...Object.entries(LOADERS).map(([name, text]) =>
      dynamic.some(([, used]) => used === name) ? text : '',
    ),
    ...head,
  ]
  return `${banner.join('')}\n${code.replace(/(\n\/\/# sourceMappingURL=.*\n?)?$/, (end) => `${tail}${end}`)}`
}

const REQUIRE =
  'import{createRequire as requireOf}from"node:module";const require=requireOf(import.meta.url);'
const META_URL = 'const importMetaUrl__=require("node:url").pathToFileURL(__filename).href;'
const LOADERS = {
  loadCs: 'const loadCs=async(file)=>require(file.replace(/js$/,"cjs"));',
  loadEs: `const loadEs=require("./${IMPORT_FILE}");`,
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

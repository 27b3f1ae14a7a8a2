// Bundles src/ into dist/: a small entry, lazy chunks, a thread's entry, the signing process, the library's
// entries, the demo market, the manual pages, the files of /docs and the licences of what is bundled.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { buildLibrary } from './packaging/library.mjs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const commit = () => {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim()
  } catch {
    return 'unknown'
  }
}

/** CommonJS packages inside an ESM bundle still call require for Node's own modules. */
const requireBanner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/** Files of a package with the text of its licence. */
const LICENCE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/** Ink looks for a debugger that nobody ships; in its place stands nothing. */
const withoutDevtools = {
  name: 'without-devtools',
  setup(build) {
    const filter = /^react-devtools-core$/
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'nothing' }))
    build.onLoad({ filter, namespace: 'nothing' }, () => ({ contents: 'export default {}' }))
  },
}

// Built beside the old one, which is replaced only by a whole one.
const draft = `dist.${process.pid}`
const chunks = `${draft}.chunks`
process.on('exit', () => {
  for (const folder of [draft, chunks]) rmSync(folder, { recursive: true, force: true })
})
/** The pattern of all emoji takes a quarter of bare Node's start to compile: only a text that needs it pays. */
const EMOJI = 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;'
const LATE_EMOJI =
  'let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= /^\\p{RGI_Emoji}$/v).test(text) };'
const lateEmoji = {
  name: 'late-emoji',
  setup({ onLoad }) {
    const file = resolve('node_modules/string-width/index.js')
    onLoad({ filter: /string-width[\\/]index\.js$/ }, ({ path }) => {
      if (path !== file) return undefined
      const text = readFileSync(path, 'utf8')
      if (!text.includes(EMOJI)) throw new Error(`${path} has another pattern of emoji`)
      return { contents: text.replace(EMOJI, () => LATE_EMOJI), loader: 'js' }
    })
  },
}

/** The MCP server validates with ajv only the answers to questions of its own, and asks none: 0.2 MB less. */
const withoutAjv = {
  name: 'without-ajv',
  setup({ onResolve, onLoad }) {
    const filter = /^@modelcontextprotocol\/server\/_shims$/
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'without-ajv' }))
    const contents =
      "export class DefaultJsonSchemaValidator {}\nexport { default as process } from 'node:process'"
    onLoad({ filter: /.*/, namespace: 'without-ajv' }, () => ({ contents, loader: 'js' }))
  },
}

/** The members of requests as a value: the command line starts without the library of schemas. */
const MEMBERS = 'src/operations/request-members.ts'
const valueOfMembers = {
  name: 'request-members',
  async setup({ onLoad }) {
    const outfile = `${chunks}/request-members.mjs`
    await build({ entryPoints: [MEMBERS], outfile, bundle: true, format: 'esm', platform: 'node' })
    const { requestMembers } = await import(`./${outfile}`)
    const contents = `export const requestMembers = ${JSON.stringify(requestMembers)}`
    onLoad({ filter: /request-members\.ts$/ }, () => ({ contents, loader: 'js' }))
  },
}

const options = {
  bundle: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  sourcemap: 'linked',
  legalComments: 'linked',
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [withoutDevtools, lateEmoji, withoutAjv, valueOfMembers],
  define: {
    // React is twice as large and slower with its checks for developers.
    'process.env.NODE_ENV': '"production"',
    'process.env.SWAP_BUILD_VERSION': JSON.stringify(version),
    'process.env.SWAP_BUILD_COMMIT': JSON.stringify(commit()),
  },
  logLevel: 'warning',
}
const program = await build({
  ...options,
  outdir: chunks,
  splitting: true,
  entryPoints: {
    main: 'src/main.ts',
    thread: 'src/compose/worker.ts',
    'demo-market': 'src/demo-chain/market/snapshot.ts',
    'man-pages': 'src/cli/help/man/pages.ts',
    'sqlite-thread': 'src/history/store/sqlite/thread.ts',
  },
})
// A start loads two files in place of 86, which took half of its time.
await mergeChunks(program.metafile, {
  from: chunks,
  to: draft,
  groups: {
    base: ['src/compose/cli.ts', 'src/cli/help/help.ts'],
    quote: ['src/compose/run-command.ts', 'src/cli/commands/route/run.ts'],
    'quote-text': ['src/cli/quotes/route/render-route.ts'],
  },
  // What is printed before anything else is loaded.
  alone: 'src/main.ts',
})
// One file, which starts 60 ms sooner than chunks do: a person waits for it.
const signer = await build({
  ...options,
  outdir: draft,
  banner: { js: requireBanner },
  entryPoints: { signer: 'src/wallet/signing/child.ts' },
})

const library = await buildLibrary(`${draft}/library`, options)

const { demoSnapshot, DEMO_SEED } = await import(`./${draft}/demo-market.js`)
writeFileSync(`${draft}/demo-market.json`, JSON.stringify(demoSnapshot(DEMO_SEED)))

const { manPages } = await import(`./${draft}/man-pages.js`)
mkdirSync(`${draft}/man`)
for (const [file, text] of manPages(version)) writeFileSync(`${draft}/man/${file}`, text)

// What the page of the service's documentation loads, and its licence.
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])
  cpSync(`node_modules/@fastify/swagger-ui/static/${file}`, `${draft}/docs/${file}`)
cpSync('node_modules/@fastify/swagger-ui/LICENSE', `${draft}/docs/LICENSE`)

const page = await buildPage(`${draft}/page`)

const packages = bundledPackages(
  [program.metafile, signer.metafile, library, page.metafile],
  ['node_modules/@fastify/swagger-ui'],
)
writeFileSync(`${draft}/THIRD-PARTY-LICENSES.txt`, licenceText(packages))

rmSync('dist', { recursive: true, force: true })
renameSync(draft, 'dist')

/** The page of the service: its document, and what it loads: styles, its script, and the engine in a worker. */
async function buildPage(outdir) {
  // The page asks for no recipient, no explanation and no contract, and writes no decimal that needs a library.
  const unused =
    /operations\/(address|route\/(confirm|explain|verify)|split\/(confirm|explain|verify)-split)\.ts$/
  const lighter = {
    name: 'lighter',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: unused }, ({ path }) => {
        const exported = /^export (?:async )?(?:function|const) (\w+)/gm
        const names = [...readFileSync(path, 'utf8').matchAll(exported)].map(([, name]) => name)
        const contents = names.map(
          (name) => `export const ${name} = () => { throw new Error('the page has no ${name}') }`,
        )
        return { contents: contents.join('\n') }
      })
      onResolve({ filter: /^bignumber\.js$/ }, ({ path }) => ({
        path: resolve(`node_modules/${path}/dist/bignumber.mjs`),
        sideEffects: false,
      }))
    },
  }
  const built = await build({
    outdir,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'eof',
    plugins: [lighter],
    entryPoints: {
      page: 'src/page/page.ts',
      'quote-worker': 'src/page/worker.ts',
    },
    logLevel: 'warning',
  })
  const styles = { entryPoints: ['src/page/page.css'], outdir, minify: true, logLevel: 'warning' }
  await build(styles)
  cpSync('src/page/index.html', `${outdir}/index.html`)
  return built
}

/**
 * Rewrites the output of a splitting build so that chunks which are always loaded together are one
 * file. Each group holds the given source files, which are entries or imported dynamically, with all
 * they import statically and no earlier group holds. Other chunks import from the groups' files; a
 * chunk of a group that is imported dynamically stays as a file that only re-exports.
 */
async function mergeChunks({ outputs }, { from, to, groups, alone }) {
  const chunkOf = (source) =>
    Object.keys(outputs).find((path) => outputs[path].entryPoint === source) ??
    fail(`${source} is no entry`)
  const closure = (path, seen = new Set()) => {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) closure(next, seen)
    return seen
  }
  const groupOf = new Map([...closure(chunkOf(alone))].map((path) => [resolve(path), undefined]))
  for (const [group, sources] of Object.entries(groups))
    for (const path of sources.flatMap((source) => [...closure(chunkOf(source))]))
      if (!groupOf.has(resolve(path))) groupOf.set(resolve(path), group)
  const nameOf = (path) => relative(from, path)
  const keyOf = (path) => nameOf(path).replaceAll(/\W/g, '_')
  const exportsOf = (path) => outputs[relative('.', path)].exports
  const members = (group) => [...groupOf].flatMap(([path, own]) => (own === group ? path : []))
  /** Re-exports a chunk of a group from the group's file under its own names. */
  const forwarding = (path, file) => {
    const names = exportsOf(path).map((name) => `${keyOf(path)}_${name} as ${name}`)
    return `export{${names.join()}}from${JSON.stringify(file)}\n`
  }
  const between = (folder, target) => {
    const path = relative(folder, target)
    return path.startsWith('.') ? path : `./${path}`
  }
  const fileOf = (group) => resolve(from, 'chunks', `${group}.js`)
  for (const group of Object.keys(groups)) {
    const lines = members(group).map((path) => {
      const names = exportsOf(path).map((name) => `${name} as ${keyOf(path)}_${name}`)
      return `export{${names.join()}}from${JSON.stringify(between(dirname(fileOf(group)), path))}\n`
    })
    writeFileSync(fileOf(group), lines.join(''))
  }
  const ownGroup = (path) =>
    Object.keys(groups).find((group) => fileOf(group) === path) ?? groupOf.get(path)
  const linking = {
    name: 'linking',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, importer, resolveDir, kind, namespace }) => {
        if (kind === 'entry-point') return undefined
        if (namespace === 'forwarding') return { path, external: true }
        const target = resolve(resolveDir, path)
        const group = groupOf.get(target)
        const isStatic = kind === 'import-statement'
        if (isStatic && group !== undefined) {
          if (ownGroup(importer) === group) return { path: target }
          const file = between(dirname(importer), fileOf(group))
          return {
            path: file,
            namespace: 'forwarding',
            pluginData: target,
            suffix: `?${keyOf(target)}`,
          }
        }
        return { path: between(dirname(importer), target), external: true }
      })
      onLoad({ filter: /.*/, namespace: 'forwarding' }, ({ path, pluginData }) => ({
        contents: forwarding(pluginData, path),
      }))
    },
  }
  const others = Object.keys(outputs).filter(
    (path) => path.endsWith('.js') && groupOf.get(resolve(path)) === undefined,
  )
  await build({
    entryPoints: [...others, ...Object.keys(groups).map(fileOf)],
    outdir: to,
    outbase: from,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    sourcemap: 'linked',
    legalComments: 'eof',
    plugins: [linking],
    logLevel: 'warning',
  })
  // A chunk of a group that is imported dynamically.
  for (const [path, group] of groupOf)
    if (group !== undefined && outputs[relative('.', path)].entryPoint !== undefined)
      writeFileSync(join(to, nameOf(path)), forwarding(path, between(dirname(path), fileOf(group))))
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.LEGAL.txt')) cpSync(join(from, file), join(to, file))
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.js')) addRequire(join(to, file))
}

/** Puts the banner above a file that calls require; its source map begins a line later. */
function addRequire(path) {
  const text = readFileSync(path, 'utf8')
  if (!/\brequire\b/.test(text)) return
  writeFileSync(path, `${requireBanner}\n${text}`)
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
  writeFileSync(`${path}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
}

function fail(message) {
  throw new Error(message)
}

/** The folder of the package that a bundled file is from; `undefined` for a file of our own. */
function packageOf(input) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
}

/**
 * @param metafiles what esbuild says about its outputs
 * @param copied folders of packages that files were copied from
 */
function bundledPackages(metafiles, copied) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs))
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs))
  return [...new Set([...inputs.flatMap((input) => packageOf(input) ?? []), ...copied])].map(
    describePackage,
  )
}

function describePackage(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const holder = typeof author === 'string' ? author : author?.name
  return { name, version, license, holder, texts }
}

/** A text for each package and version; packages of one version and text are named once. */
function licenceText(packages) {
  const parts = packages
    .map((each) => {
      const { name, version, license, texts } = each
      if (typeof license !== 'string') throw new Error(`${name} does not say its licence`)
      const body = texts.length > 0 ? texts : [standardText(each, packages)]
      return [`${name} ${version}`, `Licence: ${license}`, '', ...body].join('\n')
    })
    .sort()
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  const head = 'swap contains the packages below, each under the licence that is printed with it.'
  return `${[head, ...new Set(parts)].join(rule)}\n`
}

/** The standard text where a package has only the name of its licence. */
function standardText({ name, license, holder }, packages) {
  if (license === 'MIT')
    return readFileSync(new URL('LICENSE', import.meta.url), 'utf8')
      .trim()
      .replace(/^Copyright.*$/m, `Copyright (c) ${holder ?? `the authors of ${name}`}`)
  // Of Apache's the text is the same whoever holds the copyright.
  const same = packages.find((other) => other.license === license && other.texts.length > 0)
  if (license === 'Apache-2.0' && same) return same.texts[0]
  throw new Error(`${name} comes without the text of its licence: ${license}`)
}

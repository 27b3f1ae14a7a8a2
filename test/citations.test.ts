import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'vitest'
import { errorCodes } from '../src/engine/errors.js'
import { operations } from '../src/operations/operations.js'
import { exitStatusOf, statusOf } from '../src/operations/problem.js'

const THIS = 'test/citations.test.ts'

/** Text files of the repository that may cite its documents. */
const files = ['src', 'test', 'bench', 'docs']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .map((file) => file.replaceAll('\\', '/'))
  .concat('README.md')
  .filter((file) => /\.(tsx?|mjs|md)$/.test(file) && file !== THIS)

const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const documents = files.filter((file) => file.endsWith('.md'))

/** Anchors as GitHub derives them: lower case, no punctuation, hyphens for spaces, repeats counted. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const anchors = withoutCode(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)
  return new Set(
    [...anchors].map(([, title = '']) => {
      const slug = title
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-')
      const count = counts.get(slug) ?? 0
      counts.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    }),
  )
}

/** Fenced blocks hold comments of shells, which look like headings. */
const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '')

const anchors = new Map(documents.map((file) => [file, anchorsOf(texts.get(file) ?? '')]))

/** What is wrong with a citation of a document, or of one of its headings. */
function faultOf(path: string, anchor: string | undefined): string | undefined {
  const known = anchors.get(path)
  if (known === undefined) return existsSync(path) && !anchor ? undefined : `no document ${path}`
  return anchor === undefined || known.has(anchor) ? undefined : `no heading #${anchor} in ${path}`
}

/** Every match of a pattern in the files, with its place. */
const matches = (pattern: RegExp, among: readonly string[] = files) =>
  among.flatMap((file) =>
    [...(texts.get(file) ?? '').matchAll(pattern)].map((match) => ({
      file,
      groups: match.slice(1),
    })),
  )

describe('citations', () => {
  test('derives the anchor of a heading as GitHub does', () => {
    const markdown = '# `a_b`, C\n## C & D\n## c  d\n```sh\n# no heading\n```\n## C & D\n'
    assert.deepEqual([...anchorsOf(markdown)], ['a_b-c', 'c--d', 'c--d-1', 'c--d-2'])
  })

  test('every cited document and heading exists', () => {
    const cited = matches(/\b(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)
    assert.ok(cited.length > 60, `only ${cited.length} citations were found`)
    const faults = cited.flatMap(({ file, groups: [path = '', anchor] }) => {
      const fault = faultOf(path, anchor)
      return fault === undefined ? [] : [`${file}: ${fault}`]
    })
    assert.deepEqual(faults, [])
  })

  test('every link between documents resolves', () => {
    const links = matches(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g, documents)
    const faults = links.flatMap(({ file, groups: [path = '', anchor] }) => {
      const target = path === '' ? file : normalize(join(dirname(file), path))
      const fault = faultOf(target, anchor)
      return fault === undefined ? [] : [`${file}: ${fault}`]
    })
    assert.deepEqual(faults, [])
  })

  test('every file of the source that a document names exists', () => {
    const named = matches(/`((?:src|test|bench)\/[\w./-]+)`/g, documents)
    const faults = named.flatMap(({ file, groups: [path = ''] }) =>
      existsSync(path) ? [] : [`${file}: ${path}`],
    )
    assert.deepEqual(faults, [])
  })

  test('every name of code in docs/architecture.md is one of the source', () => {
    const code = files.filter((file) => file.endsWith('.ts') || file.endsWith('.mjs'))
    const words = new Set(code.flatMap((file) => texts.get(file)!.match(/\w+/g) ?? []))
    const names = matches(/`([A-Za-z_]\w*)`/g, ['docs/architecture.md'])
    const faults = names.flatMap(({ groups: [name = ''] }) => (words.has(name) ? [] : [name]))
    assert.deepEqual(faults, [])
  })

  test('every name of code that docs/architecture.md gives with a file is in this file', () => {
    const given = matches(/`([A-Za-z_]\w*)`[^`;.]{1,12}`(src\/[\w./-]+\.tsx?)`/g, [
      'docs/architecture.md',
    ])
    assert.ok(given.length > 10, `only ${given.length} names were found`)
    const faults = given.flatMap(({ groups: [name = '', path = ''] }) =>
      texts.get(path)?.match(/\w+/g)?.includes(name) ? [] : [`${name} is not in ${path}`],
    )
    assert.deepEqual(faults, [])
  })

  test('every metric of the service is in docs/operations.md', () => {
    const sources = files.filter((file) => file.startsWith('src/service/metrics/'))
    const page = texts.get('docs/operations.md')!
    const names = matches(/'(swap_[a-z_]+)'/g, sources).map(({ groups: [name = ''] }) => name)
    assert.ok(names.length > 20, `only ${names.length} metrics were found`)
    assert.deepEqual(
      names.filter((name) => !page.includes(`\`${name}`)),
      [],
    )
  })

  test('no page outside the repository is cited', () => {
    // Names of pages that comments once cited, and of these documents: without a folder only a
    // neighbouring document may name them.
    const bare =
      /(?<![\w/-])((?:algorithms|api|architecture|brief|chain|cli|fin|house|live|maths|node|operations|orders|reliability|snapshot|venues)\.md)\b/g
    const faults = matches(bare).flatMap(({ file, groups: [page = ''] }) =>
      file.startsWith('docs/') && existsSync(`docs/${page}`) ? [] : [`${file}: ${page}`],
    )
    assert.deepEqual(faults, [])
  })
})

describe('the members of the operations', () => {
  test('are all named in docs/api.md, or in the pages of the contracts and of tapes', () => {
    const pages = ['api', 'chain', 'tape'].map((page) => texts.get(`docs/${page}.md`)).join('\n')
    const words = new Set(pages.match(/\w+/g))
    const membersOf = (schema: unknown): readonly string[] => {
      if (typeof schema !== 'object' || schema === null) return []
      const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
      return [...own, ...Object.values(schema).flatMap(membersOf)]
    }
    const members = operations.flatMap(({ request, response }) => membersOf([request, response]))
    assert.ok(members.length > 500, `only ${members.length} members were found`)
    assert.deepEqual(
      members.filter((name) => !words.has(name)),
      [],
    )
  })
})

describe('the table of error codes in docs/api.md', () => {
  test('has every code with its HTTP status and exit status', () => {
    const rows = matches(/^\| `([A-Z_]+)` \| (\d+)(?: \*)? \| (\d+) \|/gm, ['docs/api.md'])
    assert.deepEqual(
      rows.map(({ groups }) => groups),
      errorCodes.map((code) => [code, `${statusOf(code)}`, `${exitStatusOf(code)}`]),
    )
  })
})

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A top-level statement of a declaration file, or the comment above one, begins in the first column. Comments
 * between the members of a union do so as well, and begin none.
 */
const STATEMENT =
  /^(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export|import|declare|type|interface)\b)/m
const DECLARED = /^(?:export )?(?:declare )?(?:const|function|class|type|interface) (\w+)/m
const COMMENT = /\/\*\*[\s\S]*?\*\//g

/**
 * The public types of an entry as one file: what it exports and what that refers to, and nothing else.
 *
 * @param entry a declaration file that the compiler wrote
 * @param external modules, as imports name them, that stay imports
 */
export function rollUp(entry, external) {
  const files = new Map()
  const fileOf = (path) => {
    if (!files.has(path)) files.set(path, parse(path))
    return files.get(path)
  }
  const taken = new Map()
  const kept = new Map(external.map((module) => [module, new Set()]))
  /** Takes a declaration, and before it those that it refers to. */
  const take = (path, name) => {
    const { declared, imported } = fileOf(path)
    if (imported.has(name)) {
      const { module, original } = imported.get(name)
      if (kept.has(module)) kept.get(module).add(original)
      else take(resolve(path, module), original)
      return
    }
    const text = declared.get(name)
    if (text === undefined) return
    if (taken.has(name)) {
      if (taken.get(name) !== text) throw new Error(`two declarations of ${name}`)
      return
    }
    taken.set(name, text)
    for (const [word] of text.replaceAll(COMMENT, '').matchAll(/\b\w+\b/g))
      if (word !== name && (declared.has(word) || imported.has(word))) take(path, word)
  }
  const { exported, whole } = fileOf(entry)
  for (const name of exported) take(entry, name)
  const imports = [...kept].flatMap(([module, names]) =>
    names.size === 0 ? [] : [`import type { ${[...names].sort().join(', ')} } from '${module}';\n`],
  )
  const isExported = (name) => exported.includes(name)
  const statements = [...taken].map(([name, text]) =>
    isExported(name)
      ? text
      : text
          .replace(/^export (?:declare )?(?=class|type|interface|const|function)/m, 'declare ')
          .replace(/^declare (?=type|interface)/m, ''),
  )
  // Without it everything in a declaration file would be exported.
  return [...imports, ...whole, ...statements, 'export {};\n'].join('\n')
}

const resolve = (path, module) => join(dirname(path), module.replace(/\.js$/, '.d.ts'))

function parse(path) {
  const declared = new Map()
  const imported = new Map()
  const exported = []
  const whole = []
  const statements = readFileSync(path, 'utf8').split(STATEMENT)
  for (const [at, text] of statements.entries()) {
    // A comment is split from what it belongs to.
    const comment = /^\/\*\*[\s\S]*\*\/\s*$/.test(statements[at - 1] ?? '')
      ? statements[at - 1]
      : ''
    const names = /^(import|export) (?:type )?\{([^}]*)\} from '([^']+)'/.exec(text)
    if (names !== null) {
      const [, kind, list, module] = names
      for (const each of list.split(',')) {
        const [original, local = original] = each
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        if (original === '') continue
        imported.set(local, { module, original })
        if (kind === 'export') exported.push(local)
      }
    } else if (/^export type \* from/.test(text)) whole.push(text)
    else {
      const name = DECLARED.exec(text)?.[1]
      if (name === undefined) continue
      declared.set(name, comment + text)
      if (text.startsWith('export')) exported.push(name)
    }
  }
  return { declared, imported, exported, whole }
}

import type { Document, Node, Pair, YAMLMap } from 'yaml'
import { invalidRequest } from '../engine/errors.js'
import { foldCase } from '../operations/suggest.js'
import { isNamed } from './layers.js'

/** The path of a key in a file: alone, or in a group such as `alias`. */
export type KeyPath = readonly [key: string] | readonly [group: string, member: string]

/** The new value of a key: one text, or a list of texts. */
type NewValue = string | readonly string[]

/**
 * The text of a file with a key set; everything else, comments and order included, is preserved. A new key is appended.
 * The text has to be valid.
 */
export async function textWith(text: string, path: KeyPath, value: NewValue): Promise<string> {
  const { yaml, document, root } = await parseYaml(text)
  const node = (scalarText: string): Node => {
    // A plain scalar that YAML reads and writes unchanged stays plain: 20s, 4, yes. Other texts are
    // quoted: +4 would be written as 4.
    const parsed = yaml.parseDocument(scalarText)
    const { contents, errors, warnings } = parsed
    const isPlain =
      errors.length + warnings.length === 0 &&
      yaml.isScalar(contents) &&
      contents.value !== null &&
      contents.source === scalarText &&
      yamlText(parsed) === `${scalarText}\n`
    return isPlain ? contents : document.createNode(scalarText)
  }
  const replacement =
    typeof value === 'string' ? node(value) : document.createNode(value.map((each) => node(each)))
  const place = placeOf(root, path)
  const before = root.getIn(place, true)
  if (yaml.isNode(before)) keepComments(before, replacement)
  if (place.length === 2 && !yaml.isMap(root.get(place[0]))) {
    // An empty group: `alias:`.
    const group = document.createNode({})
    const empty = root.get(place[0], true)
    if (yaml.isNode(empty) && !(yaml.isScalar(empty) && empty.value === null))
      throw invalidRequest(`${place[0]} is no group in the file`, '', {
        why: 'it has a value of its own, which would be lost',
        hint: 'correct it in an editor: swap config edit',
      })
    if (empty !== undefined) keepComments(empty, group)
    root.set(place[0], group)
  }
  root.setIn(place, replacement)
  return withLineEndsOf(text, yamlText(document))
}

/** The text of a file without a key; `undefined` if it has no such key. */
export async function textWithout(text: string, path: KeyPath): Promise<string | undefined> {
  const { document, root } = await parseYaml(text)
  const place = placeOf(root, path)
  if (!root.hasIn(place)) return undefined
  const parent = place.length === 1 ? root : root.get(place[0])
  const map = parent as YAMLMap
  removeKey(document, map, place.at(-1)!)
  if (place.length === 2 && map.items.length === 0) {
    for (const each of [map.commentBefore, map.comment]) if (each) appendComment(document, each)
    removeKey(document, root, place[0])
  }
  return withLineEndsOf(text, root.items.length === 0 ? notesOf(document) : yamlText(document))
}

/** A changed text with the line ends of the file. */
const withLineEndsOf = (before: string, changed: string): string =>
  before.includes('\r\n') ? changed.replaceAll(/\r*\n/g, '\r\n') : changed

/** Removes a key; the comments above it are kept. */
function removeKey(document: Document, map: YAMLMap, key: string): void {
  const at = map.items.findIndex((pair) => keyOf(pair) === key)
  const comment = (map.items[at]!.key as Node).commentBefore
  map.items.splice(at, 1)
  const next = map.items[at]?.key as Node | undefined
  if (comment && next) next.commentBefore = [comment, next.commentBefore].filter(Boolean).join('\n')
  else if (comment) appendComment(document, comment)
}

async function parseYaml(text: string) {
  const { default: yaml } = await import('yaml')
  const document: Document = yaml.parseDocument(text, { keepSourceTokens: true })
  const { contents } = document
  if (!yaml.isMap(contents)) {
    document.contents = document.createNode({})
    if (contents !== null) keepComments(contents, document.contents)
  }
  return { yaml, document, root: document.contents as unknown as YAMLMap }
}

/**
 * Keeps the form of an existing `router.address`, with a dot or as a member of `router`, and the case of a name of the
 * user's; otherwise as a member.
 */
function placeOf(root: YAMLMap, path: KeyPath): KeyPath {
  const [group, member] = path
  if (member === undefined) return path
  const same = (key: string, name: string) => (isNamed(group) ? foldCase(key) : key) === name
  const flat = root.items.map(keyOf).find((key) => same(key, `${group}.${member}`))
  if (flat !== undefined) return [flat]
  const inner = (root.get(group) as Partial<YAMLMap> | null | undefined)?.items ?? []
  return [group, inner.map(keyOf).find((key) => same(key, member)) ?? member]
}

const keyOf = ({ key }: Pair): string => String((key as { value?: unknown } | null)?.value ?? key)

function keepComments(before: Node, replacement: Node): void {
  for (const member of ['comment', 'commentBefore'] as const)
    if (before[member] != null) replacement[member] = before[member]
  if (before.spaceBefore !== undefined) replacement.spaceBefore = before.spaceBefore
}

/** Appends a comment whose key was removed. */
function appendComment(document: Document, comment: string): void {
  document.comment = [document.comment, comment].filter(Boolean).join('\n')
}

/** The comments of a file without keys. */
const notesOf = ({ commentBefore, comment }: Document): string =>
  [commentBefore, comment]
    .flatMap((section) => (section ? section.split('\n') : []))
    .map((line) => `#${line}\n`)
    .join('')

/**
 * The text of a changed document. Lines are not folded: a folded URL is invalid.
 *
 * @throws SwapError INVALID_REQUEST if a YAML alias refers to what was removed
 */
function yamlText(document: Document): string {
  try {
    return document.toString({ lineWidth: 0, flowCollectionPadding: false })
  } catch (error) {
    if (!/^Unresolved alias/.test(String((error as Error).message))) throw error
    throw invalidRequest('the value cannot be changed alone', '', {
      why: 'another value of the file repeats it with a YAML alias (*name)',
      hint: 'change both in an editor: swap config edit',
    })
  }
}

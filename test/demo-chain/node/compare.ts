import assert from 'node:assert/strict'

/** Texts without their numbers: heights and gas are the chain's own. */
const plain = (text: string): string => text.replace(/\d+/g, '#')

/** Asserts the same answer, except for the numbers inside its texts. */
export function assertSame(actual: unknown, expected: unknown): void {
  const masked = (value: unknown): unknown =>
    typeof value === 'string'
      ? plain(value)
      : Array.isArray(value)
        ? value.map(masked)
        : typeof value === 'object' && value !== null
          ? Object.entries(value).map(([key, each]) => [key, masked(each)])
          : value
  assert.deepEqual(masked(actual), masked(expected))
}

/** Members for which a node writes null or a value, depending on its state. */
const MAYBE_NULL =
  /(?:txs_results|\.data|pub_key|next_key|\.msg|validator_updates|\.oracles|\.market_maker|\.value)$/
/** Maps whose keys depend on the state, and messages of contracts. */
const OPEN = /(?:result\.events|\.msg|config_only)$/
/** Members that identify the kind of an answer. */
const TELLING = /\.(?:code|codespace|type|@type|jsonrpc|mode|block_id_flag|canonical)$/
const VARYING = /(?:events\[\]\.type|pub_key\.type)$/

/** Asserts the same members in the same order and of the same types, with the same kind. */
export function assertShape(actual: unknown, expected: unknown, path = ''): void {
  if (expected === null || actual === null) {
    assert.ok(actual === expected || MAYBE_NULL.test(path), `${path}: ${actual} for ${expected}`)
    return
  }
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path} is no array`)
    // A batch has one answer of its own kind for every request.
    if (path === '')
      for (const [at, each] of (expected as unknown[]).entries())
        assertShape((actual as unknown[])[at], each, `.${at}`)
    const [template] = path === '' ? [] : (expected as unknown[])
    if (template !== undefined)
      for (const each of actual as unknown[]) assertShape(each, template, `${path}[]`)
    return
  }
  assert.equal(typeof actual, typeof expected, path)
  if (typeof expected === 'object') {
    if (OPEN.test(path)) return
    assert.deepEqual(Object.keys(actual as object), Object.keys(expected), path)
    for (const [key, each] of Object.entries(expected))
      assertShape((actual as Record<string, unknown>)[key], each, `${path}.${key}`)
    return
  }
  if (TELLING.test(path) && !VARYING.test(path)) assert.equal(actual, expected, path)
}

/** Headers that a client may read. */
const WATCHED =
  /^(?:content-type|access-control-.*|(?:grpc-metadata-)?x-cosmos-.*|x-content-type-options)$/

/** Asserts the recorded headers, and no others; heights may differ. */
export function assertHeaders(
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, string>>,
): void {
  const watched = (headers: Readonly<Record<string, unknown>>) =>
    Object.entries(headers)
      .filter(([name]) => WATCHED.test(name))
      .map(([name, value]) => [name, plain(String(value))])
      .sort()
  assert.deepEqual(watched(actual), watched(expected))
}

import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** A recorded file of test/vectors. The largest ones are compressed. */
function read(name: string): string {
  const file = new URL(`../vectors/${name}`, import.meta.url)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  return brotliDecompressSync(readFileSync(new URL(`${file}.br`))).toString()
}

export const readJson = <T>(name: string): T => JSON.parse(read(name)) as T

/** Recorded markets, whose router was built from source: it rounds affiliate fees down. */
export const readLines = <T>(name: string): T[] =>
  read(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, knownBuild) as T)

const knownBuild = (key: string, value: unknown): unknown =>
  key === 'router' && typeof value === 'object' && value !== null && 'affiliates' in value
    ? { ...value, affiliate_rounding: 'down' }
    : value

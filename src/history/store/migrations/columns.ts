import type { Flavour } from '../schema.js'

/** Column types of each database. Text compares bytewise in both. */
export type Columns = {
  readonly int: string
  readonly text: string
  readonly bytes: string
  /** Up to 2^128 - 1. */
  readonly amount: string
  /** 18 decimals; zero-padded in SQLite for columns that are sorted. */
  readonly volume: string
  /** Suffix of a table that consists of its key. */
  readonly keyed: string
  /** Suffix of an append-only table: keeps index-only scans of its newest pages possible. */
  readonly growing: string
}

export const columnsOf: Readonly<Record<Flavour, Columns>> = {
  sqlite: {
    int: 'integer',
    text: 'text',
    bytes: 'blob',
    amount: 'text',
    volume: 'text',
    keyed: 'without rowid',
    growing: '',
  },
  postgres: {
    int: 'bigint',
    text: 'text collate "C"',
    bytes: 'bytea',
    amount: 'numeric(39,0)',
    volume: 'numeric(60,0)',
    keyed: '',
    growing:
      'with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000)',
  },
}

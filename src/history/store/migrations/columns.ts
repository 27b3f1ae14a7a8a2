import type { Flavour } from '../schema.js'

/** The types of the columns in each database. Text compares by its bytes in both. */
export type Columns = {
  readonly int: string
  readonly text: string
  readonly bytes: string
  /** Up to 2^128 - 1. */
  readonly amount: string
  /** 18 digits after the point; in SQLite padded with zeros where it is ordered by. */
  readonly volume: string
  /** Ends a table that is nothing but its key. */
  readonly keyed: string
  /** Ends a table that only grows: keeps its newest pages readable from the index alone. */
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

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { type Program, solve } from '../../../../src/engine/splits/optimum/simplex.js'
import { loadSolver, type Solver } from '../linear-program.js'

const MOST_PIVOTS = 1000

/** Columns that move an amount from one row to another, as hops do, over shared capacities. */
const programs = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 12 }))
  .chain(([rows, width]) => {
    const row = fc.integer({ min: 0, max: rows - 1 })
    const share = fc.integer({ min: 1, max: 20 }).map((n) => n / 10)
    return fc.record({
      gain: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: width, maxLength: width }),
      columns: fc.array(
        fc
          .tuple(row, row, share)
          .map(([takes, gives, rate]): [number, number][] => [
            [takes, 1],
            ...(takes === gives ? [] : [[gives, -rate] as [number, number]]),
            [rows, 1],
          ]),
        { minLength: width, maxLength: width },
      ),
      limit: fc
        .array(fc.integer({ min: 0, max: 50 }), { minLength: rows, maxLength: rows })
        .map((limits) => [...limits, 60]),
    })
  })

function textOf({ gain, columns, limit }: Program): string {
  const rows = limit.map((most, i) => {
    const terms = columns.flatMap((column, j) =>
      column.filter(([row]) => row === i).map(([, value]) => `+ ${value} x${j}`),
    )
    return terms.length === 0 ? '' : ` r${i}: ${terms.join(' ')} <= ${most}\n`
  })
  const goal = gain.map((value, j) => `+ ${value} x${j}`).join(' ')
  return `Maximize\n obj: ${goal}\nSubject To\n${rows.join('')}End\n`
}

describe('the simplex method', () => {
  let solver: Solver
  beforeAll(async () => {
    solver = await loadSolver()
  })

  test('finds the optimum of another solver, and its dual prices sum to the same value', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const found = solve(program, MOST_PIVOTS)!
        const { ObjectiveValue } = solver.solve(textOf(program), { presolve: 'off' })
        const paid = program.gain.reduce((sum, gain, j) => sum + gain * found.x[j]!, 0)
        const priced = program.limit.reduce((sum, limit, i) => sum + limit * found.price[i]!, 0)
        assert.ok(Math.abs(paid - ObjectiveValue) < 1e-3, `${paid} is not ${ObjectiveValue}`)
        assert.ok(Math.abs(priced - ObjectiveValue) < 1e-3, `${priced} is not ${ObjectiveValue}`)
      }),
      { numRuns: 60 },
    )
  })

  test('has no solution for an unbounded gain, nor for one beyond the limit of pivots', () => {
    const free: Program = { gain: [1], columns: [[[0, -1]]], limit: [1] }
    assert.equal(solve(free, MOST_PIVOTS), undefined)
    const bounded: Program = { gain: [1], columns: [[[0, 1]]], limit: [1] }
    assert.ok(Math.abs(solve(bounded, 2)!.x[0]! - 1) < 1e-6)
    assert.equal(solve(bounded, 1), undefined)
  })
})

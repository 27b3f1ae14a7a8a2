import type { DemoFault } from '../../../operations/demo-answer.js'
import type { DemoFaultKind } from '../../../operations/demo-port.js'
import { printable } from '../../../platform/printable.js'
import { hanging, unbroken } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'

/** Faults that are on, a line each. */
export const renderFaults = (faults: readonly DemoFault[], style: Style): readonly string[] => {
  const rows = faults.map(({ kind, n, once, until, method, pair }) =>
    [
      n > 0 ? `${kind} ${n}` : kind,
      once ? 'for the next call' : until === null ? 'until switched off' : `until ${until}`,
      ...(method === null ? [] : [`method ${method}`]),
      ...(pair === null ? [] : [`pair ${pair}`]),
    ].map(printable),
  )
  return style.tty
    ? rows.map(([kind = '', ...facts]) => `  ${style.warning(kind)}  ${facts.join(', ')}`)
    : rows.map((row) => row.join('\t'))
}

const groups: readonly (readonly [group: string, title: string])[] = [
  ['connection', 'The connection'],
  ['answer', 'What answers instead'],
  ['batch', 'Ids and batches'],
  ['chain', 'Height and sync status'],
  ['market', 'What contracts answer'],
  ['socket', 'Web sockets'],
  ['execution', 'Transactions'],
]

/** Options are kept whole where the line is wrapped. */
const CALL = [
  'swap demo fail <kind> [number]',
  ...['[--for 30s]', '[--once]', '[--method name]', '[--pair address]'].map(unbroken),
].join(' ')

/** Every way to make the chain fail: a table by group, or tab-separated rows in a pipe. */
export function renderFaultKinds(kinds: readonly DemoFaultKind[], style: Style): string {
  if (!style.tty)
    return kinds
      .map(({ kind, group, number, does, sees }) =>
        [kind, group, number ? `${number.fallback} ${number.meaning}` : '', does, sees].join('\t'),
      )
      .join('\n')
  const columns = [
    { head: 'KIND' },
    { head: 'NUMBER', drop: 1 },
    { head: 'DOES' },
    { head: 'A GOOD CLIENT', drop: 2 },
  ]
  return [
    ...hanging(CALL, style, 0),
    ...groups.flatMap(([group, title]) => {
      const rows = kinds
        .filter((each) => each.group === group)
        .map(({ kind, number, does, sees }) => [
          style.warning(kind),
          number ? `${number.fallback} ${number.meaning}` : '',
          does,
          sees,
        ])
      return ['', style.bold(title), ...table(columns, rows, style)]
    }),
    '',
    'swap demo fail off [kind] ends them.',
  ].join('\n')
}

import * as Type from 'typebox'
import { closedObject, type DocumentOf, orNull, wordOf } from '../document-schema.js'

const Fact = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
type Fact = Type.Static<typeof Fact>

/** The result of one check. */
const Check = closedObject({
  name: Type.String({ description: 'What was checked.' }),
  status: wordOf<'ok' | 'note' | 'fail' | 'skip'>('ok, note, fail or skip'),
  message: Type.String({ description: 'One sentence.' }),
  why: orNull(Type.String({ description: 'The cause.' })),
  do: orNull(Type.String({ description: 'The next step.' })),
  data: Type.Unsafe<Readonly<Record<string, Fact>>>({
    type: 'object',
    patternProperties: { '^.*$': Fact },
    description: 'The facts behind the sentence, for scripts.',
  }),
})
export type Check = DocumentOf<typeof Check>

/** The answer of `swap doctor --json`. */
export const DoctorAnswer = closedObject({
  network: Type.String({ description: 'Name of the network.' }),
  chain_id: Type.String({ description: 'Chain id of the network.' }),
  checks: Type.Array(Check, { description: 'In the order in which they were made.' }),
  failed: Type.Integer({ description: 'Number of failed checks.' }),
  notes: Type.Integer({ description: 'Number of checks that end with a note.' }),
})
export type DoctorAnswer = DocumentOf<typeof DoctorAnswer>

import { type Command, choices } from '../../command.js'

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'Print the JSON Schema of a request or an answer',
  usage: {
    'swap schema': 'which documents there are',
    'swap schema <command>': 'the schemas of its request and its answer',
    'swap schema <command> request|answer': 'one of them alone',
    'swap schema problem': 'the document of an error',
  },
  examples: {
    'swap schema route': 'what --json of swap route prints, member by member',
    'swap schema sroute answer >sroute.schema.json': 'for a validator or a code generator',
  },
  arguments: [
    { form: '[name]', meaning: 'the document', values: ['schema'] },
    { form: '[part]', meaning: 'the part', values: [choices('request', 'answer')] },
  ],
  exit: '0 ok, 2 usage',
  answer: async () => (await import('../command-answers.js')).SchemasAnswer,
  load: async () => (await import('./run.js')).runSchema,
}

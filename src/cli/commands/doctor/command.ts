import { type Command, choices, flag } from '../../command.js'
import { checkNames } from './check-names.js'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check program, configuration, nodes, contracts and market',
  usage: {
    'swap doctor': 'every check',
    'swap doctor <check...>': `some of them: ${checkNames.join(' ')}`,
  },
  examples: {
    'swap doctor': 'every problem with its cause and remedy',
    'swap doctor node contract -n mainnet': 'only these, of the real network',
    'swap doctor --offline': 'without contacting a node',
    'swap doctor --bundle report.json': 'a report to attach, without secrets',
  },
  arguments: [{ form: '[check...]', meaning: 'a check', values: [choices(...checkNames)] }],
  flags: {
    CHECKS: [
      flag('--fix', 'repair what is safe to repair: modes of files, stale locks, caches'),
      flag('--offline', 'only what can be seen without a node'),
      flag('--bundle <file>', 'write a report as well; - writes to standard output'),
    ],
  },
  exit: '0 nothing failed (notes are allowed), 1 something did, 2 usage',
  repairsConfig: true,
  answer: async () => (await import('../../../operations/doctor/doctor-documents.js')).DoctorAnswer,
  load: async () => (await import('./run.js')).runDoctor,
}

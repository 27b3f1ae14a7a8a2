import { type Command, flag } from '../../command.js'
import { DEFAULT_LISTEN, serveFlags } from '../../flags/command-flags.js'

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535
const isHost = (text: string): boolean => /^[\w.-]+$/.test(text)

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serve quotes, prices and history over HTTP',
  usage: `on ${DEFAULT_LISTEN}, until ctrl-c or SIGTERM`,
  examples: {
    'swap serve': 'the demo chain, started if it does not run; a page at /',
    'swap serve --listen 127.0.0.1:0 --json | jq -r .http': 'any free port, for a script',
    'swap serve --snapshot market.json': 'a saved market, which never grows old',
    'swap serve --listen 0.0.0.0:8555 --allow-host swap.example.org': 'for other machines',
  },
  flags: {
    'ADDRESS AND CLIENTS': [
      flag('--listen <address>', `host and port; port 0 takes any (default: ${DEFAULT_LISTEN})`),
      flag('--allow-host <name>', 'answer requests for this host too', { many: true }),
      flag('--cors <origin>', 'allow requests of pages of this origin', { many: true }),
      flag(
        '--rate <n/s>',
        'quotes a second for one address (default: 20/s, and no limit for this machine)',
      ),
      serveFlags.keepAlive,
    ],
    WORK: [
      serveFlags.leastShare,
      serveFlags.maxInflight,
      serveFlags.threads,
      flag('--tape <file>', 'record every block to this tape'),
      flag('--no-index', 'let another process fill the history'),
      flag('--database <where>', 'of the history: postgres://... or a file'),
    ],
    'LOG AND END': [serveFlags.log, serveFlags.drainDelay, serveFlags.grace],
  },
  flagsElsewhere: {
    '--port': ['--listen 127.0.0.1:VALUE', '8555', isPort],
    '--host': ['--listen VALUE:8555', '127.0.0.1', isHost],
    '--bind': ['--listen VALUE:8555', '127.0.0.1', isHost],
    '--address': ['--listen VALUE:8555', '127.0.0.1', isHost],
  },
  exit: '0 ok, 2 usage, 4 the demo chain does not start, 13 the port is taken',
  recordsTape: true,
  answer: async () => (await import('../command-answers.js')).ServeAnswer,
  load: async () => (await import('./run.js')).runServe,
}

import { Agreement, type Verdict } from './agreement.js'
import { byId, html, write } from './dom.js'
import { follow, type Readiness, readJson } from './live.js'
import type { FromWorker, NumberedQuestion, ToWorker } from './messages.js'
import { showPaths, showPrices } from './pictures-view.js'
import {
  addressOf,
  commandOf,
  type Mode,
  type Question,
  readAddress,
  readForm,
  tokensOfAddress,
} from './question.js'
import { fitText, type Moves, showMoves, showQuote, showVerdict } from './quote-view.js'
import type { EngineAnswer } from './quoter.js'
import {
  type HistoryDocument,
  SWAPS,
  showHistory,
  showLoops,
  showService,
  stateText,
} from './side-views.js'
import { coinText, type Names, namesOf, numberText } from './text.js'
import { tokenBox } from './token-box.js'
import type { PageToken } from './tokens.js'

/** Delay in milliseconds after the last key before the question is quoted. */
const TYPING_MS = 250
/** Polling interval of the history, in milliseconds. */
const HISTORY_MS = 5_000
/** Blocks in the line of moves. */
const MOVES = 60

const amount = byId<HTMLInputElement>('amount')
const worker = new Worker(new URL('quote-worker.js', import.meta.url), { type: 'module' })
const send = (message: ToWorker): void => worker.postMessage(message)

let tokens: readonly PageToken[] = []
let names: Names = namesOf(tokens)
let market: Extract<FromWorker, { kind: 'market' }> | undefined
let arrived = 0
let asked: NumberedQuestion | undefined
let quoted: EngineAnswer | undefined
let prices: Extract<FromWorker, { kind: 'prices' }> | undefined
let moves: Moves = []
let readiness: Readiness | undefined
let version = ''
let historyAt = Number.NEGATIVE_INFINITY
let isNewQuestion = false
let lastId = 0
const agreement = new Agreement()

const from = tokenBox(byId('from'), 'Token that you sell', () => ask())
const to = tokenBox(byId('to'), 'Token that you get', () => ask())

const modeOf = (): Mode =>
  new FormData(byId<HTMLFormElement>('form')).get('mode') === 'route' ? 'route' : 'sroute'

/** Quotes the form's question, unless it is the current one. */
function ask(): void {
  const state = { mode: modeOf(), typed: amount.value, from: from.token, to: to.token }
  const question = readForm(state)
  const isFault = 'fault' in question
  amount.setAttribute('aria-invalid', `${isFault && from.token !== to.token}`)
  if (!isFault && isSame(question, asked?.question)) return
  if (isFault) {
    asked = undefined
    clear(tokens.length === 0 ? '' : question.fault)
  } else {
    lastId += 1
    asked = { id: lastId, question }
    moves = []
    isNewQuestion = true
    document.body.dataset['quote'] = 'pending'
    write(byId('said'), '')
    write(byId('command'), commandOf(question, state.typed))
    history.replaceState(null, '', addressOf(state))
  }
  agreement.clear()
  prices = undefined
  showVerdict({ kind: 'waiting' }, '', names)
  send({ kind: 'question', asked })
  followQuestion(asked)
}

const isSame = (a: Question, b: Question | undefined): boolean =>
  a.mode === b?.mode && a.from === b.from && a.to === b.to && a.atomics === b.atomics

/** Shows that there is no quote, because of a fault of the form. */
function clear(fault: string): void {
  quoted = undefined
  document.body.dataset['quote'] = 'none'
  for (const id of ['amount-note', 'said']) write(byId(id), fault)
  write(byId('result-note'), '')
  byId('result').replaceChildren(html('span', { class: 'faint' }, '0'))
  for (const id of ['facts', 'move']) byId(id).replaceChildren()
  byId('problem').hidden = true
}

const followQuestion = follow({
  market: (text) => send({ kind: 'market', text }),
  answered(id, side) {
    if (id === asked?.id) showComparison(agreement.addThere(side))
  },
  readiness(document) {
    readiness = document
    showState()
    // The market has the names and decimals of the tokens.
    if (market !== undefined && performance.now() - historyAt > HISTORY_MS) void readHistory()
  },
})

function showComparison(verdict: Verdict): void {
  if (asked === undefined) return
  const { to: bought } = asked.question
  showVerdict(verdict, bought, names)
  if (verdict.kind === 'waiting' || !isNewQuestion) return
  // Announced once a question: announcing every block would never let a screen reader finish.
  isNewQuestion = false
  const { expected } = verdict.here
  const got =
    expected === undefined
      ? 'No quote'
      : `You get ${coinText({ denom: bought, amount: `${expected}` }, names)}`
  const agrees = verdict.kind === 'agree' ? 'The service agrees.' : ''
  const { hidden, innerText } = byId('problem')
  const problem = hidden ? '' : innerText
  write(byId('said'), `${got} at block ${verdict.height}. ${agrees} ${problem}`.trim())
}

worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
  if (data.kind === 'market') takeMarket(data)
  if (data.kind === 'quote' && data.id === asked?.id) takeQuote(data.quoted)
  if (data.kind === 'prices' && data.id === asked?.id) {
    prices = data
    drawPrices()
  }
  if (data.kind === 'loops') showLoops(data.loops, names)
  if (data.kind === 'failed') showFailure(data.message)
})
worker.addEventListener('error', ({ message }) => showFailure(message))

const showFailure = (message: string): void =>
  write(byId('alarm'), `The page cannot compute quotes: ${message || 'its worker did not start'}`)

function takeMarket(next: Extract<FromWorker, { kind: 'market' }>): void {
  const isFirst = market === undefined
  market = next
  arrived = performance.now()
  tokens = next.tokens
  names = namesOf(tokens)
  from.offer(tokens)
  to.offer(tokens)
  showState()
  if (!isFirst) return
  void readHistory()
  restore()
  ask()
}

/** Fills the form from the address. */
function restore(): void {
  const { typed, mode, ...names } = readAddress(location.hash)
  const chosen = tokensOfAddress(tokens, names)
  from.choose(chosen.from)
  to.choose(chosen.to)
  if (typed !== '') amount.value = typed
  fitText(amount)
  const radio = document.querySelector<HTMLInputElement>(
    `input[name=mode][value="${mode === 'route' ? 'route' : 'sroute'}"]`,
  )
  if (radio !== null) radio.checked = true
}

function takeQuote(next: EngineAnswer): void {
  if (asked === undefined) return
  quoted = next
  document.body.dataset['quote'] = next.answer.kind === 'refused' ? 'none' : 'shown'
  const { from: sold, to: bought } = asked.question
  showQuote({ quoted, from: sold, to: bought, names })
  const { height, expected } = next.side
  if (expected !== undefined && height !== moves.at(-1)?.height)
    moves = [...moves, { height, expected }].slice(-MOVES)
  showMoves(expected === undefined ? [] : moves, bought, names)
  drawPaths()
  showComparison(agreement.addHere(next.side))
}

function drawPaths(): void {
  if (asked === undefined || quoted === undefined) return
  const { answer } = quoted
  if (answer.kind !== 'refused') showPaths(answer, asked.question.to, names)
}

function drawPrices(): void {
  if (asked === undefined || quoted === undefined || prices === undefined) return
  const { answer } = quoted
  if (answer.kind === 'refused') return
  const { question } = asked
  showPrices({
    points: prices.points,
    amount: `${question.atomics}`,
    price: answer.document.routes[0]!.price,
    isSplit: answer.kind === 'sroute' && answer.document.routes[0]!.legs.length > 1,
    from: question.from,
    to: question.to,
    names,
  })
}

/** Shows the block with its age, and the state of the service. */
function showState(): void {
  const [pill, text] = [byId('block'), byId('block-text')]
  if (market === undefined) {
    write(text, readiness === undefined ? 'connecting' : stateText(readiness))
    return
  }
  const isReady = readiness?.ready === true
  const state = isReady ? 'live' : 'bad'
  document.body.dataset['service'] = state
  pill.dataset['state'] = state
  const seconds = Math.floor((performance.now() - arrived) / 1_000)
  const remark = isReady ? `${seconds} s ago` : stateText(readiness)
  const { network, height, open: pairs, excluded } = market
  write(text, `${network} · block ${numberText(height)} · ${remark}`)
  showService({ readiness, version, network, pairs, excluded })
}

async function readHistory(): Promise<void> {
  historyAt = performance.now()
  showHistory(await readJson<HistoryDocument>(`history?limit=${SWAPS}`), names)
}

let typing: ReturnType<typeof setTimeout> | undefined
const form = byId<HTMLFormElement>('form')
form.addEventListener('submit', (event) => {
  event.preventDefault()
  ask()
})
form.addEventListener('change', () => ask())
amount.addEventListener('input', () => {
  fitText(amount)
  clearTimeout(typing)
  typing = setTimeout(ask, TYPING_MS)
})
byId('turn').addEventListener('click', () => {
  const [sold, bought] = [from.token, to.token]
  from.choose(bought)
  to.choose(sold)
  ask()
})
byId('skip').addEventListener('click', (event) => {
  // The address holds the form.
  event.preventDefault()
  byId('result').focus()
})
addEventListener('hashchange', () => {
  restore()
  ask()
})
setInterval(showState, 1_000)
let drawnWidth = innerWidth
addEventListener('resize', () => {
  if (innerWidth === drawnWidth) return
  drawnWidth = innerWidth
  fitText(amount)
  fitText(byId('result'))
  drawPaths()
  drawPrices()
})
void readJson<{ readonly version: string; readonly commit: string }>('version').then((document) => {
  if (document !== undefined) version = `swap ${document.version} (${document.commit})`
})

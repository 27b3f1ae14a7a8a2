import { html } from './dom.js'
import { type PageToken, searchTokens, tokenNamed } from './tokens.js'

/** A box in which a token is searched and chosen. */
type TokenBox = {
  readonly token: PageToken | undefined
  /** The tokens to choose from. The chosen one stays chosen. */
  offer(tokens: readonly PageToken[]): void
  choose(token: PageToken | undefined): void
}

/**
 * Makes a search box of an empty element: a combobox with a list, as the ARIA patterns describe it.
 *
 * @param changed called when the user has chosen another token
 */
export function tokenBox(host: HTMLElement, label: string, changed: () => void): TokenBox {
  const listId = `${host.id}-list`
  const input = html('input', {
    type: 'text',
    id: `${host.id}-token`,
    role: 'combobox',
    'aria-label': label,
    'aria-expanded': 'false',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
  const list = html('ul', { id: listId, role: 'listbox', 'aria-label': label, hidden: true })
  host.append(input, list)
  let tokens: readonly PageToken[] = []
  let found: readonly PageToken[] = []
  let chosen: PageToken | undefined
  let active = -1

  const isOpen = () => !list.hidden
  const show = (text: string): void => {
    found = searchTokens(tokens, text)
    active = Math.max(
      0,
      found.findIndex(({ denom }) => denom === chosen?.denom),
    )
    list.replaceChildren(
      ...(found.length === 0
        ? [html('li', { class: 'none' }, 'No such token')]
        : found.map(option)),
    )
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    mark()
  }
  const option = ({ denom, label: name, name: long }: PageToken, i: number): HTMLLIElement => {
    const item = html(
      'li',
      { id: `${listId}-${i}`, role: 'option', 'aria-selected': `${denom === chosen?.denom}` },
      html('b', {}, name),
      html('span', {}, long),
    )
    // Before the box loses the focus.
    item.addEventListener('pointerdown', (event) => event.preventDefault())
    item.addEventListener('click', () => take(found[i]))
    return item
  }
  const mark = (): void => {
    for (const [i, item] of [...list.children].entries())
      item.classList.toggle('active', i === active)
    const item = found.length > 0 ? list.children[active] : undefined
    if (item === undefined) input.removeAttribute('aria-activedescendant')
    else {
      input.setAttribute('aria-activedescendant', item.id)
      item.scrollIntoView({ block: 'nearest' })
    }
  }
  const hide = (): void => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    input.value = chosen?.label ?? ''
  }
  const take = (token: PageToken | undefined): void => {
    const isNew = token !== undefined && token.denom !== chosen?.denom
    if (token !== undefined) chosen = token
    hide()
    if (isNew) changed()
  }
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowDown: (event) => move(event, 1),
    ArrowUp: (event) => move(event, -1),
    Enter(event) {
      event.preventDefault()
      if (isOpen()) take(found[active])
    },
    Escape: () => hide(),
  }
  const move = (event: KeyboardEvent, by: number): void => {
    event.preventDefault()
    if (!isOpen()) {
      show('')
      return
    }
    if (found.length > 0) active = (active + by + found.length) % found.length
    mark()
  }
  input.addEventListener('keydown', (event) => keys[event.key]?.(event))
  input.addEventListener('input', () => show(input.value))
  input.addEventListener('click', () => {
    if (isOpen()) return
    input.select()
    show('')
  })
  input.addEventListener('blur', () => take(isOpen() ? tokenNamed(tokens, input.value) : undefined))
  return {
    get token() {
      return chosen
    },
    offer(offered) {
      tokens = offered
      chosen = offered.find(({ denom }) => denom === chosen?.denom) ?? chosen
      if (!isOpen() && document.activeElement !== input) input.value = chosen?.label ?? ''
    },
    choose(token) {
      chosen = token
      hide()
    },
  }
}

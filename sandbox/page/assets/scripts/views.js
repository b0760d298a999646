/** Which parts of the page are in sight: on a phone the list or the conversation, and the panel as column or drawer. */
import { byId } from './dom.js';

/** The same widths as in layout.css. */
const NARROW = matchMedia('(width < 720px)');
const PANEL_IS_COLUMN = matchMedia('(width >= 1180px)');

/** Wires the panel and the phone's navigation; the browser's back button leaves a conversation too. */
export function wireViews() {
  const app = byId('app');
  const panel = byId('panel');
  let opener;

  function showPanel(isShown) {
    app.dataset.panel = isShown ? 'open' : 'closed';
    panel.inert = !isShown;
    for (const button of document.querySelectorAll('[data-opens-panel]'))
      button.setAttribute('aria-expanded', String(isShown));
    const isDrawer = isShown && !PANEL_IS_COLUMN.matches;
    for (const part of app.querySelectorAll('.sidebar, .conversation')) part.inert = isDrawer;
  }

  function closePanel() {
    if (app.dataset.panel !== 'open') return;
    showPanel(false);
    opener?.focus();
  }

  for (const button of document.querySelectorAll('[data-opens-panel]')) {
    button.addEventListener('click', () => {
      if (app.dataset.panel === 'open') return closePanel();
      opener = button;
      showPanel(true);
      byId('panel-close').focus();
    });
  }
  byId('panel-close').addEventListener('click', closePanel);
  byId('scrim').addEventListener('click', closePanel);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !PANEL_IS_COLUMN.matches) closePanel();
  });
  PANEL_IS_COLUMN.addEventListener('change', () => showPanel(PANEL_IS_COLUMN.matches));
  showPanel(PANEL_IS_COLUMN.matches);

  const show = (view) => {
    app.dataset.view = view;
  };
  // After a reload the entry in the history still says what it showed.
  show(history.state?.view ?? 'list');
  byId('back').addEventListener('click', () => history.back());
  addEventListener('popstate', () => {
    show(history.state?.view ?? 'list');
    if (NARROW.matches && app.dataset.view === 'list')
      document.querySelector('.chat-item[aria-current]')?.focus();
  });

  return {
    /** Shows the conversation; on a phone it covers the list. */
    openConversation() {
      if (app.dataset.view === 'conversation') return;
      history.pushState({ view: 'conversation' }, '');
      show('conversation');
    },
  };
}

/** The sandbox's own controls: what was paid, what shall fail, and what is real here. */
import { act } from './api.js';
import { byId, element } from './dom.js';
import { attempt } from './notices.js';
import { textNodes } from './script-runs.js';
import { switchRow } from './sheet-parts.js';

const REAL = [
  [
    'The bot',
    'is the real one: the program that runs for real, told by its environment alone where Telegram is.',
  ],
  ['Telegram', 'is local: a strict copy of its Bot API on this machine, with made-up people and groups.'],
  ['Reading', 'is real: tesseract, with its Tibetan and Chinese models. It errs where tesseract errs.'],
  [
    'Speech',
    'is espeak-ng in Mandarin. For Tibetan it reads phonetics, so it shows that speech works, not how it should sound.',
  ],
  [
    'Translation',
    'is a small phrasebook. What it does not know it glosses, and labels so. It is no measure of the service.',
  ],
  ['Money', 'is only counted here: 0.40 yuan a call, as the service would charge. Nothing is paid.'],
];

const KINDS = { recognition: 'Reading', translation: 'Translation', speech: 'Speech', token: 'Token' };

const inYuan = (amount) => `¥${amount.toFixed(2)}`;

function section(title, ...content) {
  return element('section', { class: 'panel-section' }, element('h3', {}, title), ...content);
}

function counter({ calls, yuan, byKind }) {
  return element(
    'div',
    { class: 'counter', 'data-testid': 'counter', 'data-calls': calls, 'data-yuan': yuan },
    element(
      'p',
      { class: 'counter-total' },
      element('strong', {}, inYuan(yuan)),
      element('span', {}, calls === 1 ? '1 call' : `${calls} calls`),
    ),
    element(
      'dl',
      {},
      Object.entries(byKind).map(([kind, count]) =>
        element(
          'div',
          { 'data-testid': `counter-${kind}`, 'data-calls': count },
          element('dt', {}, KINDS[kind] ?? kind),
          element('dd', {}, String(count)),
        ),
      ),
    ),
  );
}

function faultChoice(service) {
  return element(
    'label',
    { class: 'fault', 'data-set': service.current !== null },
    element('span', {}, KINDS[service.kind] ?? service.kind),
    element(
      'select',
      {
        'data-testid': `fault-${service.kind}`,
        onchange: ({ currentTarget }) =>
          attempt(() => act('setFaults', { kind: service.kind, fault: currentTarget.value || null })),
      },
      element('option', { value: '', selected: service.current === null }, 'works'),
      service.options.map(({ id, label }) =>
        element('option', { value: id, selected: id === service.current }, label),
      ),
    ),
  );
}

function telegramSwitch(name, label, hint, isOn) {
  const set = (on) => attempt(() => act('setFaults', { [name]: on }));
  return switchRow(`telegram-${name}`, label, hint, { isOn, set });
}

function faultControls(faults) {
  return [
    section(
      'Let the service fail',
      element('p', { class: 'hint' }, 'Every call of a kind, until you set it back.'),
      faults.service.map(faultChoice),
    ),
    section(
      'Let Telegram fail',
      telegramSwitch(
        'slow',
        'Slow',
        'Every call of the bot takes a second and a half.',
        faults.telegram.slow,
      ),
      telegramSwitch(
        'flood',
        'Flood limits',
        'As Telegram has them: a message a second in a chat, twenty a minute in a group; else “Too Many Requests”.',
        faults.telegram.flood,
      ),
    ),
  ];
}

function limits() {
  return section(
    'Try limits and access',
    element('p', { class: 'hint' }, 'They are set when the sandbox starts, for instance:'),
    element('p', {}, element('code', {}, 'ACCESS=members DAILY_CALLS_PER_USER=5 npm run sandbox')),
    element(
      'p',
      { class: 'hint' },
      'Also DAILY_CALLS_PER_GROUP and DAILY_BUDGET_YUAN. Tenzin is the bot’s admin, whom no limit stops: be somebody else.',
    ),
  );
}

function reality() {
  return section(
    'What is real here',
    element(
      'dl',
      { class: 'reality' },
      REAL.map(([name, words]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, textNodes(words))),
      ),
    ),
  );
}

const isFailing = (faults) =>
  faults.service.some((service) => service.current !== null) || faults.telegram.slow || faults.telegram.flood;

/** Wires the panel to what was paid and to the switches as they stand. */
export function wirePanel(state) {
  const money = section('Paid calls');
  const controls = element('div', { class: 'fault-controls' });
  byId('panel-body').append(money, controls, limits(), reality());

  const renderPaid = () => {
    money.replaceChildren(element('h3', {}, 'Paid calls'), counter(state.paid));
    byId('counter-chip').textContent = inYuan(state.paid.yuan);
    byId('panel-toggle').setAttribute('aria-label', `Sandbox controls, ${inYuan(state.paid.yuan)} spent`);
  };
  const renderFaults = () => {
    const focused = controls.contains(document.activeElement)
      ? document.activeElement.dataset.testid
      : undefined;
    controls.replaceChildren(...faultControls(state.faults));
    if (focused !== undefined) controls.querySelector(`[data-testid="${focused}"]`)?.focus();
    byId('panel-toggle').dataset.failing = String(isFailing(state.faults));
  };
  for (const type of ['loaded', 'paid']) state.addEventListener(type, renderPaid);
  for (const type of ['loaded', 'faults']) state.addEventListener(type, renderFaults);
}

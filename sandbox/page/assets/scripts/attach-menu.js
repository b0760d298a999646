/** The attach menu: photos, videos and files from this computer, the sample photos, and kinds that need no file. */
import { byId, element, icon } from './dom.js';
import { sampleButton } from './sample-button.js';

const OTHERS = [
  ['sticker', 'Sticker'],
  ['contact', 'Contact'],
  ['location', 'Location'],
  ['poll', 'Poll'],
  ['checklist', 'Checklist'],
  ['rich', 'Rich post'],
];

/** Wires the menu to the composer. */
export function wireAttachMenu(state, composer) {
  const menu = byId('attach-menu');
  const photos = byId('photo-input');
  const files = byId('file-input');
  const then = (action) => () => {
    menu.hidePopover();
    action();
  };
  const entry = (name, label, testId, action) =>
    element(
      'button',
      { type: 'button', class: 'menu-item', 'data-testid': testId, onclick: then(action) },
      icon(name),
      label,
    );

  state.addEventListener('loaded', () => {
    menu.replaceChildren(
      entry('photo', 'Photos and videos', 'attach-photo', () => photos.click()),
      entry('file', 'Files', 'attach-file', () => files.click()),
      element('p', { class: 'menu-label' }, 'Samples'),
      element(
        'div',
        { class: 'samples' },
        state.samples.map((sample) =>
          sampleButton(sample, (name) => then(() => composer.sendSample(name))(), 'menu-sample'),
        ),
      ),
      element('p', { class: 'menu-label' }, 'Something else'),
      element(
        'div',
        { class: 'menu-others' },
        OTHERS.map(([kind, label]) =>
          element(
            'button',
            {
              type: 'button',
              class: 'sentence',
              'data-testid': `send-${kind}`,
              onclick: then(() => composer.sendOther(kind)),
            },
            label,
          ),
        ),
      ),
    );
  });

  const take = (input, asFile) => () => {
    composer.attach([...input.files], asFile);
    input.value = '';
  };
  photos.addEventListener('change', take(photos, false));
  files.addEventListener('change', take(files, true));
}

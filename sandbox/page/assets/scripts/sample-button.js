/** The samples as buttons: in the attach menu, and in an empty chat. */
import { element } from './dom.js';

/** The picture and name of a sample as a button; a press sends it. */
export function sampleButton(sample, onPick, testId) {
  const shown = { src: `samples/${sample.preview ?? sample.file}`, width: 120, height: 80 };
  return element(
    'button',
    {
      type: 'button',
      class: 'sample',
      'data-testid': testId,
      'data-sample': sample.name,
      onclick: () => onPick(sample.name),
    },
    sample.film
      ? element('video', { ...shown, muted: '', preload: 'auto' })
      : element('img', { ...shown, alt: '' }),
    element('span', {}, sample.label),
  );
}

/** The sample photos as buttons: in the attach menu, and in an empty chat. */
import { element } from './dom.js';

/** The picture and name of a sample photo as a button; a press sends it. */
export function sampleButton(sample, onPick, testId) {
  return element(
    'button',
    {
      type: 'button',
      class: 'sample',
      'data-testid': testId,
      'data-sample': sample.name,
      onclick: () => onPick(sample.name),
    },
    element('img', { src: `api/samples/${sample.name}`, alt: '', width: 120, height: 80 }),
    element('span', {}, `${sample.label} photo`),
  );
}

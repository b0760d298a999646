/** What a message carries besides text: photos, files, sound, and the kinds that the sandbox only names. */
import { element, icon } from './dom.js';
import { fileUrl } from './file-url.js';
import { openLightbox } from './lightbox.js';
import { audioFile, voiceNote } from './player.js';
import { textNodes } from './script-runs.js';
import { fileSize, kindWord } from './wording.js';

const PICTURES = {
  sticker: '🧿',
  video: '🎬',
  video_note: '🎬',
  contact: '👤',
  location: '📍',
  poll: '📊',
  dice: '🎲',
  animation: '🎞️',
};

function photo(sizes) {
  const largest = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  const source = fileUrl(largest.file_id);
  return element(
    'button',
    {
      type: 'button',
      class: 'photo',
      'aria-label': 'Photo, enlarge',
      'data-testid': 'photo',
      onclick: () => openLightbox(source, 'Photo'),
    },
    element('img', { src: source, width: largest.width, height: largest.height, alt: '', loading: 'lazy' }),
  );
}

function documentLink(file) {
  const name = file.file_name ?? 'file';
  return element(
    'a',
    { class: 'document', href: fileUrl(file.file_id), download: name, 'data-testid': 'document' },
    element('span', { class: 'document-icon' }, icon('file')),
    element(
      'span',
      { class: 'document-words' },
      element('span', { class: 'document-name' }, textNodes(name)),
      element(
        'span',
        { class: 'document-size' },
        fileSize(file.file_size),
        element('span', { class: 'visually-hidden' }, ', download'),
      ),
    ),
  );
}

/** The node for a message's attachment; `undefined` for a message of text alone. */
export function attachment(message) {
  if (message.photo !== undefined) return photo(message.photo);
  if (message.voice !== undefined) return voiceNote(message.voice);
  if (message.audio !== undefined) return audioFile(message.audio);
  if (message.document !== undefined) return documentLink(message.document);
  const kind = kindWord(message);
  if (kind === undefined) return undefined;
  const field = Object.keys(PICTURES).find((name) => message[name] !== undefined);
  const picture = message.sticker?.emoji ?? PICTURES[field];
  return element('p', { class: 'other-kind' }, element('span', { 'aria-hidden': 'true' }, picture), kind);
}

/** What a message carries besides text: photos, videos, files, sound, and the kinds that the sandbox only names. */
import { element, icon } from './dom.js';
import { fileUrl, playFrom } from './file-url.js';
import { openLightbox } from './lightbox.js';
import { audioFile, voiceNote } from './player.js';
import { textNodes } from './script-runs.js';
import { fileSize, kindWord } from './wording.js';

/** The kinds that are only named, each with its icon. */
const NAMED = ['sticker', 'contact', 'location', 'poll', 'dice'];

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
  for (const field of ['animation', 'video', 'video_note'])
    if (message[field] !== undefined) return video(message[field], field, kindWord(message));
  if (message.document !== undefined) return documentLink(message.document);
  const field = NAMED.find((name) => message[name] !== undefined);
  return field && named(field, kindWord(message), message.sticker?.emoji);
}

/** A kind of content by its sign and its name. */
function named(field, kind, emoji) {
  const sign = emoji === undefined ? icon(field) : textNodes(emoji);
  return element('p', { class: 'other-kind' }, element('span', { 'aria-hidden': 'true' }, sign), kind);
}

/** A player; what this browser cannot play is only named. */
function video({ file_id, width, height, file_name }, field, kind) {
  const player = element('video', {
    class: 'video',
    width,
    height,
    playsinline: true,
    controls: field !== 'animation',
    'aria-label': file_name ?? kind,
    'data-testid': 'video',
  });
  if (field === 'animation') Object.assign(player, { muted: true, loop: true, autoplay: true });
  player.addEventListener('error', () => player.replaceWith(named(field, kind)));
  playFrom(player, file_id);
  return player;
}

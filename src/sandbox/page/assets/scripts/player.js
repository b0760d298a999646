/** Voice notes and audio files with the browser's own player; only one of them plays at a time. */

import { element } from './dom.js';
import { fileUrl } from './file-url.js';
import { clock } from './wording.js';

let playing;

function onlyThis({ currentTarget }) {
  if (playing !== undefined && playing !== currentTarget) playing.pause();
  playing = currentTarget;
}

function player(fileId, label) {
  return element('audio', {
    controls: true,
    preload: 'metadata',
    controlslist: 'nodownload noplaybackrate',
    src: fileUrl(fileId),
    'aria-label': label,
    'data-testid': 'audio',
    onplay: onlyThis,
  });
}

/** The player for a `voice` message, with the length that the bot told. */
export function voiceNote(voice) {
  return element(
    'div',
    { class: 'player' },
    element(
      'p',
      { class: 'player-label' },
      'Voice note',
      element('span', { class: 'player-length' }, clock(voice.duration)),
    ),
    player(voice.file_id, `Voice note, ${clock(voice.duration)}`),
  );
}

/** The player for an `audio` message: title and performer, else the file's name. */
export function audioFile(audio) {
  const title = [audio.title, audio.performer].filter(Boolean).join(' — ') || audio.file_name || 'Audio';
  return element(
    'div',
    { class: 'player' },
    element(
      'p',
      { class: 'player-label' },
      title,
      element('span', { class: 'player-length' }, clock(audio.duration)),
    ),
    player(audio.file_id, `${title}, ${clock(audio.duration)}`),
  );
}

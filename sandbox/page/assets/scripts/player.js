/** Voice notes and audio files: a button, the wave of the sound to seek in, the time; only one plays at a time. */
import { element, icon } from './dom.js';
import { fileUrl, playFrom } from './file-url.js';
import { waveform } from './waveform.js';
import { clock } from './wording.js';

let playing;

/** A slider over the wave: the keyboard and screen readers seek with it, too. */
function seeker(audio, label, seconds) {
  const slider = element('input', {
    type: 'range',
    class: 'seek',
    min: 0,
    max: Math.max(seconds, 0.1),
    step: 'any',
    value: 0,
    'aria-label': label,
    oninput: () => {
      audio.currentTime = Number(slider.value);
    },
  });
  return slider;
}

function player(fileId, seconds, label) {
  const audio = element('audio', {});
  playFrom(audio, fileId);
  const time = element('span', { class: 'player-time' }, clock(seconds));
  const slider = seeker(audio, label, seconds);
  const wave = waveform(fileUrl(fileId));
  const toggle = element(
    'button',
    {
      type: 'button',
      class: 'play',
      'aria-label': `Play ${label}`,
      'data-testid': 'play',
      onclick: () => (audio.paused ? audio.play() : audio.pause()),
    },
    icon('play'),
  );

  const length = () => (Number.isFinite(audio.duration) ? audio.duration : seconds);
  function show() {
    const part = length() > 0 ? audio.currentTime / length() : 0;
    slider.value = String(audio.currentTime);
    wave.fill(audio.ended ? 0 : part);
    const isFresh = audio.currentTime === 0 || audio.ended;
    time.textContent = isFresh ? clock(length()) : `${clock(audio.currentTime)} / ${clock(length())}`;
    slider.setAttribute('aria-valuetext', time.textContent);
  }
  function showState() {
    toggle.replaceChildren(icon(audio.paused ? 'play' : 'pause'));
    toggle.setAttribute('aria-label', `${audio.paused ? 'Play' : 'Pause'} ${label}`);
    show();
    if (audio.paused) return;
    requestAnimationFrame(follow);
  }
  function follow() {
    show();
    if (!audio.paused && audio.isConnected) requestAnimationFrame(follow);
  }
  audio.addEventListener('play', () => {
    if (playing !== undefined && playing !== audio) playing.pause();
    playing = audio;
  });
  for (const type of ['play', 'pause', 'ended']) audio.addEventListener(type, showState);
  audio.addEventListener('seeked', show);
  audio.addEventListener('loadedmetadata', () => {
    slider.max = String(length());
    show();
  });
  return [
    toggle,
    element('div', { class: 'player-line' }, wave.node, slider, element('p', { class: 'player-foot' }, time)),
    audio,
  ];
}

/** The player for a `voice` message, with the length that the bot told. */
export function voiceNote(voice) {
  return element(
    'div',
    { class: 'player', 'data-testid': 'audio' },
    player(voice.file_id, voice.duration, `voice note, ${clock(voice.duration)}`),
  );
}

/** The player for an `audio` message: title and performer, else the file's name. */
export function audioFile(audio) {
  const title = [audio.title, audio.performer].filter(Boolean).join(' — ') || audio.file_name || 'Audio';
  return element(
    'div',
    { class: 'player', 'data-testid': 'audio' },
    element('p', { class: 'player-label' }, title),
    player(audio.file_id, audio.duration, `${title}, ${clock(audio.duration)}`),
  );
}

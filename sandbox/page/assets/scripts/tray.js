/** The pictures and files that wait in the composer until they are sent. */
import { byId, element, icon } from './dom.js';
import { videoFrame } from './video-frame.js';

/** Telegram sends at most ten in one album. */
const ALBUM = 10;

const isVideo = (file) => file.type.startsWith('video/');
const isSeen = (file) => file.type.startsWith('image/') || isVideo(file);

function preview(file) {
  if (!isSeen(file)) return element('span', { class: 'tray-file' }, icon('file'), file.name);
  const source = URL.createObjectURL(file);
  return isVideo(file)
    ? element('video', { src: source, muted: true, preload: 'metadata', 'aria-label': file.name })
    : element('img', { src: source, alt: file.name });
}

const previews = new WeakMap();

/** The same node each time: a picture that is still loading must not lose its address. */
function previewOf(file) {
  if (!previews.has(file)) previews.set(file, preview(file));
  return previews.get(file);
}

/** `onChange` is called when something comes or goes. */
export function createTray(onChange) {
  const asFile = byId('as-file');
  let files = [];

  function render() {
    byId('tray-items').replaceChildren(
      ...files.map((file, at) =>
        element(
          'li',
          { class: 'tray-item', 'data-testid': 'tray-item' },
          previewOf(file),
          element(
            'button',
            {
              type: 'button',
              class: 'tray-remove',
              'aria-label': `Remove ${file.name}`,
              onclick: () => remove(at),
            },
            icon('close'),
          ),
        ),
      ),
    );
    byId('tray').hidden = files.length === 0;
    onChange();
  }

  function remove(at) {
    files = files.filter((_, index) => index !== at);
    render();
  }

  return {
    add(added, sendAsFile = false) {
      files = [...files, ...added].slice(0, ALBUM);
      if (sendAsFile || !files.every(isSeen)) asFile.checked = true;
      render();
    },
    clear() {
      files = [];
      asFile.checked = false;
      render();
    },
    isEmpty: () => files.length === 0,
    /** Remembers what is here now; the function given back puts it here again. */
    contents() {
      const [then, asFileThen] = [files, asFile.checked];
      return () => this.add(then, asFileThen);
    },
    /** The form to upload, with `fields` as what is said about the files. */
    async form(fields) {
      const sent = files;
      const isUncompressed = asFile.checked;
      const videos = await Promise.all(sent.map(videoFrame));
      // A video that cannot be played can only go out as a file, and then so do those beside it.
      const isUnknown = sent.some((file, at) => isVideo(file) && videos[at] === null);
      const form = new FormData();
      form.set('about', JSON.stringify({ ...fields, asFile: isUncompressed || isUnknown, videos }));
      for (const file of sent) form.append('file', file, file.name);
      return form;
    },
  };
}

/** The pictures and files that wait in the composer until they are sent. */
import { byId, element, icon } from './dom.js';

/** Telegram sends at most ten in one album. */
const ALBUM = 10;

/** `onChange` is called when something comes or goes. */
export function createTray(onChange) {
  const asFile = byId('as-file');
  let files = [];

  function render() {
    const items = byId('tray-items');
    for (const image of items.querySelectorAll('img')) URL.revokeObjectURL(image.src);
    items.replaceChildren(
      ...files.map((file, at) =>
        element(
          'li',
          { class: 'tray-item', 'data-testid': 'tray-item' },
          file.type.startsWith('image/')
            ? element('img', { src: URL.createObjectURL(file), alt: file.name })
            : element('span', { class: 'tray-file' }, icon('file'), file.name),
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
      if (sendAsFile || files.some((file) => !file.type.startsWith('image/'))) asFile.checked = true;
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
    /** The form to upload: the plain fields first, since the server reads them in order. */
    form(fields) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields))
        if (value !== undefined && value !== '') form.set(name, String(value));
      form.set('asFile', String(asFile.checked));
      for (const file of files) form.append('file', file, file.name);
      return form;
    },
  };
}

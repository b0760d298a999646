/** Shows one photo large; Escape, its button or a click beside it close it. */
import { byId } from './dom.js';

/** Shows the picture at this address, described for those who do not see it. */
export function openLightbox(source, description) {
  const image = byId('lightbox-image');
  image.src = source;
  image.alt = description;
  byId('lightbox').showModal();
}

/** Closes the lightbox on a click outside the picture; the native dialog does the rest. */
export function wireLightbox() {
  const dialog = byId('lightbox');
  dialog.addEventListener('click', (event) => {
    if (event.target !== byId('lightbox-image')) dialog.close();
  });
}

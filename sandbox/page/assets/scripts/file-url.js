/** Where the page's server gives a file out. */

/** The address of the file with this id. */
export function fileUrl(fileId) {
  return `api/files/${encodeURIComponent(fileId)}`;
}

/** Addresses of files that the page has as a whole, by their ids. */
const whole = new Map();

/** Gives a player the whole file: a browser seeks freely in what it has. */
export async function playFrom(player, fileId) {
  if (!whole.has(fileId))
    whole.set(
      fileId,
      fetch(fileUrl(fileId))
        .then((response) => response.blob())
        .then((blob) => URL.createObjectURL(blob)),
    );
  player.src = await whole.get(fileId).catch(() => '');
}

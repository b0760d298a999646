/** Where the page's server gives a file out. */

/** The address of the file with this id. */
export function fileUrl(fileId) {
  return `api/files/${encodeURIComponent(fileId)}`;
}

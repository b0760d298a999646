/** Where the page's server gives a file out. */

export function fileUrl(fileId) {
  return `api/files/${encodeURIComponent(fileId)}`;
}

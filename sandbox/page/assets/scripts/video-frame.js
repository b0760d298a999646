/** What a client tells Telegram about a video that it sends. */

/** Longest wait for a file to say what it is, ms. */
const PATIENCE = 5000;

/** `{ width, height, duration }` of a file (pixels, seconds), or `null` for one that this browser cannot play. */
export async function videoFrame(file) {
  if (!file.type.startsWith('video/')) return null;
  const player = document.createElement('video');
  player.preload = 'metadata';
  player.src = URL.createObjectURL(file);
  try {
    await new Promise((resolve, reject) => {
      player.addEventListener('loadedmetadata', resolve);
      player.addEventListener('error', reject);
      setTimeout(reject, PATIENCE);
    });
    const { videoWidth, videoHeight, duration } = player;
    if (videoWidth === 0) return null;
    // A stream that was recorded in a browser has no end written into it.
    return { width: videoWidth, height: videoHeight, duration: Number.isFinite(duration) ? duration : 0 };
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(player.src);
    player.removeAttribute('src');
  }
}

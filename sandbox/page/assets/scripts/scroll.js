/** Keeps the newest message in sight for a person who reads at the end, and leaves alone one who reads further up. */

/** How far from the end still counts as reading at the end, CSS pixels. */
const NEAR = 90;

/** Follows the end of `log`; `onMove` is told whether it is at the end. */
export function followEnd(log, onMove) {
  let atEnd = true;
  let lastTop = 0;
  const toEnd = () => {
    log.scrollTop = log.scrollHeight;
  };
  const isNear = () => log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
  log.addEventListener('scroll', () => {
    // A log that has grown is far from its end without anyone having scrolled: only the way up leaves it.
    if (isNear()) atEnd = true;
    else if (log.scrollTop < lastTop) atEnd = false;
    lastTop = log.scrollTop;
    onMove(atEnd);
  });
  const watcher = new ResizeObserver(() => {
    if (atEnd) toEnd();
  });
  watcher.observe(log);
  return {
    isAtEnd: () => atEnd,
    /** Goes to the end at once, and stays there. */
    toEnd() {
      atEnd = true;
      toEnd();
      onMove(true);
    },
    /** Shows the beginning of a part of the log; from then on the end is followed only if it is in sight, too. */
    toStart(part) {
      atEnd = false;
      part.scrollIntoView({ block: 'start' });
      atEnd = isNear();
      onMove(atEnd);
    },
    /** Also follows the end when this part of the log changes its height (a picture that has loaded). */
    watch: (part) => watcher.observe(part),
  };
}

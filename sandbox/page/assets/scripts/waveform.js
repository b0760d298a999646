/** The shape of a sound as bars, measured from its samples. */

const SVG = 'http://www.w3.org/2000/svg';
const BARS = 42;
/** In units of the drawing: from one bar to the next, the highest bar, and the lowest, which shows silence. */
const STEP = 4;
const HEIGHT = 24;
const LEAST = 2.5;
/** A bar, and the room before it. */
const BAR = { width: 2.6, before: 0.7, rounding: 1.3 };
/** How high all bars stand, 0 to 1, where a sound cannot be measured. */
const UNMEASURED = 0.4;

/** By address; sounds do not change. */
const measured = new Map();

/** The loudness in each part of the sound, 0 to 1; even where the browser cannot decode it. */
async function measure(address) {
  try {
    const bytes = await (await fetch(address)).arrayBuffer();
    const sound = await new OfflineAudioContext(1, 1, 24_000).decodeAudioData(bytes);
    const samples = sound.getChannelData(0);
    const part = Math.max(1, Math.floor(samples.length / BARS));
    const loud = Array.from({ length: BARS }, (_, at) =>
      loudness(samples.subarray(at * part, (at + 1) * part)),
    );
    const most = Math.max(...loud, 1e-6);
    return loud.map((one) => one / most);
  } catch {
    return Array.from({ length: BARS }, () => UNMEASURED);
  }
}

/** The root of the mean square. */
function loudness(samples) {
  const sum = samples.reduce((sofar, sample) => sofar + sample * sample, 0);
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** `node` to show, and `fill(part)` to colour what has been heard, 0 to 1. */
export function waveform(address) {
  const node = document.createElementNS(SVG, 'svg');
  node.setAttribute('class', 'wave');
  node.setAttribute('viewBox', `0 0 ${BARS * STEP} ${HEIGHT}`);
  node.setAttribute('preserveAspectRatio', 'none');
  node.setAttribute('aria-hidden', 'true');
  const bars = Array.from({ length: BARS }, (_, at) => {
    const bar = document.createElementNS(SVG, 'rect');
    for (const [name, value] of Object.entries({
      x: at * STEP + BAR.before,
      width: BAR.width,
      rx: BAR.rounding,
    }))
      bar.setAttribute(name, String(value));
    return bar;
  });
  const draw = (levels) => {
    for (const [at, bar] of bars.entries()) {
      const height = Math.max(LEAST, levels[at] * HEIGHT);
      bar.setAttribute('height', String(height));
      bar.setAttribute('y', String((HEIGHT - height) / 2));
    }
  };
  draw(bars.map(() => 0));
  node.append(...bars);
  if (!measured.has(address)) measured.set(address, measure(address));
  measured.get(address).then(draw);
  return {
    node,
    fill(part) {
      for (const [at, bar] of bars.entries())
        bar.setAttribute('class', part > 0 && at / BARS <= part ? 'heard' : '');
    },
  };
}

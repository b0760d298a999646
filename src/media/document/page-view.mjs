/**
 * What a page shows of its letters. A sheet of several folios is often repeated on every page and cut by its boxes; letters may stand under a
 * picture, or be as white as the paper. Judged by the page's objects, in the order in which they are drawn: PDFium has no fonts of its own,
 * so many letters that other readers show are blank in its drawings. Plain JavaScript, for the process that opens a PDF.
 */

/** fpdfview.h, fpdf_edit.h */
const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;
const INVISIBLE_MODES = new Set([3, 7]);
const FILLING_MODES = new Set([0, 2, 4, 6]);
const STROKING_MODES = new Set([1, 2, 5, 6]);
const BITMAP_BGRA = 4;

/** A page of writing has fewer objects; more are ignored (a map, or a bomb). */
const MAX_OBJECTS = 20_000;
/** Pairs of a letter and a ground: with more, letters count as seen. */
const MAX_PAIRS = 20_000_000;
/** A fainter object is not seen, and letters that differ less from their ground are not either, in 255ths. */
const FAINT = 12;
const OPAQUE = 250;
const WHITE = [255, 255, 255];
/** The longer side of the drawing that shows where pictures are opaque, in pixels. */
const DRAWN_SIDE = 600;
const IDENTITY = [1, 0, 0, 1, 0, 0];
const SCRATCH_BYTES = 64;

/** Some programs make letters bold by drawing them twice, at most so far apart: a share of their size. */
const SAME_PLACE = 0.06;

/**
 * Judges the letters of a page, which may no longer be drawn then. `letters`: how many there are.
 * `seen(object, code, middle)`: what a reader sees of a letter with this code of this text object; `middle()` gives the middle of the letter,
 * in the page's own coordinates. `outside` (of the page, or of a clip), `repeated` (drawn at the same place before), `hidden`, `pictured`
 * (hidden, and a picture shows what is there), or `shown`.
 * `imageShare`: how much of the page its largest picture covers, 0 to 1.
 */
export function viewOf(pdfium, page, letters) {
  const wasm = pdfium.pdfium;
  const scratch = wasm.wasmExports.malloc(SCRATCH_BYTES);
  const floats = (count) => [...new Float32Array(wasm.HEAPU8.buffer, scratch, count)];
  const integers = (count) => [...new Int32Array(wasm.HEAPU8.buffer, scratch, count)];
  const fourth = [scratch, scratch + 4, scratch + 8, scratch + 12];

  const pageBox = boxOfPage();
  const texts = new Map();
  /** The text objects that begin in a cell of the page. */
  const beginnings = new Map();
  const grounds = [];
  let visited = 0;
  visit(
    pdfium.FPDFPage_CountObjects(page),
    (index) => pdfium.FPDFPage_GetObject(page, index),
    IDENTITY,
    pageBox,
  );
  const isJudged = grounds.length * Math.min(letters, texts.size) <= MAX_PAIRS;
  const images = grounds.filter(({ type }) => type === IMAGE);
  const largest = Math.max(0, ...images.map(({ box }) => areaOf(box)));
  /** Where pictures are opaque; drawn when it is first asked for. */
  let drawing;

  return {
    imageShare: areaOf(pageBox) > 0 ? largest / areaOf(pageBox) : 0,
    seen: (object, code, middle) => {
      const text = texts.get(object);
      if (text === undefined) return contains(pageBox, ...middle()) ? 'shown' : 'outside';
      text.code ??= code;
      text.near ??= isJudged ? grounds.filter(({ box }) => areaOf(intersection(box, text.box)) > 0) : [];
      // Most text stands free, so that all of its letters are seen alike.
      const isFree = text.near.length === 0 && isWithin(text.box, text.clip);
      const [x, y] = isFree ? [] : middle();
      if (!isFree && !contains(text.clip, x, y)) return 'outside';
      if (text.twin !== undefined && text.twin.code === text.code) return 'repeated';
      if (!isHidden(text, x, y)) return 'shown';
      return text.near.some(({ type, box }) => type === IMAGE && contains(box, x, y)) ? 'pictured' : 'hidden';
    },
    close: () => {
      if (drawing !== undefined) pdfium.FPDFBitmap_Destroy(drawing.bitmap);
      wasm.wasmExports.free(scratch);
    },
  };

  function boxOfPage() {
    if (!pdfium.FPDF_GetPageBoundingBox(page, scratch)) return [-Infinity, -Infinity, Infinity, Infinity];
    const [left, top, right, bottom] = floats(4);
    return [left, bottom, right, top];
  }

  /** The objects of the page, or of a form on it. `matrix` leads from their coordinates to the page's. */
  function visit(count, objectAt, matrix, clip) {
    for (let index = 0; index < count && visited < MAX_OBJECTS; index += 1) {
      visited += 1;
      const object = objectAt(index);
      const type = pdfium.FPDFPageObj_GetType(object);
      const own = clipOf(object, matrix, clip);
      if (type === FORM) {
        pdfium.FPDFPageObj_GetMatrix(object, scratch);
        const inner = product(floats(6), matrix);
        const children = pdfium.FPDFFormObj_CountObjects(object);
        visit(children, (child) => pdfium.FPDFFormObj_GetObject(object, child), inner, own);
      } else if (type === TEXT) texts.set(object, textOf(object, matrix, own));
      else if (type === IMAGE || type === SHADING || (type === PATH && isFilled(object))) {
        if (!pdfium.FPDFPageObj_GetBounds(object, ...fourth)) continue;
        const box = intersection(moved(cornersOf(floats(4)), matrix), own);
        if (areaOf(box) === 0) continue;
        const colour = type === PATH && isRectangle(object) ? colourOf(object, 'Fill') : undefined;
        const isMixed = pdfium.FPDFPageObj_HasTransparency(object);
        grounds.push({ type, object, order: visited, box, colour, isMixed });
      }
    }
  }

  function textOf(object, matrix, clip) {
    pdfium.FPDFPageObj_GetMatrix(object, scratch);
    const [, , c, d, x, y] = product(floats(6), matrix);
    pdfium.FPDFTextObj_GetFontSize(object, scratch);
    const size = floats(1)[0] * Math.hypot(c, d);
    pdfium.FPDFPageObj_GetBounds(object, ...fourth);
    const [left, bottom, right, top] = moved(cornersOf(floats(4)), matrix);
    // Fonts that are not in the file have no heights.
    const box = [left - size, bottom - size, right + size, top + size];
    const text = { order: visited, clip, box, ...inksOf(object) };
    const reach = 2 * Math.max(size, 1) * SAME_PLACE;
    const cellOf = (across, down) =>
      `${Math.floor((x + across) / reach)} ${Math.floor((y + down) / reach)} ${Math.round(size)}`;
    const earlier = beginnings.get(cellOf(0, 0));
    if (earlier !== undefined && right - left <= earlier.box[2] - earlier.box[0]) text.twin = earlier;
    else
      for (const across of [-reach / 2, reach / 2])
        for (const down of [-reach / 2, reach / 2]) beginnings.set(cellOf(across, down), text);
    return text;
  }

  function clipOf(object, matrix, clip) {
    const paths = pdfium.FPDFPageObj_GetClipPath(object);
    const count = paths === 0 ? 0 : pdfium.FPDFClipPath_CountPaths(paths);
    let box = clip;
    for (let path = 0; path < count; path += 1) {
      const points = [];
      const segments = Math.min(pdfium.FPDFClipPath_CountPathSegments(paths, path), MAX_OBJECTS - visited);
      for (let at = 0; at < segments; at += 1) {
        pdfium.FPDFPathSegment_GetPoint(
          pdfium.FPDFClipPath_GetPathSegment(paths, path, at),
          scratch,
          scratch + 4,
        );
        points.push(floats(2));
      }
      visited += segments;
      if (points.length > 0) box = intersection(moved(points, matrix), box);
    }
    return box;
  }

  function isFilled(path) {
    return pdfium.FPDFPath_GetDrawMode(path, scratch, scratch + 4) && integers(1)[0] !== 0;
  }

  function isRectangle(path) {
    const count = pdfium.FPDFPath_CountSegments(path);
    if (count < 4 || count > 5) return false;
    const points = Array.from({ length: count }, (_, at) => {
      pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFPath_GetPathSegment(path, at), scratch, scratch + 4);
      return floats(2);
    });
    return points.every(([x, y], at) => {
      const [nextX, nextY] = points[(at + 1) % count];
      return Math.abs(x - nextX) < 0.01 || Math.abs(y - nextY) < 0.01;
    });
  }

  /** Undefined if it is a pattern, or lets something through. */
  function colourOf(object, kind) {
    if (!pdfium[`FPDFPageObj_Get${kind}Color`](object, ...fourth)) return undefined;
    const [red, green, blue, alpha] = integers(4);
    return alpha >= OPAQUE ? [red, green, blue] : undefined;
  }

  /** What draws the letters of a text object: nothing, or these colours, of which undefined may be any. */
  function inksOf(object) {
    const mode = pdfium.FPDFTextObj_GetTextRenderMode(object);
    const inks = [
      ...(FILLING_MODES.has(mode) ? [colourOf(object, 'Fill')] : []),
      ...(STROKING_MODES.has(mode) ? [colourOf(object, 'Stroke')] : []),
    ];
    const isFaint = pdfium.FPDFPageObj_GetFillColor(object, ...fourth) && integers(4)[3] < FAINT;
    return { isInvisible: INVISIBLE_MODES.has(mode) || (isFaint && !STROKING_MODES.has(mode)), inks };
  }

  function isHidden({ isInvisible, order, inks, near }, x, y) {
    if (isInvisible) return true;
    if (!isJudged) return false;
    let ground = WHITE;
    for (const { type, box, colour, order: at, isMixed } of near) {
      if (!contains(box, x, y)) continue;
      if (at < order) ground = isMixed ? undefined : colour;
      else if (!isMixed && (type === IMAGE ? isOpaqueAt(order, x, y) : colour !== undefined)) return true;
    }
    return ground !== undefined && inks.every((ink) => ink !== undefined && isAlike(ink, ground));
  }

  /** Whether a picture that is drawn after the text is opaque there: many only add a stamp or a water mark. */
  function isOpaqueAt(order, x, y) {
    drawing ??= drawnAfter(order);
    const { bitmap, width, height } = drawing;
    pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch, scratch + 4);
    const [across, down] = integers(2);
    if (across < 0 || down < 0 || across >= width || down >= height) return false;
    const at = pdfium.FPDFBitmap_GetBuffer(bitmap) + down * pdfium.FPDFBitmap_GetStride(bitmap) + across * 4;
    return wasm.HEAPU8[at + 3] >= OPAQUE;
  }

  /** The pictures drawn after this, on nothing. */
  function drawnAfter(order) {
    for (const { type, object, order: at } of grounds)
      if (type !== IMAGE || at < order) pdfium.FPDFPageObj_SetIsActive(object, false);
    for (const object of texts.keys()) pdfium.FPDFPageObj_SetIsActive(object, false);
    const [across, down] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
    const scale = DRAWN_SIDE / Math.max(across, down);
    const [width, height] = [across, down].map((side) => Math.max(1, Math.floor(side * scale)));
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BITMAP_BGRA, 0, 0);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
    return { bitmap, width, height };
  }
}

function isAlike(one, other) {
  return one.every((part, index) => Math.abs(part - other[index]) < FAINT);
}

/** First `one`, then `other`, as PDF writes matrices. */
function product([a, b, c, d, e, f], [A, B, C, D, E, F]) {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

function cornersOf([left, bottom, right, top]) {
  return [
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top],
  ];
}

/** The box of these points under a matrix. */
function moved(points, [a, b, c, d, e, f]) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    const [right, up] = [a * x + c * y + e, b * x + d * y + f];
    box[0] = Math.min(box[0], right);
    box[1] = Math.min(box[1], up);
    box[2] = Math.max(box[2], right);
    box[3] = Math.max(box[3], up);
  }
  return box;
}

function intersection([left, bottom, right, top], [other, under, beside, over]) {
  return [Math.max(left, other), Math.max(bottom, under), Math.min(right, beside), Math.min(top, over)];
}

function areaOf([left, bottom, right, top]) {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

function isWithin([left, bottom, right, top], [other, under, beside, over]) {
  return left >= other && bottom >= under && right <= beside && top <= over;
}

function contains([left, bottom, right, top], x, y) {
  return x >= left && x <= right && y >= bottom && y <= top;
}

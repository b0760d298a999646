/** Bounds the memory of a decoder in WebAssembly. Plain JavaScript, for the processes that open files. */

const PAGE_BYTES = 65_536;

/**
 * Calls `refuse`, which must not return, in place of each growth beyond so many bytes.
 * @param {number} maxBytes
 * @param {() => never} refuse
 */
export function boundWasmMemory(maxBytes, refuse) {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function bounded(pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > maxBytes) refuse();
    return grow.call(this, pages);
  };
}

/**
 * Reads the input of a process that opens a file: its task as a line of JSON, then the file, both on standard input; their length as an
 * argument. Plain JavaScript, as those processes: Node's translator of TypeScript takes time, and does not run without V8's compilers.
 */

/** One buffer from the start: joining pieces at the end would take twice the memory. */
const given = Buffer.allocUnsafeSlow(Number(process.argv[2]));
let length = 0;
for await (const piece of process.stdin) length += piece.copy(given, length);
const taskEnd = given.indexOf('\n');

export const task = JSON.parse(given.toString('utf8', 0, taskEnd));
export const file = given.subarray(taskEnd + 1, length);

const WASM_PAGE_BYTES = 65_536;
/** Unset if the process has no WebAssembly. */
const { wasmBytes, exitCodes } = task;

// libheif asks for as much as a header promises, and PDFium leaves out a picture for which there is no memory. Emscripten first
// asks for a fifth more than it has, so a heap of more than 1 / 1.2 of the bound cannot grow.
if (wasmBytes !== undefined) {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function bounded(pages) {
    if (this.buffer.byteLength + pages * WASM_PAGE_BYTES > wasmBytes) process.exit(exitCodes.tooLarge);
    return grow.call(this, pages);
  };
}

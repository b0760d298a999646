/** The CPU time of this thread. */
import { WASI } from 'node:wasi';

/** `clockid` of WASI's `thread_cputime_id`. */
const THREAD_CPU = 3;

/**
 * Makes the clock, in ms. `process.threadCpuUsage` counts scheduler ticks (4 ms on many machines): of two readings 1 ms apart one is 0 and
 * another 4. Only WASI exposes the exact clock.
 */
export function threadCpuClock(): () => number {
  const wasi = new WASI({ version: 'preview1' });
  const memory = new WebAssembly.Memory({ initial: 1 });
  wasi.finalizeBindings({ exports: { memory } }, { memory });
  const view = new DataView(memory.buffer);
  const { clock_time_get: read } = wasi.wasiImport as { clock_time_get: ClockTimeGet };
  return () => {
    read(THREAD_CPU, 0n, 0);
    return Number(view.getBigUint64(0, true)) / 1e6;
  };
}

/** The engine has it, but only the browser's types do. */
declare const WebAssembly: { Memory: new (size: { initial: number }) => { buffer: ArrayBuffer } };

/** Writes the time in ns at `address` of the memory. */
type ClockTimeGet = (clock: number, precision: bigint, address: number) => number;

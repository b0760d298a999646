// Loaded into a bot: writes into the file LONGEST_BLOCK how long its own work has blocked its event loop, in ms of its thread's CPU time. Whoever
// deletes the file begins anew.
import { existsSync, writeFileSync } from 'node:fs';

const TICK_MS = 5;
const file = process.env.LONGEST_BLOCK;
let longestMs = 0;
let before = process.threadCpuUsage();

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  const ms = (user + system) / 1000;
  if (!existsSync(file)) longestMs = 0;
  else if (ms <= longestMs) return;
  longestMs = Math.max(longestMs, ms);
  writeFileSync(file, String(longestMs));
}, TICK_MS).unref();

/** What an image, address or document must be like before its recognition is paid for (service-interface §4.2, §8). */
import { MAX_BASE64_BYTES, MAX_SIDE, MIN_SIDE } from '../../service-limits.ts';
import { ServiceFailure } from '../failure.ts';
import type { RecognitionImage, RecognitionRequest } from './recognition-request.ts';

const MAX_URL_BYTES = 1024;

const SIGNATURES = {
  jpeg: [0xff, 0xd8, 0xff],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  bmp: [0x42, 0x4d],
  pdf: [0x25, 0x50, 0x44, 0x46],
  /** OFD is a ZIP archive. */
  ofd: [0x50, 0x4b, 0x03, 0x04],
} as const;

/** Throws `bad-request` for an input that breaks a documented limit. */
export function checkRecognition({ input }: RecognitionRequest): void {
  if ('image' in input) checkImage(input.image);
  else if ('url' in input) checkUrl(input.url);
  else if ('pdfFile' in input) checkDocument(input.pdfFile, 'pdf', input.pdfFileNum);
  else checkDocument(input.ofdFile, 'ofd', input.ofdFileNum);
}

function checkImage({ bytes, format, width, height }: RecognitionImage): void {
  checkFile(bytes, format);
  const sides = [width, height];
  demand(sides.every(Number.isInteger), 'a side is not a whole number of pixels');
  demand(Math.min(...sides) >= MIN_SIDE, `the shortest side is below ${MIN_SIDE} pixels`);
  demand(Math.max(...sides) <= MAX_SIDE, `the longest side is above ${MAX_SIDE} pixels`);
}

function checkDocument(bytes: Uint8Array, format: 'pdf' | 'ofd', page: number | undefined): void {
  checkFile(bytes, format);
  demand(page === undefined || (Number.isSafeInteger(page) && page >= 1), 'the page is not a number from 1');
}

function checkFile(bytes: Uint8Array, format: keyof typeof SIGNATURES): void {
  const signed = SIGNATURES[format].every((byte, index) => bytes[index] === byte);
  demand(signed, 'the content is not of the format named');
  demand(base64Length(bytes.length) <= MAX_BASE64_BYTES, 'the content is above 10 MB in base64');
}

function checkUrl(url: string): void {
  demand(Buffer.byteLength(url) <= MAX_URL_BYTES, 'the address is above 1024 bytes');
  demand(/^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'the address is not http or https');
}

/** bytes of `length` bytes in base64, padding included */
function base64Length(length: number): number {
  return Math.ceil(length / 3) * 4;
}

function demand(met: boolean, fault: string): void {
  if (!met) throw new ServiceFailure('bad-request', `not sent: ${fault}`);
}

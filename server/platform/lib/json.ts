// Strict JSON parsing. JSON.parse silently uses the last of two equal keys, while a proxy may have read the first, so a
// text with more members than its parsed value is rejected.
import type { Workers } from './concurrency/workers.ts';
import { type Detail, Invalid } from './errors.ts';
import { inspectJson, repairJson } from './text.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Twice the largest accepted request. Inspecting more values would block the event loop for too long. */
const maxValues = 50_000;

/** Parses a JSON document in UTF-8. Throws Invalid (400) if it is malformed or ambiguous. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const { members: written, values } = countParts(bytes);
  if (values > maxValues) throw malformed(`must not have more than ${maxValues} values`);
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('must be valid JSON');
  }
  const { faults, members } = inspectJson(value);
  if (faults.length > 0) throw new Invalid(faults.slice(0, 20));
  if (written !== members) throw malformed('must not repeat a key');
  return value;
}

/** Parsing a larger text takes so long that other requests would wait for it. */
const maxInlineBytes = 1024 * 1024;

/** As `parseStrictJson`; a large text is parsed in a worker thread. */
export async function parseStrictJsonInTurn(bytes: Uint8Array, workers: Workers): Promise<unknown> {
  if (bytes.length <= maxInlineBytes) return parseStrictJson(bytes);
  const outcome = await workers.run(import.meta.url, parseOrExplain, bytes);
  if ('details' in outcome) throw new Invalid(outcome.details, outcome.message);
  return outcome.value;
}

/** Runs in a worker thread, which can't return an Invalid. */
export function parseOrExplain(bytes: Uint8Array): { value: unknown } | { details: Detail[]; message: string } {
  try {
    return { value: parseStrictJson(bytes) };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { details: error.details ?? [], message: error.message };
  }
}

/**
 * Parses a JSON document from an external system. Values that can't be stored are repaired, since the sender can't
 * correct them; integers that a double can't represent become strings. Throws Invalid for malformed JSON or repeated keys.
 */
export function parseExternalJson(text: string): unknown {
  let members = 0;
  const count = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) members += Object.keys(value).length;
    return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  };
  let value: unknown;
  try {
    value = JSON.parse(text, count);
  } catch {
    // Also reached if deep nesting exhausts the stack.
    throw malformed('must be valid JSON');
  }
  const { members: written, values } = countParts(Buffer.from(text));
  if (values > maxValues) throw malformed(`must not have more than ${maxValues} values`);
  if (written !== members) throw malformed('must not repeat a key');
  return repairJson(value);
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('must be UTF-8');
  }
  if (text.startsWith('\ufeff')) throw malformed('must not start with a byte order mark');
  return text;
}

const [quote, backslash, colon, comma, brace, bracket] = [...'"\\:,{['].map((letter) => letter.charCodeAt(0));

/**
 * Counts the members and values of a JSON text without parsing it. In valid JSON, a colon outside a string belongs to
 * exactly one object member, and every value but the first follows a comma or an opening bracket. Stops early if there
 * are too many values.
 */
function countParts(bytes: Uint8Array): { members: number; values: number } {
  let members = 0;
  let values = 1;
  for (let index = 0; index < bytes.length && values <= maxValues; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = findStringEnd(bytes, index);
    else if (byte === colon) members += 1;
    else if (byte === comma || byte === brace || byte === bracket) values += 1;
  }
  return { members, values };
}

/** The index of the closing quote of a string, or the end of the text. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index += 1) {
    if (bytes[index] === backslash) index += 1;
    else if (bytes[index] === quote) return index;
  }
  return bytes.length;
}

function malformed(message: string): Invalid {
  return new Invalid([{ path: [], message }], 'The body is not valid JSON.');
}

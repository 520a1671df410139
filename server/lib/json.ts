// Strict JSON at the edge. JSON.parse silently keeps the last of two equal keys, where a proxy may
// have read the first; so a body whose text has more members than its value is refused.
import { Invalid } from './errors.ts';
import { inspectJson, repairJson } from './text.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const stringLiteral = /"(?:[^"\\]|\\.)*"/g;

/** The value of a JSON document in UTF-8. Throws Invalid (400) for anything unclear. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('must be valid JSON');
  }
  const { faults, members } = inspectJson(value);
  if (faults.length > 0) throw new Invalid(faults.slice(0, 20));
  if (countMembers(text) !== members) throw malformed('must not repeat a key');
  return value;
}

/**
 * The value of a JSON document of another system, whose texts it can't be asked to correct: what can't be stored is
 * repaired. Whole numbers that a double would change become texts. Throws Invalid for what isn't JSON or repeats a key.
 */
export function parseForeignJson(text: string): unknown {
  let members = 0;
  const count = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) members += Object.keys(value).length;
    return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  };
  let value: unknown;
  try {
    value = JSON.parse(text, count);
  } catch {
    // Also where nesting exhausts the stack.
    throw malformed('must be valid JSON');
  }
  if (countMembers(text) !== members) throw malformed('must not repeat a key');
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

/** In valid JSON a colon outside of a string belongs to exactly one object member. */
function countMembers(validJson: string): number {
  return validJson.replace(stringLiteral, '').split(':').length - 1;
}

function malformed(message: string): Invalid {
  return new Invalid([{ path: [], message }], 'The body is not valid JSON.');
}

// The rates of a CSV file: a currency, a day and a rate in each line, in this order or in that of its header. Pure.

export type RateLine = { line: number; currency: string; quotedOn: string; rate: string };
/** `line` means a fault of the whole line, which repeats another one. */
export type LineFault = { line: number; field: 'currency' | 'quotedOn' | 'rate' | 'line' };

type Field = Exclude<LineFault['field'], 'line'>;
const fields: readonly Field[] = ['currency', 'quotedOn', 'rate'];

const headers: Record<Field, readonly string[]> = {
  currency: ['currency', 'währung', 'waehrung'],
  quotedOn: ['quotedon', 'quoted_on', 'date', 'day', 'datum', 'tag'],
  rate: ['rate', 'kurs', 'wechselkurs'],
};

/** The lines with a rate; empty lines and a header are left out. Numbers are those of lines in the text, from 1. */
export function parseRates(text: string): RateLine[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((content, index) => ({ line: index + 1, content }))
    .filter(({ content }) => content.trim() !== '');
  const [first] = lines;
  if (!first) return [];
  const delimiter = first.content.includes('\t') ? '\t' : first.content.includes(';') ? ';' : ',';
  const split = (content: string) => content.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const places = findPlaces(split(first.content));
  return (places ? lines.slice(1) : lines).map(({ line, content }) => {
    const cells = split(content);
    const cell = (field: Field) => cells[(places ?? fields).indexOf(field)] ?? '';
    const rate = cell('rate');
    return {
      line,
      currency: cell('currency').toUpperCase(),
      quotedOn: toIsoDay(cell('quotedOn')),
      rate: delimiter === ',' ? rate : rate.replace(',', '.'),
    };
  });
}

/** The field of each column; null if the line is not a header. */
function findPlaces(cells: readonly string[]): (Field | undefined)[] | null {
  const found = cells.map((cell) => fields.find((field) => headers[field].includes(cell.toLowerCase())));
  return found.some((field) => field !== undefined) ? found : null;
}

/** "26.11.2026" → "2026-11-26"; other texts as they are. */
function toIsoDay(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  return year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The faults that the server found, by the lines of the text. */
export function toLineFaults(lines: readonly RateLine[], details: readonly { path: readonly (string | number)[] }[]): LineFault[] {
  return details.flatMap(({ path: [list, index, name] }) => {
    const found = list === 'rates' && index !== undefined ? lines[Number(index)] : undefined;
    return found ? [{ line: found.line, field: fields.find((field) => field === name) ?? 'line' }] : [];
  });
}

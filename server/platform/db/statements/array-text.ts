// Arrays as PostgreSQL reads them, for parameters of hot statements: `pg` would convert each element.

/** The text of a PostgreSQL array. */
export function toArrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(toElement).join(',')}}`;
}

const plain = /^[\w.:+-]+$/;

function toElement(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return plain.test(value) && value.toUpperCase() !== 'NULL' ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

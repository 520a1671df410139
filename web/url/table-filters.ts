// The filters that a table can have: their parameters in the URL, and what the API expects. Pure.
import { addDays, startOfDay } from '../ui/figures/days.ts';
import type { FilterValue } from '../ui/table/table-types.ts';
import { type RawSearch, readAll, readText } from './url-state.ts';

/** Parameters of the URL; null removes one. */
export type Patch = Record<string, string | readonly string[] | null>;

export type TableFilter<Query> = {
  read: (raw: RawSearch) => FilterValue | null;
  toPatch: (value: FilterValue | undefined) => Patch;
  toQuery: (value: FilterValue, timezone: string) => Query;
};

type Parameter<Name extends string, Value> = Partial<Record<Name, Value>>;

/** Some of these values, or any values if none are listed. */
export function someOf<const Name extends string, const Value extends string = string>(
  name: Name,
  allowed?: readonly Value[],
): TableFilter<Parameter<Name, Value[]>> {
  const known = knownOf(allowed);
  return {
    read: (raw) => options(known(readAll(raw, name))),
    toPatch: (value) => ({ [name]: valuesOf(value) }),
    toQuery: (value) => parameter(name, known(valuesOf(value))),
  };
}

/** One of these values, or any value if none are listed. Several together are not a filter. */
export function oneOf<const Name extends string, const Value extends string = string>(
  name: Name,
  allowed?: readonly Value[],
): TableFilter<Parameter<Name, Value>> {
  const known = knownOf(allowed);
  return {
    read: (raw) => options(known(readAll(raw, name))),
    toPatch: (value) => ({ [name]: valuesOf(value) }),
    toQuery: (value) => {
      const [only, ...others] = known(valuesOf(value));
      return parameter(name, others.length === 0 ? only : undefined);
    },
  };
}

/** Yes or no, where the API expects a boolean. */
export function flag<const Name extends string>(name: Name): TableFilter<Parameter<Name, boolean>> {
  const { read, toPatch, toQuery } = oneOf('value', ['true', 'false']);
  return {
    read: (raw) => read({ value: readAll(raw, name) }),
    toPatch: (value) => ({ [name]: toPatch(value).value ?? null }),
    toQuery: (value, timezone) => {
      const { value: text } = toQuery(value, timezone);
      return parameter(name, text === undefined ? undefined : text === 'true');
    },
  };
}

/** A calendar year, where the API expects a number. */
export function year<const Name extends string>(name: Name): TableFilter<Parameter<Name, number>> {
  const isYear = (text: string) => /^20\d\d$/.test(text);
  const { read, toPatch, toQuery } = oneOf(name);
  return {
    read: (raw) => read({ [name]: readAll(raw, name).filter(isYear) }),
    toPatch,
    toQuery: (value, timezone) => {
      const { [name]: text } = toQuery(value, timezone);
      return parameter(name, text === undefined ? undefined : Number(text));
    },
  };
}

/** The years since the first program, newest first, for the options of a filter. */
export function yearOptions(now: number): { value: string; label: string }[] {
  const present = new Date(now).getFullYear();
  return Array.from({ length: present - 2019 }, (_, index) => String(present - index)).map((value) => ({ value, label: value }));
}

/** Two numbers or amounts; either end may be missing. */
export function numbers<const From extends string, const To extends string>(
  from: From,
  to: To,
): TableFilter<Parameter<From, number> & Parameter<To, number>> {
  const isNumber = (text: string) => /^-?\d{1,12}(\.\d{1,4})?$/.test(text);
  const ends = rangeOf(from, to, isNumber);
  return { ...ends, toQuery: (value) => endsOf(value, from, to, Number, Number) };
}

/** The first and the last day, in the time zone of the program. The URL may have shorter names than the API. */
export function days<const From extends string, const To extends string>(
  from: From,
  to: To,
  [urlFrom, urlTo]: readonly [string, string] = [from, to],
): TableFilter<Parameter<From, string> & Parameter<To, string>> {
  const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return {
    ...rangeOf(urlFrom, urlTo, isDay),
    toQuery: (value, timezone) =>
      endsOf(
        value,
        from,
        to,
        (day) => startOfDay(day, timezone),
        (day) => startOfDay(addDays(day, 1), timezone),
      ),
  };
}

function knownOf<Value extends string>(allowed: readonly Value[] | undefined): (values: readonly string[]) => Value[] {
  return (values) => values.filter((value): value is Value => allowed === undefined || allowed.some((each) => each === value));
}

function options(values: readonly string[]): FilterValue | null {
  return values.length === 0 ? null : { kind: 'options', operator: 'is', values };
}

function valuesOf(value: FilterValue | undefined): readonly string[] {
  return value?.kind === 'options' ? value.values : [];
}

function rangeOf(from: string, to: string, isValid: (text: string) => boolean) {
  const readEnd = (raw: RawSearch, name: string) => {
    const text = readText(raw, name);
    return text !== undefined && isValid(text) ? text : null;
  };
  return {
    read: (raw: RawSearch): FilterValue | null => {
      const ends = { from: readEnd(raw, from), to: readEnd(raw, to) };
      return ends.from === null && ends.to === null ? null : { kind: 'range', from: ends.from, to: ends.to };
    },
    toPatch: (value: FilterValue | undefined): Patch => ({
      [from]: value?.kind === 'range' ? value.from : null,
      [to]: value?.kind === 'range' ? value.to : null,
    }),
  };
}

function endsOf<From extends string, To extends string, Value>(
  value: FilterValue,
  from: From,
  to: To,
  toStart: (text: string) => Value,
  toEnd: (text: string) => Value,
): Parameter<From, Value> & Parameter<To, Value> {
  const ends = value.kind === 'range' ? value : { from: null, to: null };
  const start = parameter(from, ends.from === null ? undefined : toStart(ends.from));
  return Object.assign(start, parameter(to, ends.to === null ? undefined : toEnd(ends.to)));
}

/** A parameter without a value is left out. */
function parameter<Name extends string, Value>(name: Name, value: Value | undefined): Parameter<Name, Value> {
  const found: Parameter<string, Value> = value === undefined ? {} : { [name]: value };
  return found as Parameter<Name, Value>;
}

// Merges what was typed into a form with what someone else saved in the meantime. Pure.

/** The fields that differ. */
export function findChanges<Values extends object>(from: Partial<Values>, to: Values): (keyof Values & string)[] {
  const names = Object.keys(to) as (keyof Values & string)[];
  return names.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
}

/** The fields that differ, with their new values. */
export function pickChanges<Values extends object>(from: Partial<Values>, to: Values): Partial<Values> {
  return Object.fromEntries(findChanges(from, to).map((name) => [name, to[name]])) as Partial<Values>;
}

type Versions<Values> = { base: Values; mine: Values; theirs: Values };

/** The fields that both changed, to different values. */
export function findClashes<Values extends object>({ base, mine, theirs }: Versions<Values>): (keyof Values & string)[] {
  const [typed, different] = [findChanges(base, mine), findChanges(mine, theirs)];
  return findChanges(base, theirs).filter((name) => typed.includes(name) && different.includes(name));
}

/** What was typed, merged into what someone else saved in the meantime. */
export function mergeValues<Values extends object>({ base, mine, theirs }: Versions<Values>): Values {
  return { ...theirs, ...pickChanges(base, mine) };
}

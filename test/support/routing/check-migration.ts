// Checks that a cluster would apply a migration (decision 155).

/** Functions whose result depends on settings: a cluster rejects them in UPDATE together with columns. */
const stable = /\b(concat|concat_ws|format|to_char|now|current_timestamp|date_trunc|array_to_string|to_jsonb?|jsonb?_build_object)\b/;

/** What a cluster would reject in the statements of a migration. */
export function findRejected(migration: string): string[] {
  const statements = migration.replace(/--[^\n]*/g, '').split(';');
  return statements.flatMap((text) => {
    const statement = text.trim().toLowerCase();
    if (/^alter table\b/.test(statement)) {
      const parts = statement.match(/\b(add|drop|alter|rename|validate) (column|constraint)\b/g) ?? [];
      if (parts.length > 1 && parts.some((part) => part.endsWith('constraint'))) return [`a constraint with other changes: ${statement}`];
    }
    const [name] = /^(update|with)\b/.test(statement) && /\bupdate\b/.test(statement) ? (stable.exec(statement) ?? []) : [];
    return name ? [`${name} in an update: ${statement}`] : [];
  });
}

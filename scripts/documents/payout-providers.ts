// The README's table of payout providers: the settings of each type.
import { railTypes } from '../../server/connections/rails/index.ts';

/** A Markdown table with a row for each type. */
export function payoutProvidersTable(): string {
  const names = ({ shape }: { shape: object }) =>
    Object.keys(shape)
      .map((name) => `\`${name}\``)
      .join(', ');
  const rows = railTypes.map(({ type, config, secrets }) => `| \`${type}\` | ${names(config)} | ${names(secrets)} |`);
  return `| \`type\` | \`config\` | \`secrets\` |\n|---|---|---|\n${rows.join('\n')}\n`;
}

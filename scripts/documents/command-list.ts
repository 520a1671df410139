// The part of docs/cli.md that lists the commands of the API.
import type { ApiDocument } from '../../server/operations/cli/api/document.ts';
import { listOperations, type Operation } from '../../server/operations/cli/api/operation.ts';
import { toPlaceholder } from '../../server/operations/cli/api/request.ts';

/** A table per section of the API. */
export function commandList(document: ApiDocument): string {
  const operations = listOperations(document);
  const sections = document['x-tagGroups'].map(({ name }) => {
    const rows = operations.filter(({ section }) => section === name).map((each) => `| \`${usage(each)}\` | ${each.summary} |`);
    return `### ${name}\n\n| Command | |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `\n${sections.join('\n')}\n`;
}

function usage({ noun, verb, slots }: Operation): string {
  return [noun, verb, ...slots.map(({ name }) => toPlaceholder(name))].join(' ');
}

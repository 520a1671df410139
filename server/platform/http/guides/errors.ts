// The page of errors, from the API document: every code with its status, its meaning, and whether to repeat the request.
import type { Guide } from './guide.ts';
import { toGuide } from './guide.ts';

type Response = { $ref?: string; description?: string };
type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
};

type ErrorCode = { status: number; code: string; meaning: string; operations: string[] };

const retries: Record<number, string> = {
  409: 'No: it has already happened.',
  412: 'After you have read the object again.',
  429: 'Yes, after `Retry-After`.',
  500: 'Yes, with the same `Idempotency-Key`.',
  502: 'Yes, with the same `Idempotency-Key`.',
  503: 'Yes, after `Retry-After`.',
};

export function describeErrors(document: Document): Guide {
  const rows = listErrors(document).map(
    ({ status, code, meaning, operations }) =>
      `| ${status} | \`${code}\` | ${meaning} | ${retries[status] ?? 'No: change the request.'} | ${nameOperations(operations)} |`,
  );
  const markdown = `# Errors

Every error has the same shape. \`code\` never changes, \`error\` is a sentence for people, \`details\` names the fields of an
invalid request, and \`requestId\` finds the request in the log of the installation.

\`\`\`json
{ "error": "Not found.", "code": "not_found", "requestId": "01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f" }
\`\`\`

Repeat a write with the same \`Idempotency-Key\`: if the first request succeeded, you receive its response again. Orders,
refunds and disputes need none, because their own id is enough.

| Status | \`code\` | When | Retry? | Operations |
|---|---|---|---|---|
${rows.join('\n')}
`;
  return toGuide({ slug: 'errors', file: 'docs/errors.md', markdown });
}

/** The codes in the descriptions of responses: "`code`: when". One code may have several meanings. */
export function listErrors({ paths, components }: Document): ErrorCode[] {
  const found = new Map<string, ErrorCode>();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries(responses).filter(([each]) => Number(each) >= 400)) {
      const { description = '' } = response.$ref ? (components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {}) : response;
      for (const [, code = '', meaning = ''] of description.matchAll(/^`(\w+)`: (.*)$/gm)) {
        const key = `${status} ${code} ${meaning}`;
        const entry = found.get(key) ?? { status: Number(status), code, meaning, operations: [] };
        found.set(key, entry);
        entry.operations.push(operationId);
      }
    }
  }
  return [...found.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}

function nameOperations(operations: readonly string[]): string {
  const shown = operations.slice(0, 3).map((each) => `\`${each}\``);
  return operations.length > 3 ? `${shown.join(', ')} and ${operations.length - 3} more` : shown.join(', ');
}

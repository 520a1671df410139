// Generates what sdk/ knows about the API from openapi.json: the types, an interface per noun, and a table of operations.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiTypes, isCurrent, toHeading } from './ensure-api-types.mjs';
import { generateTypes, replaceFile } from './generate-types.ts';
import { listSdkOperations, type SdkDocument } from './sdk-operations.ts';
import { interfacesOf, operationTable } from './sdk-resources.ts';

/** Writes the files unless they are current. */
export async function writeSdkApi(root: string): Promise<void> {
  if (isCurrent(root, apiTypes.sdk)) return;
  const heading = toHeading(root, apiTypes.sdk);
  const document = readDocument(root);
  const operations = listSdkOperations(document);
  await replaceFile(join(root, 'sdk/types.gen.ts'), heading + (await generateTypes(withoutErrors(document))));
  await replaceFile(join(root, 'sdk/resources.gen.ts'), heading + interfacesOf(document, operations));
  await replaceFile(join(root, 'sdk/operations.gen.ts'), heading + operationTable(operations));
}

/** `Error` would hide the global class of that name. */
function readDocument(root: string): SdkDocument {
  const text = readFileSync(join(root, 'openapi.json'), 'utf8');
  const { components, ...document } = JSON.parse(
    text.replaceAll('#/components/schemas/Error"', '#/components/schemas/ErrorBody"'),
  ) as SdkDocument;
  const { Error: ErrorBody = {}, ...schemas } = components.schemas;
  return { ...document, components: { ...components, schemas: { ...schemas, ErrorBody } } };
}

/** The document of the operations of the client, with the responses that are returned rather than thrown. */
function withoutErrors(document: SdkDocument): SdkDocument {
  const paths: SdkDocument['paths'] = {};
  for (const { method, path, operation } of listSdkOperations(document)) {
    const kept = Object.entries(operation.responses).filter(([status]) => /^(2..|409|422)$/.test(status));
    paths[path] = { ...paths[path], [method]: { ...operation, responses: Object.fromEntries(kept) } };
  }
  const { responses: _, ...components } = document.components;
  return { ...document, paths, webhooks: {}, components };
}

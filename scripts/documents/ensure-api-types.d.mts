// Types of ensure-api-types.mjs, for TypeScript.
type Folder = { files: readonly string[]; inputs: readonly string[] };
export const apiTypes: Readonly<Record<'web' | 'sdk', Folder>>;
export function toHeading(root: string, folder: Folder): string;
export function isCurrent(root: string, folder: Folder): boolean;

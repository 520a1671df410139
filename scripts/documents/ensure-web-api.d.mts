// Types of ensure-web-api.mjs, for TypeScript.
export const webApiFiles: readonly string[];
export function webApiHeading(root: string): string;
export function isWebApiCurrent(root: string): boolean;

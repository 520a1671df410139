/** What the tests use of the package, which has no types. */
declare module 'parse-prometheus-text-format' {
  type Sample = { labels?: Record<string, string>; value?: string; count?: string };
  // biome-ignore lint/style/noDefaultExport: the package has a default export.
  export default function parsePrometheusTextFormat(text: string): { name: string; help: string; type: string; metrics: Sample[] }[];
}

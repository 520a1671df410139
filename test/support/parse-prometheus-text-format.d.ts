/** What the tests use of the package, which has no types of its own. */
declare module 'parse-prometheus-text-format' {
  type Sample = { labels?: Record<string, string>; value?: string; count?: string };
  export default function parsePrometheusTextFormat(text: string): { name: string; help: string; type: string; metrics: Sample[] }[];
}
